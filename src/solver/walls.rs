//! Walls as the GPU has them, and what it cannot hold.

use super::prepare::{MOTION_MAX, low_high, split};
use crate::error::{Error, Result};
use crate::scenario::model::{ContactSolver, Scenario, Servo, Wall};
use crate::units::Units;

/// Refuses walls too fast for the step, and those that the solver cannot move.
pub(super) fn refuse(scenario: &Scenario, units: &Units) -> Result<()> {
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
pub(super) fn drives(scenario: &Scenario, units: &Units) -> Vec<[f32; 4]> {
    let drive = |servo: &Servo| {
        let kick = servo.force_n / servo.mass_kg * units.acceleration();
        let speed = servo.speed_max_m_s.map_or(f32::MAX, |v| (v * units.time_s / units.length_m) as f32);
        [kick as f32, speed, 0.0, 0.0]
    };
    let walls = scenario.walls.iter().filter(|_| scenario.has_servo());
    walls.map(|w| w.servo.as_ref().map_or([0.0; 4], drive)).collect()
}

/// Five rows of `wall_plane`.
pub(crate) fn rows(wall: &Wall, units: &Units, ahead_s: f64) -> [[u32; 4]; 5] {
    let (low, high) = low_high(units, wall.point_m + wall.velocity_m_s * ahead_s);
    let displacement = wall.velocity_m_s.to_array().map(|v| units.displacement(v));
    let (velocity, window) = (displacement.map(split), displacement.map(|v| (v >> 21) as u32));
    let normal = wall.normal.normalize().to_array().map(|c| (c * (1u32 << 30) as f64).round() as i32 as u32);
    [
        [low[0], low[1], low[2], wall.material as u32],
        [high[0], high[1], high[2], 0],
        [velocity[0][0], velocity[1][0], velocity[2][0], window[0]],
        [velocity[0][1], velocity[1][1], velocity[2][1], window[1]],
        [normal[0], normal[1], normal[2], window[2]],
    ]
}
