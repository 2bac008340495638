//! What the GPU engines cannot hold.

use super::frame::Frame;
use super::prepare::{MOTION_MAX, radii, units};
use super::shapes;
use super::sources::{self_gravity, sources};
use super::walls;
use crate::body::Bodies;
use crate::error::{Error, Result};
use crate::scenario::model::{ContactSolver, Method, Scenario, SelfGravityMethod};
use crate::units::Units;

/// Radii that differ more than this would need finer windows.
const SIZE_RATIO_MAX: f64 = 100.0;
/// Bodies that a direct sum takes: software devices end every loop at 65,535 turns, and a sum makes 18 for 64 bodies.
pub const DIRECT_MAX: usize = 180_000;

/// Refuses what the GPU engine cannot hold, before anything is made for it.
pub fn refuse(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<()> {
    let n = bodies.len();
    if n == 0 {
        return Err(Error::Usage(format!("{}: no bodies; add a [[bodies]] table", scenario.name)));
    }
    if scenario.method == Method::SoftSphere && bodies.polyhedra.is_some() {
        return Err(Error::Usage(format!(
            "{}: bodies.shape: polyhedra need run.method = \"contact_dynamics\"; soft spheres have no shape",
            scenario.name
        )));
    }
    if let Some(polyhedra) = &bodies.polyhedra {
        let solver = scenario.method.contact_dynamics().map(|c| c.solver);
        if solver == Some(ContactSolver::GaussSeidel) {
            return Err(Error::Usage(format!(
                "{}: contact_dynamics.solver: \"gauss_seidel\" is for spheres, its sweeps are not sure to settle on the several points of a pair of polyhedra; use \"jacobi\" or \"auto\"",
                scenario.name
            )));
        }
        shapes::refuse(&scenario.name, polyhedra)?;
    }
    let [radius_min, radius_max] = radii(bodies);
    if radius_max > SIZE_RATIO_MAX * radius_min {
        let way_out = if bodies.polyhedra.is_some() { "make sizes more alike" } else { "use --engine reference" };
        return Err(Error::Usage(format!(
            "{}: radii from {radius_min} to {radius_max} m; the GPU engine takes ratios up to {SIZE_RATIO_MAX}, {way_out}",
            scenario.name
        )));
    }
    let units = units(scenario, bodies, dt_s);
    check_range(scenario, bodies, &units)?;
    walls::refuse(scenario, &units)?;
    if self_gravity(scenario, n) == Some(SelfGravityMethod::Direct) && n > DIRECT_MAX {
        return Err(Error::Usage(format!(
            "{}: self-gravity of {n} bodies; the direct sum takes {DIRECT_MAX}, use method = \"tree\"",
            scenario.name
        )));
    }
    sources(scenario).map(|_| ())
}

fn check_range(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Result<()> {
    let reach = bodies.position_m.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max) / units.length_m;
    if !reach.is_finite() || reach > 8.0e6 {
        return Err(Error::Usage(format!(
            "{}: a body lies {reach:.3e} cells from the origin; the GPU engine takes 8e6",
            scenario.name
        )));
    }
    check_speed(scenario, bodies, units)
}

/// As `watch_body` has it in every step: bodies that meet move alike but for what they have in inertial space.
fn check_speed(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Result<()> {
    let turn = Frame::of(scenario).rotation_rad_s(scenario);
    let limit_m_s = f64::from(MOTION_MAX) * units.length_m / units.time_s;
    let in_frame = if scenario.walls.is_empty() { f64::from(MOTION_MAX) } else { 0.5 };
    let speed = |k: usize| {
        let (x, v) = (bodies.position_m[k], bodies.velocity_m_s[k]);
        (v + turn.cross(x)).abs().max_element().max(in_frame * v.abs().max_element())
    };
    let speed = (0..bodies.len()).map(speed).fold(0.0, f64::max);
    if speed <= limit_m_s {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{}: a body moves at {speed} m/s, too far in one step of {} s; raise `speed_max_m_s` or lower `run.time_step_s`",
        scenario.name, units.time_s
    )))
}
