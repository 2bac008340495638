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

/// True if a wall was there in the last step before this instant, whose forces a snapshot has, or is there at the start.
pub(super) fn stood(s: &Snapshot, wall: &Wall) -> bool {
    s.step == 0 || wall.stands(s.step - 1, s.time_s / s.step as f64)
}

/// Where a wall is along its normal at this instant; not a number once it is gone.
pub(super) fn motion(s: &Snapshot, wall: &Wall, index: usize) -> WallMotion {
    if !stood(s, wall) {
        return WallMotion { travel_m: f64::NAN, speed_m_s: f64::NAN };
    }
    let speed_m_s = wall.velocity_m_s.dot(wall.normal);
    let typed = WallMotion { travel_m: speed_m_s * s.time_s, speed_m_s };
    s.wall_motion.get(index).copied().unwrap_or(typed)
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
