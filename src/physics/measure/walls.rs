//! What the bodies do to each wall, and how it moves.

use crate::model::scenario::{Scenario, Wall};
use crate::model::snapshot::{Snapshot, WallMotion};
use glam::DVec3;

/// The load on a wall and its motion.
#[derive(Clone, Copy)]
pub struct WallLoad {
    /// of the bodies (N)
    pub(super) force_n: DVec3,
    /// about the wall's point (N m)
    pub(super) torque_n_m: DVec3,
    pub(super) motion: WallMotion,
}

/// The instant (s) at which a wall was taken away, if that was before the last step, whose forces a snapshot has.
pub(super) fn gone_s(s: &Snapshot, wall: &Wall) -> Option<f64> {
    let step_s = if s.step > 0 { s.time_s / s.step as f64 } else { return None };
    wall.removal_step(step_s).filter(|removed| *removed < s.step).map(|removed| removed as f64 * step_s)
}

/// Where a wall is along its normal at this instant; one that is gone stays where it was, as those that answer to force do.
pub(super) fn motion(s: &Snapshot, wall: &Wall, index: usize) -> WallMotion {
    s.wall_motion.get(index).copied().unwrap_or_else(|| typed_motion(s, wall))
}

/// The same of a wall that no force moves.
pub fn typed_motion(s: &Snapshot, wall: &Wall) -> WallMotion {
    let speed_m_s = wall.velocity_m_s.dot(wall.normal);
    match gone_s(s, wall) {
        None => WallMotion { travel_m: speed_m_s * s.time_s, speed_m_s },
        Some(end_s) => WallMotion { travel_m: speed_m_s * end_s, speed_m_s: 0.0 },
    }
}

/// Measures all walls of the scenario, in its order.
pub(super) fn measure(s: &Snapshot, scenario: &Scenario) -> Vec<WallLoad> {
    let load = |(index, wall): (usize, &Wall)| {
        let motion = motion(s, wall, index);
        let servo = if wall.servo.is_some() { motion.travel_m * wall.normal } else { DVec3::ZERO };
        let point = wall.point_m + wall.velocity_m_s * s.time_s + servo;
        let (mut force_n, mut torque_n_m) = (DVec3::ZERO, DVec3::ZERO);
        for c in s.wall_contacts.iter().filter(|c| c.wall as usize == index) {
            force_n -= c.force_n;
            // the torque about the body's centre has the lever of the force from there
            torque_n_m -= (s.bodies.position_m[c.body as usize] - point).cross(c.force_n) + c.torque_n_m;
        }
        WallLoad { force_n, torque_n_m, motion }
    };
    scenario.walls.iter().enumerate().map(load).collect()
}
