//! Bodies and contacts as the passes of contact dynamics find them, and what they do to each other, in f64.

use super::cloud::{CODE, random, vector};
use super::harness::Harness;
use crate::base::error::Result;
use crate::engine::gpu::parts::walls::state_of;
use crate::gpu::constants::SOLVER_ITERATES;
use crate::gpu::elements::body::BodyInertia;
use crate::gpu::elements::contact::{ContactBody, ContactFrame, ContactSide};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::Params;
use crate::model::scenario::Wall;
use glam::{DMat3, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Rows behind the last contact, which no pass may touch.
pub const SPARE: usize = 70;

/// A contact of two bodies.
#[derive(Debug, Clone)]
pub struct Contact {
    /// on which the impulse acts, and on which it reacts
    pub bodies: [usize; 2],
    /// in `contact_frame`
    pub frame: ContactFrame,
}

impl Contact {
    /// This contact between other bodies.
    pub fn between(self, bodies: [usize; 2]) -> Contact {
        Contact { bodies, ..self }
    }

    /// From the second body to the first.
    pub fn normal(&self) -> DVec3 {
        in_f64(self.frame.normal)
    }

    /// Coefficient of friction, cohesion (M L/T).
    pub fn law(&self) -> [f64; 2] {
        [self.frame.friction.into(), self.frame.sides[0].extra.into()]
    }

    /// From a body's centre (L).
    pub fn arm(&self, side: usize) -> DVec3 {
        in_f64(self.frame.sides[side].arm)
    }

    /// Relative velocity without impulses, with the bias (L/T).
    pub fn free(&self) -> DVec3 {
        in_f64(self.frame.free)
    }

    /// Normal and tangential part, each times its factor.
    pub fn stretched(&self, v: DVec3, by: [f64; 2]) -> DVec3 {
        let along = v.dot(self.normal()) * self.normal();
        by[0] * along + by[1] * (v - along)
    }

    /// Table 1 of Sanchez et al. (2021), with the shift of eq. 18: the impulse with which a contact of the diagonal `w`
    /// (1/M) answers to the relative velocity `u`, to which the impulse `y` has contributed.
    pub fn answer(&self, y: DVec3, u: DVec3, w: [f64; 2]) -> DVec3 {
        let (normal, [friction, cohesion]) = (self.normal(), self.law());
        let b = u - self.stretched(y + cohesion * normal, w);
        let b_n = b.dot(normal);
        if b_n > 0.0 {
            return -cohesion * normal;
        }
        let (r_n, b_t) = (-b_n / w[0], b - b_n * normal);
        let limit = friction * w[1] * r_n;
        let share = if b_t.length() <= limit { 1.0 } else { limit / b_t.length() };
        (r_n - cohesion) * normal - share / w[1] * b_t
    }
}

/// Bodies and their contacts.
#[derive(Debug, Clone, Default)]
pub struct System {
    /// for people
    pub name: String,
    /// those that move; those that do not follow
    pub bodies: usize,
    /// of bodies and walls
    pub inertia: Vec<BodyInertia>,
    /// free velocity (L/T) and spin (1/T) of every body
    pub motion: Vec<[DVec3; 2]>,
    /// contacts
    pub contacts: Vec<Contact>,
}

/// 1/mass and a root of the inverse inertia: of a sphere of radius 1/2, or any symmetric one.
fn inertia(random: &mut Pcg64Mcg, general: bool) -> BodyInertia {
    let inverse: f64 = random.random_range(0.5..4.0);
    let root = 2.0 * (2.5 * inverse).sqrt();
    let (v, w) = (vector(random), vector(random));
    let part = if general { 0.4 * root } else { 0.0 };
    let [xx, yy, zz] = (root + part * v).as_vec3().to_array();
    BodyInertia { inverse_mass: inverse as f32, xx, yy, zz, mixed: (part * w).as_vec3().to_array(), wall: 0.0 }
}

/// A contact of bodies `between` apart that come together at the velocity `free`; `general`: arms that are not along
/// the normal.
fn contact(random: &mut Pcg64Mcg, bodies: [usize; 2], between: DVec3, arms: [f64; 2], general: bool) -> Contact {
    let normal = between.normalize();
    let part = if general { 0.3 } else { 0.0 };
    let arm = |random: &mut Pcg64Mcg, arm: f64| (arm * (normal + part * vector(random))).as_vec3().to_array();
    let [a, b] = [-arms[0], arms[1]].map(|length| arm(random, length));
    let friction = [0.0, 0.3, 0.8, 1e3][random.random_range(0..4)];
    let cohesion = [0.0, 0.0, 1e-4, 1e-2][random.random_range(0..4)];
    let bias: f64 = 1e-3 * random.random_range(-1.0..1.0);
    let sides = [ContactSide { arm: a, extra: cohesion }, ContactSide { arm: b, extra: bias as f32 }];
    let frame = ContactFrame { normal: normal.as_vec3().to_array(), friction, sides, ..ContactFrame::default() };
    Contact { bodies, frame }
}

impl System {
    /// A disordered cubic lattice of `side`^3 bodies on a floor, falling together; `general`: with any inertia and arms.
    /// Velocities before the step differ from the free ones by `kicked` (L/T).
    pub fn lattice(side: usize, general: bool, kicked: f64) -> System {
        let mut random = random(side as u64);
        let n = side.pow(3);
        let at = |k: usize| DVec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
        let position: Vec<_> = (0..n).map(|k| at(k) + 0.2 * vector(&mut random)).collect();
        let mut rows: Vec<_> = (0..n).map(|_| inertia(&mut random, general)).collect();
        rows.push(BodyInertia::default());
        let mut contacts = vec![];
        for i in 0..n {
            if at(i).z == 0.0 {
                contacts.push(contact(&mut random, [i, n], DVec3::Z, [0.5, 0.0], general));
            }
            for j in i + 1..n {
                let between = position[i] - position[j];
                if between.length() < 1.3 {
                    let arm = 0.5 * between.length();
                    contacts.push(contact(&mut random, [i, j], between, [arm, arm], general));
                }
            }
        }
        let kind = if general { "any inertia and arms" } else { "spheres" };
        let motion = |x: &DVec3| [0.01 * (vector(&mut random) - *x), 0.01 * vector(&mut random)];
        let mut motion: Vec<_> = position.iter().map(motion).collect();
        motion.push([DVec3::ZERO; 2]);
        let mut system = System { name: format!("{n} bodies, {kind}"), bodies: n, inertia: rows, motion, contacts };
        system.set_velocities(kicked);
        system
    }

    /// Writes the relative velocities of the contacts, and gaps at random.
    fn set_velocities(&mut self, kicked: f64) {
        let mut random = random(1);
        for c in 0..self.contacts.len() {
            let free = self.relative(c, &self.motion);
            let contact = &mut self.contacts[c];
            let biased = free + f64::from(contact.frame.sides[1].extra) * contact.normal();
            let gap: f64 = random.random_range(-1e-3..1e-3);
            contact.frame.gap = gap as f32;
            contact.frame.free = biased.as_vec3().to_array();
            contact.frame.before = (free + kicked * vector(&mut random)).as_vec3().to_array();
        }
    }

    /// Keeps only the first contacts.
    pub fn first(mut self, contacts: usize) -> System {
        self.contacts.truncate(contacts);
        self.name = format!("{}, {contacts} contacts", self.name);
        self
    }

    /// Puts the system on a plate that moves along its normal z; its inverse mass is given. Its contacts are the last.
    pub fn on_plate(mut self, inverse_mass: f32) -> System {
        let plate = self.bodies;
        self.inertia[plate] = BodyInertia { inverse_mass, wall: 1.0, ..BodyInertia::default() };
        self.contacts.sort_by_key(|c| c.bodies[1] == plate);
        self.name = format!("{}, plate of 1/{inverse_mass}", self.name);
        self
    }

    /// Contacts with the wall.
    pub fn of_wall(&self) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(|c| c.bodies[1] == self.bodies)
    }

    /// Fills what the passes over walls need besides: for a plate, which of the contacts are whose.
    pub fn fill_wall(&self, h: &mut Harness) -> Result<()> {
        let (all, own) = (self.contacts.len(), self.of_wall().count());
        let pairs = all - own;
        let wall = |row: usize| pairs + own * row / self.parts().max(1);
        let offset: Vec<u32> = (0..pairs).chain((0..=self.parts()).map(wall)).map(|c| c as u32).collect();
        h.uniform("params", &Params { pair_capacity: pairs as u32, ..self.params() })?;
        h.fill("contact_offset", &offset)?;
        let wall = Wall::plane("", DVec3::ZERO, DVec3::Z);
        h.fill("wall_plane", &[state_of(&wall, &CODE, 0.0)])
    }

    /// Workgroups over contacts and some more.
    pub fn groups(&self) -> u32 {
        (self.contacts.len() + SPARE).div_ceil(64) as u32
    }

    /// Workgroups over bodies and some more.
    pub fn body_groups(&self) -> u32 {
        (self.bodies + SPARE).div_ceil(64) as u32
    }

    /// The list of contacts by body: twice the contact and the side, in order, and where the part of each body begins.
    pub fn incidence(&self) -> (Vec<u32>, Vec<u32>) {
        let mut of_body = vec![vec![]; self.bodies];
        for (c, contact) in self.contacts.iter().enumerate() {
            for (side, body) in contact.bodies.iter().enumerate().filter(|(_, b)| **b < self.bodies) {
                of_body[*body].push((2 * c + side) as u32);
            }
        }
        let mut offset = vec![0];
        for list in &of_body {
            offset.push(offset[offset.len() - 1] + list.len() as u32);
        }
        // walls have none in the list
        offset.resize(self.inertia.len() + 1, offset[self.bodies]);
        (offset, of_body.concat())
    }

    /// Control words of a step that iterates.
    pub fn words(&self) -> Control {
        Control { contact_count: self.contacts.len() as u32, solver: SOLVER_ITERATES, ..Control::default() }
    }

    /// The uniform.
    pub fn params(&self) -> Params {
        let [body_count, part_count] = [self.bodies, self.parts()].map(|n| n as u32);
        Params { body_count, part_count, wall_count: 1, ..Params::default() }
    }

    /// Rows of walls: every second body is a clump of two.
    fn parts(&self) -> usize {
        self.bodies + self.bodies / 2
    }

    /// Fills everything that detection and set-up leave, but the scales.
    pub fn fill(&self, h: &mut Harness) -> Result<()> {
        let (offset, list) = self.incidence();
        let of = |c: &Contact| {
            let [i, j] = c.bodies.map(|b| b as u32);
            ContactBody { i, j, ..ContactBody::default() }
        };
        let mut bodies: Vec<_> = self.contacts.iter().map(of).collect();
        bodies.resize(bodies.len() + SPARE, ContactBody::default());
        let mut frame: Vec<_> = self.contacts.iter().map(|c| c.frame).collect();
        let spare = ContactFrame { normal: [1.0; 3], free: [1.0; 3], before: [1.0; 3], ..ContactFrame::default() };
        frame.resize(frame.len() + SPARE, spare);
        h.uniform("params", &self.params())?;
        h.fill("control", &[self.words()])?;
        h.fill("contact_body", &bodies)?;
        h.fill("contact_frame", &frame)?;
        h.fill("body_inertia", &self.inertia)?;
        h.fill("body_contact_offset", &offset)?;
        h.fill("body_contact", &list)
    }

    /// 1/mass.
    pub fn inverse_mass(&self, body: usize) -> f64 {
        self.inertia[body].inverse_mass.into()
    }

    /// The part of a vector along which a body can move: of a plate the normal.
    pub fn ways(&self, body: usize, contact: &Contact, v: DVec3) -> DVec3 {
        let stiff = f64::from(self.inertia[body].wall);
        contact.stretched(v, [1.0, 1.0 - stiff])
    }

    /// Root of the inverse inertia.
    pub fn root(&self, body: usize) -> DMat3 {
        self.inertia[body].root()
    }

    /// Velocity and spin that impulses give every body.
    pub fn pushed(&self, impulses: &[DVec3]) -> Vec<[DVec3; 2]> {
        let mut motion = vec![[DVec3::ZERO; 2]; self.inertia.len()];
        for (contact, p) in self.contacts.iter().zip(impulses) {
            for (side, body) in contact.bodies.into_iter().enumerate() {
                let p = if side == 0 { *p } else { -*p };
                let root = self.root(body);
                motion[body][0] += self.inverse_mass(body) * self.ways(body, contact, p);
                motion[body][1] += root * (root * contact.arm(side).cross(p));
            }
        }
        motion
    }

    /// Kinetic energy of the bodies that move, with velocities besides their own (M L2/T2).
    pub fn energy(&self, pushed: &[[DVec3; 2]]) -> f64 {
        let of_body = |b: usize| {
            let [v, w] = [0, 1].map(|k| self.motion[b][k] + pushed[b][k]);
            v.length_squared() / self.inverse_mass(b) + (self.root(b).inverse() * w).length_squared()
        };
        0.5 * (0..self.bodies).map(of_body).sum::<f64>()
    }

    /// Velocity of the first body of a contact less that of the second, there.
    pub fn relative(&self, c: usize, motion: &[[DVec3; 2]]) -> DVec3 {
        let contact = &self.contacts[c];
        let [a, b] = [0, 1].map(|side| {
            let [velocity, spin] = motion[contact.bodies[side]];
            velocity + spin.cross(contact.arm(side))
        });
        a - b
    }

    /// What a body adds to the diagonal of the Delassus operator (1/M): normal, and the mean of any two tangential.
    pub fn opposes(&self, c: usize, side: usize) -> [f64; 2] {
        let (contact, body) = (&self.contacts[c], self.contacts[c].bodies[side]);
        let turn = |d: DVec3| (self.root(body) * contact.arm(side).cross(d)).length_squared();
        let all = turn(DVec3::X) + turn(DVec3::Y) + turn(DVec3::Z);
        let along = turn(contact.normal());
        let aside = 1.0 - f64::from(self.inertia[body].wall);
        [along + self.inverse_mass(body), 0.5 * (all - along) + aside * self.inverse_mass(body)]
    }

    /// Diagonal of the Delassus operator (1/M).
    pub fn diagonal(&self, c: usize) -> [f64; 2] {
        let [one, other] = [self.opposes(c, 0), self.opposes(c, 1)];
        [one[0] + other[0], one[1] + other[1]]
    }

    /// How far impulses are from the laws: |D (P(p - u/D) - p)| / |D p| over all contacts (as LMGC90's QuadDV).
    pub fn residual(&self, impulses: &[DVec3]) -> f64 {
        let motion = self.pushed(impulses);
        let (mut off, mut size) = (0.0, 0.0);
        for (c, contact) in self.contacts.iter().enumerate() {
            let (p, w) = (impulses[c], self.diagonal(c));
            let u = contact.free() + self.relative(c, &motion);
            off += contact.stretched(contact.answer(p, u, w) - p, w).length_squared();
            size += contact.stretched(p, w).length_squared();
        }
        (off / size).sqrt()
    }
}

/// Systems of 0 to 1,000 contacts.
pub fn systems() -> Vec<System> {
    let small = [0, 1, 63, 64, 65].into_iter().map(|m| System::lattice(4, m % 2 == 0, 1e-3).first(m));
    small.chain([System::lattice(7, false, 1e-3), System::lattice(7, true, 1e-3)]).collect()
}
