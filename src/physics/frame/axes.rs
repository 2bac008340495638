//! A frame that turns steadily, for contact dynamics. A step is one of inertial space, in the axes that the frame has
//! at the detection of contacts, and the axes turn between two steps. Only walls know of the frame within a step, since
//! they are at rest in it. Free bodies move in straight lines. Spins, orientations and angular momenta are those of
//! inertial space except for the rounding of the turn.

use super::step::Turn;
use crate::model::body::Bodies;
use crate::model::scenario::{Method, Scenario};
use crate::model::snapshot::{Added, FrameState, Snapshot};
use glam::{DMat3, DQuat, DVec3};

/// A turning frame of contact dynamics.
#[derive(Debug, Clone, Copy)]
pub struct Axes {
    /// (rad/s)
    pub rotation_rad_s: DVec3,
    /// (s)
    dt_s: f64,
    /// from an instant to its detection (s)
    ahead_s: f64,
}

impl Axes {
    /// The frame of a scenario at the time step `dt_s`; `None`: its method is another one, or nothing turns.
    pub fn of(scenario: &Scenario, dt_s: f64) -> Option<Axes> {
        let Method::ContactDynamics(settings) = &scenario.method else { return None };
        let rotation_rad_s = scenario.rotating_frame_rad_s().filter(|turning| *turning != DVec3::ZERO)?;
        Some(Axes { rotation_rad_s, dt_s, ahead_s: (1.0 - settings.theta) * dt_s })
    }

    /// Rotation of the frame in a step.
    pub fn step(&self) -> Turn {
        Turn::new(self.rotation_rad_s * self.dt_s)
    }

    /// Turns vectors in the axes of an instant into those in the axes of its detection.
    pub fn to_detection(&self) -> DQuat {
        DQuat::from_scaled_axis(-self.rotation_rad_s * self.ahead_s)
    }

    /// Bodies of the frame with velocities and spins of inertial space, in the same axes.
    pub fn in_inertial_space(&self, bodies: &Bodies) -> Bodies {
        let mut own = bodies.clone();
        for k in 0..own.len() {
            own.velocity_m_s[k] += self.rotation_rad_s.cross(own.position_m[k]);
            own.spin_rad_s[k] += self.rotation_rad_s;
        }
        own
    }

    /// Velocity (m/s) and spin (rad/s) relative to the frame of a body at `position_m`, all in the axes of the state.
    pub fn relative(&self, [velocity, spin]: [DVec3; 2], position_m: DVec3) -> [DVec3; 2] {
        [velocity - self.rotation_rad_s.cross(position_m), spin - self.rotation_rad_s]
    }

    /// What was added to bodies, from the axes of the state to those of the instant.
    pub fn shown(&self, added: &Added) -> Added {
        let q = self.to_detection().inverse();
        Added { momentum: q * added.momentum, angular: q * added.angular, energy_j: added.energy_j }
    }

    /// Brings a snapshot of an instant, in the axes of the detection and with velocities and spins of inertial space, into the
    /// frame.
    pub fn show(&self, snapshot: &mut Snapshot) {
        let q = self.to_detection().inverse();
        let b = &mut snapshot.bodies;
        for k in 0..b.len() {
            b.position_m[k] = q * b.position_m[k];
            let motion = [b.velocity_m_s[k], b.spin_rad_s[k]].map(|v| q * v);
            [b.velocity_m_s[k], b.spin_rad_s[k]] = self.relative(motion, b.position_m[k]);
        }
        if let Some(polyhedra) = &mut b.polyhedra {
            polyhedra.orientation.iter_mut().for_each(|orientation| *orientation = (q * *orientation).normalize());
        }
        snapshot.self_acceleration_m_s2.iter_mut().for_each(|a| *a = q * *a);
        snapshot.turn_contacts(q);
        snapshot.frame = Some(FrameState {
            origin_m: DVec3::ZERO,
            orientation: DQuat::from_scaled_axis(self.rotation_rad_s * snapshot.time_s),
            velocity_m_s: DVec3::ZERO,
            spin_rad_s: self.rotation_rad_s,
            asteroid: None,
        });
    }

    /// What a point that the frame carries does in the coming step, (E - 1) p, and did in the last, (1 - E^T) p (m).
    pub fn carried(&self, position_m: DVec3) -> [DVec3; 2] {
        let back: DMat3 = self.step().back();
        [back.transpose() * position_m, -(back * position_m)]
    }
}
