//! What the bodies do to each wall, and how it moves.

use super::columns::{Column, Value, When};
use crate::model::scenario::{Scenario, Wall};
use crate::model::snapshot::{Snapshot, WallMotion};
use glam::DVec3;

/// The load on a wall and its motion.
#[derive(Clone, Copy)]
pub struct WallLoad {
    /// of the bodies (N)
    force_n: DVec3,
    /// about the wall's point (N m)
    torque_n_m: DVec3,
    motion: WallMotion,
}

/// Columns of each wall.
pub(super) const COLUMNS: &[Column] = &[
    Column {
        name: "wall.NAME.force_*_n",
        unit: "N",
        meaning: "force of the bodies on the wall",
        when: When::Always,
        value: Value::OfWallXyz(|m, k| m.walls[k].force_n),
    },
    Column {
        name: "wall.NAME.torque_*_n_m",
        unit: "N m",
        meaning: "its torque about the wall's `point_m`, which moves with a plate: a corner of a box, the middle of a block",
        when: When::Always,
        value: Value::OfWallXyz(|m, k| m.walls[k].torque_n_m),
    },
    Column {
        name: "wall.NAME.travel_m",
        unit: "m",
        meaning: "distance along the wall's normal since time 0, positive towards the bodies",
        when: When::WallMoves,
        value: Value::OfWall(|m, k| m.walls[k].motion.travel_m),
    },
    Column {
        name: "wall.NAME.speed_m_s",
        unit: "m/s",
        meaning: "speed along the wall's normal, positive towards the bodies",
        when: When::WallMoves,
        value: Value::OfWall(|m, k| m.walls[k].motion.speed_m_s),
    },
];

/// Where a wall is along its normal at this instant.
fn motion(s: &Snapshot, wall: &Wall, index: usize) -> WallMotion {
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
            torque_n_m -= (c.point_m(&s.bodies, wall.normal) - point).cross(c.force_n);
        }
        WallLoad { force_n, torque_n_m, motion }
    };
    scenario.walls.iter().enumerate().map(load).collect()
}
