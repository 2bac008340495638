//! The contact problem of bodies: world frame, SI or any consistent units.

use super::{Delassus, Diagonal, Law};
use crate::base::eigen::outer;
use crate::base::error::{Error, Result};
use crate::physics::frame::step::cross_matrix;
use glam::{DMat3, DVec3};

/// A rigid body, or a wall: one that no impulse moves.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// (1/kg), zero for walls
    pub inverse_mass: f64,
    /// world frame (1/(kg m2)), zero for walls and for bodies that do not turn
    pub inverse_inertia: DMat3,
    /// unit; the body moves along this alone, as a plate does that answers to force. `None`: any way
    pub along: Option<DVec3>,
}

impl Body {
    /// What no impulse moves.
    pub const WALL: Body = Body { inverse_mass: 0.0, inverse_inertia: DMat3::ZERO, along: None };

    /// A homogeneous sphere: mass (kg), radius (m).
    pub fn sphere(mass_kg: f64, radius_m: f64) -> Body {
        let inverse_inertia = DMat3::from_diagonal(DVec3::splat(2.5 / (mass_kg * radius_m * radius_m)));
        Body { inverse_mass: 1.0 / mass_kg, inverse_inertia, along: None }
    }

    /// Velocity that an impulse gives (1/kg).
    pub fn mobility(&self) -> DMat3 {
        self.inverse_mass * self.ways()
    }

    /// Projects on the ways that it can move.
    pub fn ways(&self) -> DMat3 {
        self.along.map_or(DMat3::IDENTITY, |d| outer(d, d))
    }

    /// True of walls.
    pub fn is_fixed(&self) -> bool {
        self.inverse_mass == 0.0 && self.inverse_inertia == DMat3::ZERO
    }
}

/// A contact point between bodies i and j.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// index of a body
    pub i: usize,
    /// index of another body
    pub j: usize,
    /// unit, from j to i
    pub normal: DVec3,
    /// from the centre of i to the contact point (m)
    pub arm_i: DVec3,
    /// from the centre of j to the contact point (m)
    pub arm_j: DVec3,
    /// b: free velocity of i against j at the point, plus bias along the normal: gap / h, stabilisation, restitution
    /// (m/s)
    pub velocity: DVec3,
    /// mu
    pub friction: f64,
    /// r_0: the impulse that holds the contact together (N s); the reaction lasts down to -r_0
    pub cohesion: f64,
}

/// Velocity and spin, or their increments.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Motion {
    /// of the centre of mass (m/s)
    pub velocity: DVec3,
    /// (rad/s)
    pub spin: DVec3,
}

/// Contacts of bodies in one step. u = b + (dv_i + dw_i x arm_i) - (dv_j + dw_j x arm_j), where impulse p acts on i and
/// -p on j (Sanchez et al. 2021, eq. 6-7).
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// bodies and walls
    pub bodies: Vec<Body>,
    /// order matters to sequential solvers only
    pub contacts: Vec<Contact>,
}

impl Problem {
    /// Refuses what no solver can make sense of; the text names every contact or body and what is wrong with it.
    pub fn check(&self) -> Result<()> {
        let bodies = self.bodies.iter().enumerate().filter_map(|(k, b)| Some((format!("body {k}"), fault_of_body(b)?)));
        let contacts =
            (0..self.contacts.len()).filter_map(|c| Some((format!("contact {c}"), self.fault_of_contact(c)?)));
        let faults: Vec<String> = bodies.chain(contacts).map(|(name, fault)| format!("{name}: {fault}")).collect();
        if faults.is_empty() { Ok(()) } else { Err(Error::Data(faults.join("\n"))) }
    }

    fn fault_of_contact(&self, c: usize) -> Option<String> {
        let contact = &self.contacts[c];
        let (i, j, count) = (contact.i, contact.j, self.bodies.len());
        if i >= count || j >= count || i == j {
            return Some(format!("bodies {i} and {j} must be two, and below the number of bodies, {count}"));
        }
        let finite = [contact.arm_i, contact.arm_j, contact.velocity].iter().all(|v| v.is_finite());
        if !finite || !contact.normal.is_finite() || (contact.normal.length() - 1.0).abs() > 1e-9 {
            return Some("arms and velocity must be finite, and the normal of length 1".into());
        }
        let bad = |v: f64| !v.is_finite() || v < 0.0;
        if bad(contact.friction) || bad(contact.cohesion) {
            let (friction, cohesion) = (contact.friction, contact.cohesion);
            return Some(format!("friction {friction} and cohesion {cohesion} must be finite and not negative"));
        }
        let d = Diagonal::of(self.diagonal_block(c), contact.normal);
        let stuck = !(d.normal > 0.0 && d.tangent > 0.0);
        stuck.then(|| format!("no impulse moves body {i} or body {j}; leave contacts between walls out"))
    }

    /// Increments of all bodies by the impulses of all contacts (N s).
    pub fn apply(&self, impulses: &[DVec3]) -> Vec<Motion> {
        let mut motions = vec![Motion::default(); self.bodies.len()];
        for (c, p) in impulses.iter().enumerate() {
            self.add(&mut motions, c, *p);
        }
        motions
    }

    /// Both ends of a contact: body, arm (m), and the sign of its impulse and velocity.
    pub fn ends(&self, c: usize) -> [(usize, DVec3, f64); 2] {
        let contact = &self.contacts[c];
        [(contact.i, contact.arm_i, 1.0), (contact.j, contact.arm_j, -1.0)]
    }

    /// What the body at one end adds to the diagonal block of a contact (1/kg): M_b^-1 seen at the contact point.
    pub fn block_of_body(&self, body: usize, arm: DVec3) -> DMat3 {
        let b = &self.bodies[body];
        let cross = cross_matrix(arm);
        b.mobility() - cross * b.inverse_inertia * cross
    }
}

impl Delassus for Problem {
    /// Increments of the bodies.
    type State = Vec<Motion>;

    fn count(&self) -> usize {
        self.contacts.len()
    }

    fn law(&self, c: usize) -> Law {
        let Contact { normal, friction, cohesion, .. } = self.contacts[c];
        Law { normal, friction, cohesion }
    }

    fn free_velocity(&self, c: usize) -> DVec3 {
        self.contacts[c].velocity
    }

    fn diagonal_block(&self, c: usize) -> DMat3 {
        let [i, j] = self.ends(c).map(|(body, arm, _)| self.block_of_body(body, arm));
        i + j
    }

    fn state(&self, impulses: &[DVec3]) -> Vec<Motion> {
        self.apply(impulses)
    }

    fn velocity(&self, state: &Vec<Motion>, c: usize) -> DVec3 {
        let at = |(body, arm, sign): (usize, DVec3, f64)| sign * (state[body].velocity + state[body].spin.cross(arm));
        let [i, j] = self.ends(c).map(at);
        self.free_velocity(c) + i + j
    }

    fn add(&self, state: &mut Vec<Motion>, c: usize, change: DVec3) {
        for (body, arm, sign) in self.ends(c) {
            let (b, motion) = (&self.bodies[body], &mut state[body]);
            motion.velocity += sign * (b.mobility() * change);
            motion.spin += sign * (b.inverse_inertia * arm.cross(change));
        }
    }
}

fn fault_of_body(b: &Body) -> Option<String> {
    let m = b.inverse_inertia;
    let size = m.to_cols_array().iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    let lopsided = (m - m.transpose()).to_cols_array().iter().any(|v| v.abs() > 1e-9 * size);
    let negative = b.inverse_mass < 0.0 || [m.x_axis.x, m.y_axis.y, m.z_axis.z].iter().any(|v| *v < 0.0);
    (!b.inverse_mass.is_finite() || !m.is_finite() || lopsided || negative).then(|| {
        "inverse mass and inertia must be finite, not negative, and the inertia symmetric; give zero for a wall".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> Problem {
        let contact = Contact {
            i: 0,
            j: 1,
            normal: DVec3::X,
            arm_i: -DVec3::X,
            arm_j: DVec3::X,
            velocity: -DVec3::X,
            friction: 0.5,
            cohesion: 0.0,
        };
        Problem { bodies: vec![Body::sphere(2.0, 1.0), Body::WALL], contacts: vec![contact] }
    }

    #[test]
    fn faults_are_named() {
        assert!(pair().check().is_ok());
        type Damage = fn(&mut Problem);
        let cases: [(Damage, &str); 8] = [
            (|p| p.contacts[0].j = 2, "contact 0: bodies 0 and 2"),
            (|p| p.contacts[0].j = 0, "contact 0: bodies 0 and 0"),
            (|p| p.contacts[0].normal *= 1.01, "contact 0: arms"),
            (|p| p.contacts[0].velocity.y = f64::NAN, "contact 0: arms"),
            (|p| p.contacts[0].friction = -0.1, "contact 0: friction -0.1"),
            (|p| p.bodies[0] = Body::WALL, "contact 0: no impulse moves"),
            (|p| p.bodies[0].inverse_mass = -1.0, "body 0: inverse mass"),
            (|p| p.bodies[0].inverse_inertia.x_axis.y = 0.1, "body 0: inverse mass"),
        ];
        for (damage, expected) in cases {
            let mut p = pair();
            damage(&mut p);
            let text = p.check().unwrap_err().to_string();
            assert!(text.starts_with(expected), "{text}");
        }
    }

    /// The diagonal block is what an impulse at the contact changes of its velocity.
    #[test]
    fn blocks_are_responses() {
        let mut p = pair();
        let m = DMat3::from_cols(DVec3::new(4.0, 2.0, -1.0), DVec3::new(2.0, 5.0, 0.5), DVec3::new(-1.0, 0.5, 3.0));
        p.bodies[1] = Body { inverse_mass: 0.3, inverse_inertia: m, along: Some(DVec3::new(0.6, 0.0, 0.8)) };
        p.contacts[0].arm_j = DVec3::new(0.4, -0.3, 0.7);
        for impulse in [DVec3::X, DVec3::Y, DVec3::new(0.3, -2.0, 1.0)] {
            let response = p.velocities(&[impulse])[0] - p.free_velocity(0);
            assert!((response - p.diagonal_block(0) * impulse).length() < 1e-14);
        }
        // By hand: a sphere of 2 kg and 1 m has (1/2, 1/2 + 5/4) along and across the normal.
        let own = p.block_of_body(0, -DVec3::X);
        assert_eq!(own, DMat3::from_diagonal(DVec3::new(0.5, 1.75, 1.75)));
    }
}
