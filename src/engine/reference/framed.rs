//! The reference engine in a turning frame: the same scheme in f64, with a free asteroid whose frame follows its books.

use crate::base::error::Result;
use crate::engine::saved::{value, values};
use crate::model::body::Bodies;
use crate::model::snapshot::FrameState;
use crate::physics::contacts::Moving;
use crate::physics::frame::coupling::Coupling;
use glam::DVec3;

/// Names in a checkpoint.
const BOOKS: &str = "frame_books";
const GIVEN: &str = "frame_given";

/// A body's changes of velocity (m/s) and spin (rad/s) in a step.
type Load = (DVec3, DVec3);

/// Number of a step, and the time step (s).
type Instant = (u64, f64);

/// Frame and asteroid, and what bodies took in the steps that are not booked.
#[derive(Debug, Clone)]
pub(crate) struct Framed {
    coupling: Coupling,
    /// impulse (N s) and torque impulse (N m s) of each step
    given: Vec<[DVec3; 2]>,
}

impl Framed {
    pub(crate) fn new(coupling: Coupling) -> Framed {
        Framed { coupling, given: vec![] }
    }

    /// Rotation of the frame in the last step before this one (rad/s).
    pub(crate) fn rotation_rad_s(&self, step: u64, dt: f64) -> DVec3 {
        self.coupling.last_turn(step).vector / dt
    }

    fn is_free(&self) -> bool {
        self.coupling.asteroid().is_some()
    }

    /// One step of all bodies.
    pub(crate) fn step(&mut self, (now, dt): Instant, bodies: &Bodies, moving: &mut [Moving], loads: &[Load]) {
        if self.coupling.limit() <= now {
            let (first, interval) = (self.coupling.booked_steps(), self.coupling.interval as usize);
            self.coupling.book(|step| self.given[(step - first) as usize]);
            self.given.drain(..interval);
            self.coupling.extend();
        }
        let step = self.coupling.step(now);
        if self.is_free() {
            self.given.push(reaction(bodies, moving, loads, step.share));
        }
        for (m, (kick, turn)) in moving.iter_mut().zip(loads) {
            let way = step.way(m.velocity * dt, m.position, *kick * dt);
            let change = way / dt - m.velocity;
            m.velocity = way / dt;
            m.spin = step.spun(m.spin * dt, *turn * dt) / dt;
            m.position += way;
            m.velocity_now = m.velocity + 0.5 / step.share * change; // of a half kick all of it
            m.spin_now = m.spin + 0.5 * *turn;
        }
    }

    /// Velocity of a body at the instant (m/s).
    pub(crate) fn velocity_now(&self, (step, dt): Instant, m: &Moving, kick: DVec3) -> DVec3 {
        self.coupling.last_turn(step).velocity_now(m.velocity * dt, m.position, kick * dt) / dt
    }

    /// Frame and asteroid at the instant.
    pub(crate) fn state(&self, (step, dt): Instant, bodies: &Bodies, moving: &[Moving], loads: &[Load]) -> FrameState {
        let coupling = &self.coupling;
        let (origin_m, orientation) = coupling.pose(step);
        let first = coupling.booked_steps();
        let mut asteroid = coupling.asteroid_at(step, |s| self.given[(s - first) as usize]);
        if let Some(body) = asteroid.as_mut().filter(|_| step > 0) {
            let [impulse, torque] = reaction(bodies, moving, loads, 0.5).map(|v| orientation * v);
            body.step(impulse, torque, origin_m, 0.0);
        }
        let spin_rad_s = coupling.last_turn(step).vector / dt;
        FrameState { origin_m, orientation, velocity_m_s: coupling.last_velocity_m_s(step), spin_rad_s, asteroid }
    }

    /// The state as arrays of a checkpoint.
    pub(crate) fn saved(&self) -> [(String, Vec<u8>); 2] {
        let books = bytemuck::bytes_of(&self.coupling.books()).to_vec();
        [(BOOKS.into(), books), (GIVEN.into(), bytemuck::cast_slice(&self.given).to_vec())]
    }

    /// Takes the state from a checkpoint.
    pub(crate) fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        let (books, given) = (value(state, BOOKS)?, values(state, GIVEN, None)?);
        self.coupling.set_books(&books);
        self.given = given;
        Ok(())
    }
}

/// Impulse (N s) and torque impulse about the origin (N m s) that all bodies take in a `share` of a step.
fn reaction(bodies: &Bodies, moving: &[Moving], loads: &[Load], share: f64) -> [DVec3; 2] {
    let (mut impulse, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for (k, (kick, turn)) in loads.iter().enumerate() {
        let part = bodies.mass_kg[k] * share * *kick;
        impulse += part;
        torque += moving[k].position.cross(part) + bodies.sphere_moment_kg_m2(k) * share * *turn;
    }
    [impulse, torque]
}
