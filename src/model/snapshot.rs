//! The state of a run at one instant as an engine hands it out: SI, f64, in order of body id.

use super::body::Bodies;
use super::deferred::Deferred;
use super::free_asteroid::Asteroid;
use crate::geometry::narrow::manifold::Kind;
use crate::geometry::touching::TOUCH_TOLERANCE;
use glam::{DMat3, DQuat, DVec3};
use std::borrow::Cow;

/// One instant. All arrays that run over bodies are in order of id and as long as `bodies`.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// steps done
    pub step: u64,
    /// simulated time (s)
    pub time_s: f64,
    /// velocities are those of this instant, not of the half step
    pub bodies: Bodies,
    /// self-gravity potential at each body (J/kg); empty without self-gravity
    pub self_potential_j_kg: Vec<f64>,
    /// self-gravity acceleration at each body (m/s2); empty without self-gravity
    pub self_acceleration_m_s2: Vec<DVec3>,
    /// potential of the asteroid at each body (J/kg); empty unless one attracts
    pub asteroid_potential_j_kg: Deferred,
    /// net force of the tree's field over the sum of the forces, before it was taken out; 0 without a tree
    pub tree_net_force: f64,
    /// G m of the central source as the engine holds it (f32 on a GPU, 6e-8 from the typed one) (m3/s2)
    pub central_gm_m3_s2: Option<f64>,
    /// pairs that carry force, or at step 0 touch, sorted by (i, j), i < j: indices into the arrays
    pub contacts: Vec<Contact>,
    /// bodies touching walls, sorted by (body, wall)
    pub wall_contacts: Vec<WallContact>,
    /// energy lost since the start, by channel
    pub dissipated: Dissipated,
    /// work done on the bodies by moving walls since the start (J)
    pub wall_work_j: f64,
    /// where walls are, in a run in which some answer to force; else empty, they move as the scenario says
    pub wall_motion: Vec<WallMotion>,
    /// unit normals of the walls, towards the bodies; empty as an engine hands it out, a run sets them for its frames
    pub wall_normals: Vec<DVec3>,
    /// the frame that all this is in, if it is not inertial space
    pub frame: Option<FrameState>,
    /// how the contacts of the steps since the last row were solved; `None` for soft spheres
    pub solved: Option<Solved>,
}

/// A frame that turns and moves, and the free asteroid that it is fixed to.
#[derive(Debug, Clone, Copy)]
pub struct FrameState {
    /// where its origin is in inertial space (m)
    pub origin_m: DVec3,
    /// turns its axes into those of inertial space
    pub orientation: DQuat,
    /// of the origin, in inertial axes (m/s)
    pub velocity_m_s: DVec3,
    /// in the frame's own axes (rad/s)
    pub spin_rad_s: DVec3,
    /// with all that the bodies gave it up to this instant; `None`: the frame turns steadily
    pub asteroid: Option<Asteroid>,
}

impl FrameState {
    /// Where a point of the frame (m) is in inertial space (m).
    pub fn outside_m(&self, inside_m: DVec3) -> DVec3 {
        self.origin_m + self.orientation * inside_m
    }

    /// Where a point of inertial space (m) is in the frame (m).
    pub fn inside_m(&self, outside_m: DVec3) -> DVec3 {
        self.orientation.inverse() * (outside_m - self.origin_m)
    }
}

/// A wall along its normal, towards the bodies if positive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WallMotion {
    /// since time 0 (m)
    pub travel_m: f64,
    /// (m/s)
    pub speed_m_s: f64,
}

/// How contact dynamics solved its steps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved {
    /// steps with contacts
    pub steps: u32,
    /// iterations of all of them
    pub iterations: u64,
    /// iterations of the worst
    pub iterations_worst: u32,
    /// residual of the last step
    pub residual: f64,
    /// residual of the worst step
    pub residual_worst: f64,
    /// steps that ended at the limit of iterations, above the tolerance
    pub over_budget: u32,
    /// residual of the last step, judged in f64; `None`: it was not judged
    pub judged: Option<f64>,
}

impl Snapshot {
    /// The whole in inertial space, contacts too.
    pub fn in_inertial_space(&self) -> Snapshot {
        let mut s = Snapshot { bodies: self.inertial().into_owned(), ..self.clone() };
        let Some(frame) = s.frame.take() else { return s };
        s.turn_contacts(frame.orientation);
        s.self_acceleration_m_s2.iter_mut().for_each(|a| *a = frame.orientation * *a);
        let shift = |at: &mut Option<DVec3>| *at = at.map(|p| frame.origin_m + p);
        s.contacts.iter_mut().for_each(|c| shift(&mut c.at_m));
        s.wall_contacts.iter_mut().for_each(|c| shift(&mut c.at_m));
        s.wall_normals.iter_mut().for_each(|n| *n = frame.orientation * *n);
        s
    }

    /// Turns all vectors of the contacts about the origin.
    pub fn turn_contacts(&mut self, q: DQuat) {
        for c in &mut self.contacts {
            (c.normal, c.force_n, c.at_m) = (q * c.normal, q * c.force_n, c.at_m.map(|p| q * p));
            (c.torque_i_n_m, c.torque_j_n_m) = (q * c.torque_i_n_m, q * c.torque_j_n_m);
        }
        for c in &mut self.wall_contacts {
            (c.force_n, c.torque_n_m, c.at_m) = (q * c.force_n, q * c.torque_n_m, c.at_m.map(|p| q * p));
        }
    }

    /// The bodies in inertial space: positions, velocities, spins and orientations. No copy where they are in it already.
    pub fn inertial(&self) -> Cow<'_, Bodies> {
        let Some(frame) = self.frame else { return Cow::Borrowed(&self.bodies) };
        let mut bodies = self.bodies.clone();
        let q = frame.orientation;
        for k in 0..bodies.len() {
            let (x, v) = (bodies.position_m[k], bodies.velocity_m_s[k]);
            bodies.position_m[k] = frame.outside_m(x);
            bodies.velocity_m_s[k] = frame.velocity_m_s + q * (v + frame.spin_rad_s.cross(x));
            bodies.spin_rad_s[k] = q * (bodies.spin_rad_s[k] + frame.spin_rad_s);
        }
        if let Some(polyhedra) = &mut bodies.polyhedra {
            polyhedra.orientation.iter_mut().for_each(|orientation| *orientation = (q * *orientation).normalize());
        }
        Cow::Owned(bodies)
    }

    /// The bodies as energies and momenta count them: in inertial space where the asteroid is free, else in the frame.
    pub fn balanced(&self) -> Cow<'_, Bodies> {
        let free = self.frame.is_some_and(|f| f.asteroid.is_some());
        if free { self.inertial() } else { Cow::Borrowed(&self.bodies) }
    }

    /// The bodies of these indices and their contacts with one another and with walls; fields and sums of the whole, as
    /// potentials and dissipated energies, are left out.
    pub fn part(&self, indices: &[usize]) -> Snapshot {
        let mut index_in_part = vec![None; self.bodies.len()];
        for (new, old) in indices.iter().enumerate() {
            index_in_part[*old] = Some(new as u32);
        }
        let new = |old: u32| index_in_part[old as usize];
        let contact = |c: &Contact| Some(Contact { i: new(c.i)?, j: new(c.j)?, ..*c });
        let wall_contact = |c: &WallContact| Some(WallContact { body: new(c.body)?, ..*c });
        Snapshot {
            step: self.step,
            time_s: self.time_s,
            bodies: self.bodies.select(indices),
            contacts: self.contacts.iter().filter_map(contact).collect(),
            wall_contacts: self.wall_contacts.iter().filter_map(wall_contact).collect(),
            wall_normals: self.wall_normals.clone(),
            frame: self.frame,
            ..Snapshot::default()
        }
    }
}

/// A touching pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contact {
    /// index of the first body
    pub i: u32,
    /// index of the second body
    pub j: u32,
    /// of this instant (m); of contact dynamics minus the gap, which attraction may bridge
    pub overlap_m: f64,
    /// from i to j
    pub normal: DVec3,
    /// force on i in the last step; on j it is the opposite (N)
    pub force_n: DVec3,
    /// where it acts (m); `None`: spheres, on the line of their centres
    pub at_m: Option<DVec3>,
    /// torque on i about its centre (N m)
    pub torque_i_n_m: DVec3,
    /// torque on j about its centre (N m)
    pub torque_j_n_m: DVec3,
    /// energy stored in the normal, sliding, rolling and twisting springs, less that of cohesion (J)
    pub elastic_j: f64,
    /// what touches what: the same of all points of a pair of parts
    pub kind: Kind,
}

impl Contact {
    /// The surfaces touch: the gap is at most [`TOUCH_TOLERANCE`] of the smaller radius. Cohesion with a range, and a
    /// body that closes within a step of contact dynamics, act across wider ones.
    pub fn touches(&self, bodies: &Bodies) -> bool {
        let [a, b] = [self.i, self.j].map(|k| bodies.radius_m[k as usize]);
        self.overlap_m >= -TOUCH_TOLERANCE * a.min(b)
    }

    /// Normal force, compression positive (N).
    pub fn normal_force_n(&self) -> f64 {
        -self.force_n.dot(self.normal)
    }

    /// Tangential force on i (N).
    pub fn tangential_force_n(&self) -> DVec3 {
        self.force_n - self.force_n.dot(self.normal) * self.normal
    }

    /// Middle between the two surfaces (m).
    pub fn point_m(&self, bodies: &Bodies) -> DVec3 {
        let i = self.i as usize;
        let between = || bodies.position_m[i] + self.normal * (bodies.radius_m[i] - 0.5 * self.overlap_m);
        self.at_m.unwrap_or_else(between)
    }
}

/// A body touching a wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallContact {
    /// index of the body
    pub body: u32,
    /// index of the wall in the scenario
    pub wall: u32,
    /// (m), positive
    pub overlap_m: f64,
    /// force on the body (N)
    pub force_n: DVec3,
    /// where it acts (m); `None`: a sphere, below its centre
    pub at_m: Option<DVec3>,
    /// torque on the body about its centre (N m)
    pub torque_n_m: DVec3,
    /// energy stored in the springs (J)
    pub elastic_j: f64,
}

impl WallContact {
    /// Whether a body and a wall touch.
    pub fn touches(&self, bodies: &Bodies) -> bool {
        self.overlap_m >= -TOUCH_TOLERANCE * bodies.radius_m[self.body as usize]
    }

    /// Point of contact on the wall (m); `normal`: the wall's, towards the bodies.
    pub fn point_m(&self, bodies: &Bodies, normal: DVec3) -> DVec3 {
        let k = self.body as usize;
        let below = || bodies.position_m[k] - normal * (bodies.radius_m[k] - self.overlap_m);
        self.at_m.unwrap_or_else(below)
    }
}

/// Energy lost since the start (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dissipated {
    /// normal dashpot
    pub normal_j: f64,
    /// sliding
    pub sliding_j: f64,
    /// rolling
    pub rolling_j: f64,
    /// twisting
    pub twisting_j: f64,
}

/// What something outside gave the bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Added {
    /// (kg m/s)
    pub momentum: DVec3,
    /// about the common mass centre (kg m2/s)
    pub angular: DVec3,
    /// (J)
    pub energy_j: f64,
}

impl Added {
    /// Counts a body of `mass_kg` and `inertia_kg_m2` at `arm_m` from the mass centre, of this velocity (m/s) and spin
    /// (rad/s), to which the rigid rotation `rad_s` is added; the change of its velocity (m/s).
    pub fn rotate(
        &mut self,
        rad_s: DVec3,
        arm_m: DVec3,
        mass_kg: f64,
        inertia_kg_m2: DMat3,
        [velocity, spin]: [DVec3; 2],
    ) -> DVec3 {
        let (change, turn) = (rad_s.cross(arm_m), inertia_kg_m2 * rad_s);
        self.momentum += mass_kg * change;
        self.angular += mass_kg * arm_m.cross(change) + turn;
        self.energy_j += mass_kg * change.dot(velocity + 0.5 * change) + turn.dot(spin + 0.5 * rad_s);
        change
    }
}
