//! Walls as the GPU has them, and what it cannot hold.

use crate::base::error::{Error, Result};
use crate::base::units::{POSITION_BITS, Units};
use crate::engine::gpu::scales::MOTION_MAX;
use crate::engine::gpu::words::split;
use crate::gpu::layout::WALL_ROWS;
use crate::model::scenario::{ContactSolver, Scenario, Servo, Wall};
use glam::{DVec3, Vec3Swizzles};

/// Refuses walls too fast for the step, and those that the solver cannot move.
pub(crate) fn refuse(scenario: &Scenario, units: &Units) -> Result<()> {
    let (name, dt_s) = (&scenario.name, units.time_s);
    let sweeps = scenario.method.contact_dynamics().is_some_and(|c| c.solver == ContactSolver::GaussSeidel);
    let too_fast = |v: f64| v * dt_s / units.length_m > f64::from(MOTION_MAX);
    let fault = |wall: &Wall| {
        if wall.servo.is_some() && sweeps {
            Some(format!(
                "{name}: contact_dynamics.solver: \"gauss_seidel\" takes the contacts of a wall at once, so the wall `{}` cannot answer to force; use \"jacobi\" or \"auto\"",
                wall.name
            ))
        } else if too_fast(wall.velocity_m_s.abs().max_element()) {
            Some(format!(
                "{name}: wall `{}` moves at {:e} m/s, too far in one step of {dt_s} s; slow it down or lower `run.time_step_s`",
                wall.name,
                wall.velocity_m_s.length()
            ))
        } else if wall.servo.and_then(|s| s.speed_max_m_s).is_some_and(too_fast) {
            Some(format!(
                "{name}: wall `{}`: servo_speed_max_m_s is too far in one step of {dt_s} s; lower it or `run.time_step_s`",
                wall.name
            ))
        } else {
            None
        }
    };
    scenario.walls.iter().find_map(fault).map_or(Ok(()), |text| Err(Error::Usage(text)))
}

/// Rows of `plate_drive`; none if no wall answers to force.
pub(crate) fn drives(scenario: &Scenario, units: &Units) -> Vec<[f32; 4]> {
    let drive = |servo: &Servo| {
        let kick = servo.force_n / servo.mass_kg * units.acceleration();
        let speed = servo.speed_max_m_s.map_or(f32::MAX, |v| (v * units.time_s / units.length_m) as f32);
        [kick as f32, speed, 0.0, 0.0]
    };
    let walls = scenario.walls.iter().filter(|_| scenario.has_servo());
    walls.map(|w| w.servo.as_ref().map_or([0.0; 4], drive)).collect()
}

/// The rows of a wall.
pub(crate) fn rows(wall: &Wall, units: &Units, ahead_s: f64) -> [[u32; 4]; WALL_ROWS] {
    let (place, ahead) = (units.place(wall.point_m), units.way(wall.velocity_m_s * ahead_s));
    let point: [[u32; 2]; 3] = std::array::from_fn(|k| split(place[k].wrapping_add(ahead[k])));
    let (low, high) = (point.map(|w| w[0]), point.map(|w| w[1]));
    let displacement = wall.velocity_m_s.to_array().map(|v| units.displacement(v));
    let (velocity, window) = (displacement.map(split), displacement.map(|v| (v >> 21) as u32));
    let q30 = |v: DVec3| v.to_array().map(|c| (c * (1u32 << 30) as f64).round() as i32 as u32);
    let turned = |axis: DVec3| wall.block.map_or(DVec3::ZERO, |b| b.orientation * axis);
    let [normal, x, y] = [wall.normal.normalize(), turned(DVec3::X), turned(DVec3::Y)].map(q30);
    // Along the normal first: a block's own z axis.
    let half = wall.block.map_or(DVec3::ZERO, |b| b.half_size_m.zxy()).to_array().map(|h| split(units.position(h)));
    let removed = wall.removal_step(units.time_s).map_or(u32::MAX, |step| step.min(u64::from(u32::MAX)) as u32);
    [
        [low[0], low[1], low[2], wall.material as u32],
        [high[0], high[1], high[2], 0],
        [velocity[0][0], velocity[1][0], velocity[2][0], window[0]],
        [velocity[0][1], velocity[1][1], velocity[2][1], window[1]],
        [normal[0], normal[1], normal[2], window[2]],
        [x[0], x[1], x[2], removed],
        [y[0], y[1], y[2], wall.block.is_some().into()],
        [half[0][0], half[1][0], half[2][0], 0],
        [half[0][1], half[1][1], half[2][1], 0],
    ]
}

/// Makes all walls stand in a frame that turns, in rows as above.
pub(crate) fn carry(rows: &mut [[u32; 4]]) {
    rows.chunks_mut(WALL_ROWS).for_each(|wall| wall[7][3] = 1);
}

/// True of the rows of a block.
pub(crate) fn is_block(rows: &[[u32; 4]]) -> bool {
    rows[6][3] != 0
}

/// Height of a point over a wall (L) and the normal there, `offset` being its place less the wall's point (2^-38 L); of a
/// wall that no servo moves. Heights over faces are exact: places in 2^-38 L, axes in 2^-30.
pub(crate) fn facing(rows: &[[u32; 4]], offset: [i128; 3]) -> (f64, DVec3) {
    let axis = |a: usize| DVec3::from_array([0, 1, 2].map(|k| f64::from(rows[4 + a][k] as i32))) * (-30f64).exp2();
    let along = |a: usize| (0..3).map(|k| offset[k] * i128::from(rows[4 + a][k] as i32)).sum::<i128>();
    let length = |x: i128| x as f64 * (-f64::from(POSITION_BITS + 30)).exp2();
    if !is_block(rows) {
        return (length(along(0)), axis(0));
    }
    let half = |a: usize| i128::from(i64::from(rows[8][a] as i32) << 32 | i64::from(rows[7][a])) << 30;
    let beyond = [0, 1, 2].map(|a| length(along(a).abs() - half(a)));
    let out = DVec3::from_array(beyond).max(DVec3::ZERO);
    let side = |a: usize| if along(a) < 0 { -axis(a) } else { axis(a) };
    match (0..3).max_by(|a, b| beyond[*a].total_cmp(&beyond[*b])) {
        Some(a) if out == DVec3::ZERO || out.length() == out[a] => (beyond[a], side(a)),
        _ => {
            let height = out.length();
            (height, (0..3).map(|a| out[a] / height * side(a)).sum())
        }
    }
}
