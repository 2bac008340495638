//! The frame that bodies live in, and the asteroid that it is fixed to: intervals of steps in which the frame turns and moves
//! steadily, and the books of what bodies and asteroid give each other.
//!
//! What bodies get in interval i changes the frame from interval i + 2 on, so that a GPU works on i + 1 while the host
//! books i. Each impulse is booked once, at the position and orientation that the frame had at its step.

use super::step::{FrameStep, Turn};
use crate::model::free_asteroid::{Asteroid, Motion};
use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};

/// Intervals of which the frame is held: those before and after the one that runs among them.
pub const LEGS: u64 = 4;

/// An interval of steady motion.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
struct Leg {
    /// at its first step, body to inertial
    orientation: DQuat,
    /// of the frame at its first step (m)
    origin_m: DVec3,
    /// of the origin (m per step)
    velocity: DVec3,
    /// change of it at the first step, in the frame's axes (m per step)
    jump: DVec3,
    /// in the frame's axes (rad per step)
    turn: DVec3,
}

/// What goes into a checkpoint.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Books {
    legs: [Leg; LEGS as usize],
    motion: Motion,
    /// intervals that have a leg
    known: u64,
    /// intervals whose impulses the asteroid has
    booked: u64,
}

/// Frame, asteroid and books.
#[derive(Debug, Clone)]
pub struct Coupling {
    /// (s)
    pub dt_s: f64,
    /// steps of an interval
    pub interval: u64,
    /// what the frame's velocity is a whole multiple of (m per step); 0: any
    grain: f64,
    /// of the frame at the instant 0 (rad per step)
    rate: DVec3,
    /// `None`: the frame turns steadily for ever
    asteroid: Option<Asteroid>,
    legs: [Leg; LEGS as usize],
    known: u64,
    booked: u64,
}

impl Coupling {
    /// A frame that turns with `rotation_rad_s` about its origin, for ever.
    pub fn steady(rotation_rad_s: DVec3, dt_s: f64) -> Coupling {
        let rate = rotation_rad_s * dt_s;
        let leg = Leg { turn: rate, ..Leg::zeroed() };
        let leg = Leg { orientation: DQuat::IDENTITY, ..leg };
        let interval = u64::from(u32::MAX);
        Coupling { dt_s, interval, grain: 0.0, rate, asteroid: None, legs: [leg; LEGS as usize], known: 1, booked: 0 }
    }

    /// The frame of a free asteroid in intervals of `interval` steps.
    pub fn free(asteroid: Asteroid, interval: u64, dt_s: f64) -> Coupling {
        let (rate, legs) = (asteroid.spin_rad_s(DQuat::IDENTITY) * dt_s, [Leg::zeroed(); LEGS as usize]);
        let mut coupling =
            Coupling { dt_s, interval, grain: 0.0, rate, asteroid: Some(asteroid), legs, known: 0, booked: 0 };
        coupling.extend();
        coupling
    }

    /// Rounds velocities of the frame to whole multiples of `grain` (m per step), as bodies have them.
    pub fn with_grain(self, grain: f64) -> Coupling {
        Coupling { grain, ..self }
    }

    /// The asteroid, as far as it is booked.
    pub fn asteroid(&self) -> Option<&Asteroid> {
        self.asteroid.as_ref()
    }

    /// Steps before which the frame is known.
    pub fn limit(&self) -> u64 {
        self.asteroid.map_or(u64::MAX, |_| self.known * self.interval)
    }

    /// Steps whose impulses the asteroid has.
    pub fn booked_steps(&self) -> u64 {
        self.booked * self.interval
    }

    /// Intervals that have a frame.
    pub fn known(&self) -> u64 {
        self.known
    }

    fn leg(&self, interval: u64) -> &Leg {
        &self.legs[(interval % LEGS) as usize]
    }

    /// What `step` does besides kicks.
    pub fn step(&self, step: u64) -> FrameStep {
        let interval = step / self.interval;
        let leg = self.leg(interval);
        let now = Turn::new(leg.turn);
        match (interval, step % self.interval) {
            (0, 0) => FrameStep::first(self.rate, &now),
            (_, 0) => FrameStep::new(&Turn::new(self.leg(interval - 1).turn), &now, leg.jump),
            _ => FrameStep::new(&now, &now, DVec3::ZERO),
        }
    }

    /// Rotation of the frame in the step before the instant `step`; at the start that of the instant.
    pub fn last_turn(&self, step: u64) -> Turn {
        Turn::new(step.checked_sub(1).map_or(self.rate, |last| self.leg(last / self.interval).turn))
    }

    /// Velocity of the frame's origin in the step before the instant `step` (m/s).
    pub fn last_velocity_m_s(&self, step: u64) -> DVec3 {
        self.leg(step.saturating_sub(1) / self.interval).velocity / self.dt_s
    }

    /// Position of the origin (m) and orientation of the frame at the instant `step`, within the intervals held.
    pub fn pose(&self, step: u64) -> (DVec3, DQuat) {
        let interval = step.saturating_sub(1) / self.interval;
        let (leg, steps) = (self.leg(interval), (step - interval * self.interval) as f64);
        let turned = leg.orientation * DQuat::from_scaled_axis(leg.turn * steps);
        (leg.origin_m + leg.velocity * steps, turned.normalize())
    }

    /// Adds the leg of the next interval as long as what it needs is booked; the intervals added.
    pub fn extend(&mut self) -> std::ops::Range<u64> {
        let first = self.known;
        while self.asteroid.is_some() && self.known <= self.booked + 1 {
            self.add_leg();
        }
        first..self.known
    }

    fn add_leg(&mut self) {
        let Some(asteroid) = &self.asteroid else { return };
        let (start, before) = match self.known {
            0 => ((DVec3::ZERO, DQuat::IDENTITY), DVec3::ZERO),
            k => (self.pose(k * self.interval), self.leg(k - 1).velocity),
        };
        let (origin_m, orientation) = start;
        let steps = self.interval as f64;
        let turn = asteroid.turn_rad(orientation, steps * self.dt_s) / steps;
        let wanted = orientation.inverse() * (asteroid.velocity_m_s() * self.dt_s - before);
        let jump = if self.grain > 0.0 { (wanted / self.grain).round() * self.grain } else { wanted };
        let leg = Leg { orientation, origin_m, velocity: before + orientation * jump, jump, turn };
        self.legs[(self.known % LEGS) as usize] = leg;
        self.known += 1;
    }

    /// Books the next interval: for each step `given` holds the impulse (N s) and the torque impulse about the origin
    /// (N m s) that all bodies took, in the frame's axes.
    pub fn book(&mut self, given: impl Fn(u64) -> [DVec3; 2]) {
        let first = self.booked_steps();
        self.asteroid = self.after(first, first + self.interval, given);
        self.booked += 1;
    }

    /// The asteroid at the instant `step`, which has all impulses of the steps before; `given`: of those not booked.
    pub fn asteroid_at(&self, step: u64, given: impl Fn(u64) -> [DVec3; 2]) -> Option<Asteroid> {
        self.after(self.booked_steps(), step, given)
    }

    fn after(&self, from: u64, to: u64, given: impl Fn(u64) -> [DVec3; 2]) -> Option<Asteroid> {
        let mut asteroid = self.asteroid?;
        for step in from..to {
            let leg = self.leg(step / self.interval);
            let steps = (step % self.interval) as f64;
            let turned = leg.orientation * DQuat::from_scaled_axis(leg.turn * steps);
            let [impulse, torque] = given(step).map(|v| turned * v);
            asteroid.step(impulse, torque, leg.origin_m + leg.velocity * steps, self.dt_s);
        }
        Some(asteroid)
    }

    /// What a checkpoint keeps.
    pub fn books(&self) -> Books {
        let motion = self.asteroid.map_or(Motion::zeroed(), |a| a.motion);
        Books { legs: self.legs, motion, known: self.known, booked: self.booked }
    }

    /// Takes what a checkpoint kept.
    pub fn set_books(&mut self, books: &Books) {
        (self.legs, self.known, self.booked) = (books.legs, books.known, books.booked);
        if let Some(asteroid) = &mut self.asteroid {
            asteroid.motion = books.motion;
        }
    }
}
