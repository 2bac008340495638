//! Contact dynamics of spheres in f64 (Sanchez et al. 2021, Table 2): forces, free velocities, contacts, the contact
//! problem, then velocities and positions. v += h a, contact impulses, x += h v: with x as the position, theta = 1; with x as the
//! position of detection, x + (1 - theta) h v, any theta.

use super::nsgs;
use super::solution::{Driver, Solution, Stop};
use crate::base::units::G;
use crate::model::body::Bodies;
use crate::model::scenario::Wall;
use crate::physics::contacts::near_pairs;
use crate::physics::frame::axes::Axes;
use crate::physics::gravity::direct::direct;
use crate::physics::rigid::problem::{Body, Contact, Motion, Problem};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// What all contacts obey.
#[derive(Debug, Clone, Copy, Default)]
pub struct RigidLaw {
    /// coefficient of friction mu
    pub friction: f64,
    /// Newton's coefficient of restitution e: u_n after = -e u_n before
    pub restitution: f64,
    /// force that holds a contact together, r_0 / h (N)
    pub cohesion_n: f64,
    /// gap up to which cohesion acts, d_0 (m)
    pub cohesion_range_m: f64,
}

impl RigidLaw {
    /// Between two materials: the means.
    pub fn between(self, other: RigidLaw) -> RigidLaw {
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        RigidLaw {
            friction: mean(self.friction, other.friction),
            restitution: mean(self.restitution, other.restitution),
            cohesion_n: mean(self.cohesion_n, other.cohesion_n),
            cohesion_range_m: mean(self.cohesion_range_m, other.cohesion_range_m),
        }
    }
}

/// A contact as the last step left it: bodies i < j, or body i and wall j - N.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct Touch {
    /// body
    pub i: u32,
    /// body, or N plus the number of a wall
    pub j: u32,
    /// distance of the surfaces at the start of the step (m)
    pub gap_m: f64,
    /// unit, from j to i
    pub normal: DVec3,
    /// from the centre of i to the contact (m)
    pub arm_i_m: DVec3,
    /// from the centre of j, zero for a wall (m)
    pub arm_j_m: DVec3,
    /// on i, on j the opposite (N s)
    pub impulse_n_s: DVec3,
}

/// What contacts took from the bodies, all steps together (J).
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub struct Taken {
    /// along the normals
    pub normal_j: f64,
    /// by sliding
    pub sliding_j: f64,
    /// work of moving walls on the bodies
    pub wall_work_j: f64,
}

/// Spheres, walls, and the law between them.
pub struct Dynamics {
    /// state, changed by every step
    pub bodies: Bodies,
    /// planes of constant velocity, and blocks
    pub walls: Vec<Wall>,
    /// uniform field (m/s2)
    pub field_m_s2: DVec3,
    /// whether bodies attract each other
    pub self_gravity: bool,
    /// what else pulls at each body (m/s2); empty: nothing
    pub held_m_s2: Vec<DVec3>,
    /// a turning frame, in whose axes at the detection all this is, with velocities and spins of inertial space
    pub axes: Option<Axes>,
    /// one law for all
    pub law: RigidLaw,
    /// laws of the materials, in place of `law`; empty: `law`
    pub materials: Vec<RigidLaw>,
    /// shortest range of cohesion (m)
    pub range_least_m: f64,
    /// part of an overlap that a step takes back
    pub recovery: f64,
    /// and the most (m/s)
    pub recovery_max_m_s: f64,
    /// h (s)
    pub step_s: f64,
    /// solves the contact problem
    pub driver: Driver,
    /// when it stops
    pub stop: Stop,
    /// simulated time (s)
    pub time_s: f64,
    /// contacts of the last step, sorted by (i, j): the start of the next one
    pub touches: Vec<Touch>,
    /// since the start
    pub taken: Taken,
}

impl Dynamics {
    /// Bodies alone, without gravity, under `law`, with a time step of `step_s`; sequential Gauss-Seidel to E = 1e-3.
    pub fn new(bodies: Bodies, law: RigidLaw, step_s: f64) -> Dynamics {
        Dynamics {
            bodies,
            walls: vec![],
            field_m_s2: DVec3::ZERO,
            self_gravity: false,
            held_m_s2: vec![],
            axes: None,
            law,
            materials: vec![],
            range_least_m: 0.0,
            recovery: 0.2,
            recovery_max_m_s: f64::INFINITY,
            step_s,
            driver: nsgs::diagonal,
            stop: Stop::default(),
            time_s: 0.0,
            touches: vec![],
            taken: Taken::default(),
        }
    }

    /// One time step; what the driver found.
    pub fn step(&mut self) -> Solution {
        let free = self.free_velocities();
        let (mut touches, problem) = self.contacts(&free);
        let start: Vec<DVec3> = touches.iter().map(|t| t.impulse_n_s).collect();
        let solution = (self.driver)(&problem, &start, &self.stop);
        for (touch, impulse) in touches.iter_mut().zip(&solution.impulses) {
            touch.impulse_n_s = *impulse;
        }
        let gained = problem.apply(&solution.impulses);
        self.touches = touches;
        self.take(&free, &gained);
        for (b, Motion { velocity, spin }) in gained.iter().take(self.bodies.len()).enumerate() {
            self.bodies.velocity_m_s[b] = free[b] + *velocity;
            self.bodies.spin_rad_s[b] += *spin;
            self.bodies.position_m[b] += self.step_s * self.bodies.velocity_m_s[b];
        }
        self.turn_back();
        self.time_s += self.step_s;
        solution
    }

    /// The contact problem of the next step, and the impulses that the last step leaves to start from (N s).
    pub fn problem(&self) -> (Problem, Vec<DVec3>) {
        let (touches, problem) = self.contacts(&self.free_velocities());
        (problem, touches.iter().map(|t| t.impulse_n_s).collect())
    }

    /// v + h a (m/s).
    pub fn free_velocities(&self) -> Vec<DVec3> {
        let b = &self.bodies;
        let held = |k: usize| self.held_m_s2.get(k).copied().unwrap_or_default() + self.field_m_s2;
        let mut free: Vec<DVec3> = (0..b.len()).map(|k| b.velocity_m_s[k] + self.step_s * held(k)).collect();
        if self.self_gravity {
            let sources: Vec<(DVec3, f64)> = b.position_m.iter().zip(&b.mass_kg).map(|(p, m)| (*p, G * m)).collect();
            for (v, (g, _)) in free.iter_mut().zip(direct(&b.position_m, &sources)) {
                *v += self.step_s * g;
            }
        }
        free
    }

    /// At the end of a step: the axes turn with the frame.
    fn turn_back(&mut self) {
        let Some(axes) = &self.axes else { return };
        let (back, b) = (axes.step().back(), &mut self.bodies);
        for list in [&mut b.position_m, &mut b.velocity_m_s, &mut b.spin_rad_s] {
            list.iter_mut().for_each(|v| *v += back * *v);
        }
    }

    /// Velocities of a wall (m/s) at the end of the arm of a body: before the step, and in it. A turning frame carries the wall
    /// along: what it does at the centre, and the rotation about that.
    fn of_wall(&self, wall: usize, body: usize, arm_m: DVec3) -> [DVec3; 2] {
        let own = self.walls[wall].velocity_m_s;
        let Some(axes) = &self.axes else { return [own; 2] };
        let (way, position) = (own * self.step_s, self.bodies.position_m[body]);
        let [[ahead, _], [_, behind]] = [position + way, position - way].map(|p| axes.carried(p));
        [behind, ahead].map(|carried| own + carried / self.step_s + axes.rotation_rad_s.cross(arm_m))
    }

    /// Books the losses of the contacts: minus the impulse times the mean of the relative velocities before the step and
    /// after it, where the step adds `gained` to the velocities `free` (m/s).
    fn take(&mut self, free: &[DVec3], gained: &[Motion]) {
        let b = &self.bodies;
        let mean = |k: usize, arm: DVec3| {
            let velocity = b.velocity_m_s[k] + free[k] + gained[k].velocity;
            0.5 * (velocity + (2.0 * b.spin_rad_s[k] + gained[k].spin).cross(arm))
        };
        let of_other = |t: &Touch| match (t.j as usize).checked_sub(b.len()) {
            Some(wall) => {
                let [before, now] = self.of_wall(wall, t.i as usize, t.arm_i_m);
                0.5 * (before + now)
            }
            None => mean(t.j as usize, t.arm_j_m),
        };
        let mut taken = self.taken;
        for t in &self.touches {
            let u = mean(t.i as usize, t.arm_i_m) - of_other(t);
            let along = t.impulse_n_s.dot(t.normal) * u.dot(t.normal);
            taken.normal_j -= along;
            taken.sliding_j += along - t.impulse_n_s.dot(u);
            if let Some(wall) = (t.j as usize).checked_sub(b.len()) {
                taken.wall_work_j += t.impulse_n_s.dot(self.walls[wall].velocity_m_s);
            }
        }
        self.taken = taken;
    }

    /// The law between a body and a body or wall.
    fn law_of(&self, i: usize, j: usize) -> RigidLaw {
        let material = |k: usize| match k.checked_sub(self.bodies.len()) {
            Some(wall) => self.walls[wall].material,
            None => self.bodies.material[k] as usize,
        };
        let of = |k: usize| self.materials.get(material(k)).copied().unwrap_or(self.law);
        let law = of(i).between(of(j));
        RigidLaw { cohesion_range_m: law.cohesion_range_m.max(self.range_least_m), ..law }
    }

    /// All contacts that may close within the step, sorted by (i, j), with the impulses of the last step, and their
    /// problem.
    fn contacts(&self, free: &[DVec3]) -> (Vec<Touch>, Problem) {
        let (b, walls) = (&self.bodies, self.walls.len());
        let spheres = b.mass_kg.iter().zip(&b.radius_m).map(|(m, r)| Body::sphere(*m, *r));
        let bodies = spheres.chain((0..walls).map(|_| Body::WALL)).collect();
        let ranges = self.materials.iter().chain([&self.law]).map(|l| l.cohesion_range_m);
        let reach = ranges.fold(self.range_least_m, f64::max) + self.step_s * self.spread(free);
        let mut pairs = near_pairs(&b.position_m, &b.radius_m, reach);
        // Steps done, though the time may be that of a detection, up to half a step ahead.
        let step = (self.time_s / self.step_s + 1e-3).floor() as u64;
        let stands = |w: usize| self.walls[w].stands(step, self.step_s);
        let near_wall = |(i, w): &(usize, usize)| stands(*w) && self.facing(*i, *w).1 - b.radius_m[*i] < reach;
        let both = (0..b.len()).flat_map(|i| (0..walls).map(move |w| (i, w))).filter(near_wall);
        pairs.extend(both.map(|(i, w)| (i as u32, (b.len() + w) as u32)));
        pairs.sort_unstable();
        let (touches, contacts) = pairs.into_iter().map(|(i, j)| self.contact(i, j, free)).unzip();
        (touches, Problem { bodies, contacts })
    }

    /// Bound on how fast two bodies, or a body and a wall, may approach (m/s).
    fn spread(&self, free: &[DVec3]) -> f64 {
        let positions = if self.axes.is_some() { &self.bodies.position_m[..] } else { &[] };
        let carried = |x: &DVec3| self.axes.map_or(DVec3::ZERO, |axes| axes.rotation_rad_s.cross(*x));
        let walls = self.walls.iter().flat_map(|w| {
            [w.velocity_m_s].into_iter().chain(positions.iter().map(move |x| w.velocity_m_s + carried(x)))
        });
        let all = || free.iter().copied().chain(walls.clone());
        let (low, high) = (all().reduce(DVec3::min), all().reduce(DVec3::max));
        low.zip(high).map_or(0.0, |(low, high)| low.distance(high))
    }

    fn facing(&self, i: usize, wall: usize) -> (DVec3, f64) {
        self.walls[wall].facing(self.bodies.position_m[i], self.time_s)
    }

    fn contact(&self, i: u32, j: u32, free: &[DVec3]) -> (Touch, Contact) {
        let impulse_n_s = self.last_impulse(i, j);
        let ends = [i, j];
        let (i, j, b) = (i as usize, j as usize, &self.bodies);
        let (normal, gap, arm_i, arm_j) = match j.checked_sub(b.len()) {
            Some(wall) => {
                let (normal, height) = self.facing(i, wall);
                (normal, height - b.radius_m[i], -height * normal, DVec3::ZERO)
            }
            None => {
                let distance = b.position_m[i].distance(b.position_m[j]);
                let normal = (b.position_m[i] - b.position_m[j]) / distance;
                let gap = distance - b.radius_m[i] - b.radius_m[j];
                // Both arms together are the distance, so that impulses keep the angular momentum.
                (normal, gap, -(b.radius_m[i] + 0.5 * gap) * normal, (b.radius_m[j] + 0.5 * gap) * normal)
            }
        };
        let at = |v: &[DVec3], k: usize, arm: DVec3| v[k] + b.spin_rad_s[k].cross(arm);
        let wall = j.checked_sub(b.len()).map(|wall| self.of_wall(wall, i, arm_i));
        let other = [&b.velocity_m_s, free].map(|v| if wall.is_some() { DVec3::ZERO } else { at(v, j, arm_j) });
        let [before, free] = [at(&b.velocity_m_s, i, arm_i), at(free, i, arm_i)];
        let [before_j, free_j] = wall.unwrap_or(other);
        let [before, free] = [before - before_j, free - free_j];
        let law = self.law_of(i, j);
        let recovery = [self.recovery, self.recovery_max_m_s];
        let velocity = free + bias(gap, before.dot(normal), law.restitution, recovery, self.step_s) * normal;
        let cohesion = if gap <= law.cohesion_range_m { self.step_s * law.cohesion_n } else { 0.0 };
        let friction = law.friction;
        let [own, other] = ends;
        (
            Touch { i: own, j: other, gap_m: gap, normal, arm_i_m: arm_i, arm_j_m: arm_j, impulse_n_s },
            Contact { i, j, normal, arm_i, arm_j, velocity, friction, cohesion },
        )
    }

    /// Of the last step (N s); zero for a new contact.
    fn last_impulse(&self, i: u32, j: u32) -> DVec3 {
        let found = self.touches.binary_search_by_key(&(i, j), |t| (t.i, t.j));
        found.map_or(DVec3::ZERO, |k| self.touches[k].impulse_n_s)
    }
}

/// What is added to u_n, so that u_n + bias >= 0 keeps a contact open by `gap_m` from closing too far, takes an overlap back by
/// `recovery` (its part, and the most in m/s), and throws bodies that meet in this step apart with e times their speed
/// `before_m_s` the step.
pub fn bias(gap_m: f64, before_m_s: f64, restitution: f64, recovery: [f64; 2], step_s: f64) -> f64 {
    let rate = gap_m / step_s;
    let [part, most] = recovery;
    let keep_apart = if gap_m > 0.0 { rate } else { (part * rate).max(-most) };
    let thrown = restitution > 0.0 && before_m_s < 0.0 && rate + before_m_s < 0.0;
    if thrown { keep_apart.min(restitution * before_m_s) } else { keep_apart }
}
