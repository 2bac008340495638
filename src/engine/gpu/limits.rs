//! What the GPU engines cannot hold.

use super::parts::gravity::{self_gravity, sources};
use super::parts::rigid;
use super::parts::{polyhedra, surface, walls};
use super::scales::{MOTION_MAX, REACH_MAX, radii, speed_max_m_s, units};
use crate::base::error::Result;
use crate::base::readable::{number, quantity};
use crate::base::units::{RADIUS_BITS, Units};
use crate::engine;
use crate::gpu::constants::{DIRECT_MAX, WALLS_MAX};
use crate::model::body::Bodies;
use crate::model::scenario::{ContactSolver, Method, Scenario, SelfGravityMethod};
use crate::physics::frame::Frame;
use crate::physics::frame::axes::Axes;
use crate::physics::gravity::asteroid_field::AsteroidField;
use crate::physics::surface::ground::Ground;
use glam::DVec3;
use std::collections::HashMap;

/// Radii that differ more than this would need finer windows.
const SIZE_RATIO_MAX: f64 = 100.0;

/// Radii may be rounded by this part of the smallest.
const ROUNDING_MAX: f64 = 1e-4;

/// Bodies whose contacts one workgroup solves: more would take longer than by dispatches, and more turns of loops than every
/// device grants.
pub const GROUP_BODIES_MAX: usize = 4096;

/// Refuses what the GPU engine cannot hold, before anything is made for it.
pub fn refuse(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<()> {
    engine::refuse(scenario, bodies)?;
    let n = bodies.len();
    if let Some(polyhedra) = &bodies.polyhedra {
        let solver = scenario.method.contact_dynamics().map(|c| c.solver);
        if solver.is_some_and(ContactSolver::sweeps) {
            let what = "Gauss-Seidel iterations may not converge on the several contact points of a pair of polyhedra";
            return Err(scenario.fault("contact_dynamics.solver", what, "use \"jacobi\" or \"auto\"").into());
        }
        polyhedra::refuse(scenario, polyhedra)?;
    }
    let one_group = scenario.method.contact_dynamics().is_some_and(|c| c.solver == ContactSolver::GaussSeidelOneGroup);
    if one_group && n > GROUP_BODIES_MAX {
        let what = format!("one workgroup solves the contacts of at most {GROUP_BODIES_MAX} bodies, not of {n}");
        return Err(scenario.fault("contact_dynamics.solver", what, "use \"gauss_seidel\" or \"auto\"").into());
    }
    let [radius_min, radius_max] = radii(bodies);
    if radius_max > SIZE_RATIO_MAX * radius_min {
        let remedy = if bodies.polyhedra.is_some() { "make the sizes more alike" } else { "use --engine reference" };
        let [least, most] = [radius_min, radius_max].map(number);
        let what = format!("radii from {least} to {most} m have a ratio above the {SIZE_RATIO_MAX} of the GPU engine");
        return Err(scenario.fault("bodies", what, remedy).into());
    }
    if scenario.walls.len() > WALLS_MAX {
        let what = format!("{} walls are more than the {WALLS_MAX} of the GPU engine", scenario.walls.len());
        return Err(scenario.fault("wall", what, "use fewer, or --engine reference").into());
    }
    let units = units(scenario, bodies, dt_s);
    check_range(scenario, bodies, &units)?;
    check_rounding(scenario, radius_min, &units)?;
    walls::refuse(scenario, &units)?;
    if self_gravity(scenario, n) == Some(SelfGravityMethod::Direct) && n > DIRECT_MAX {
        let what = format!("{n} bodies are more than the {DIRECT_MAX} of the direct sum");
        return Err(scenario.fault("gravity", what, "use method = \"tree\"").into());
    }
    sources(scenario).map(|_| ())
}

/// As [`refuse`], and what preparing a run refuses besides: all that stops a run before its first step on any device.
pub fn refuse_run(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<()> {
    refuse(scenario, bodies, dt_s)?;
    let units = units(scenario, bodies, dt_s);
    if scenario.method.contact_dynamics().is_some() {
        rigid::refuse_thin_skin(scenario, bodies)?;
    }
    if let Some(ground) = Ground::of(scenario)? {
        surface::refuse(scenario, &ground, &units, Frame::of(scenario).rotation_rad_s(scenario).length())?;
    }
    AsteroidField::of(scenario).map(|_| ())
}

/// Positions and sizes that the integers of the device cannot hold.
fn check_range(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Result<()> {
    let too_far = |reach_m: f64| Some(reach_m / units.length_m).filter(|l| !l.is_finite() || *l > REACH_MAX);
    let most = number(REACH_MAX);
    if let Some(cells) = too_far(bodies.position_m.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max)) {
        let what = format!("a body is {} cells from the origin, more than the {most} of the GPU engine", number(cells));
        return Err(scenario.fault("bodies", what, "move the bodies towards the origin").into());
    }
    for wall in &scenario.walls {
        let half = wall.block.map_or(0.0, |block| block.half_size_m.max_element());
        if let Some(cells) = too_far(wall.point_m.abs().max_element().max(half)) {
            let what =
                format!("reaches {} cells from the origin, more than the {most} of the GPU engine", number(cells));
            let remedy = "move it towards the bodies: the point of a plane may be any point of it";
            return Err(scenario.fault(&format!("wall.{}", wall.name), what, remedy).into());
        }
    }
    check_speed(scenario, bodies, units)
}

/// Radii are rounded to 2^-24 L, which grows with the speed that contact dynamics allows.
fn check_rounding(scenario: &Scenario, radius_min: f64, units: &Units) -> Result<()> {
    let rounding = 0.5 * units.length_m * (-f64::from(RADIUS_BITS)).exp2();
    if rounding <= ROUNDING_MAX * radius_min {
        return Ok(());
    }
    let what = format!(
        "radii would be rounded by up to {}, and the smallest is {}: a step of {} at the speed that is allowed is {} long",
        quantity(rounding, "m"),
        quantity(radius_min, "m"),
        quantity(units.time_s, "s"),
        quantity(speed_max_m_s(units) * units.time_s, "m"),
    );
    let remedy = "lower contact_dynamics.speed_max_m_s, the speeds at the start, or run.time_step_s";
    Err(scenario.fault("run.time_step_s", what, remedy).into())
}

/// Largest speed near other bodies, walls and surfaces (m/s).
pub fn speed_limit_m_s(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> f64 {
    speed_max_m_s(&units(scenario, bodies, dt_s))
}

/// As `watch_speed` has it in every step: bodies that meet move alike but for what they have in inertial space, and who meets
/// nobody may do what windows of positions hold.
fn check_speed(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Result<()> {
    let axes = Axes::of(scenario, units.time_s);
    let turn = axes.map_or_else(|| Frame::of(scenario).rotation_rad_s(scenario), |axes| axes.rotation_rad_s);
    let limit_m_s = speed_max_m_s(units);
    let in_frame = match axes {
        Some(_) => 0.0,
        None if scenario.walls.is_empty() => f64::from(MOTION_MAX),
        None => 0.5,
    };
    let frame = |k: &usize| in_frame * bodies.velocity_m_s[*k].abs().max_element();
    let inertial = |k: &usize| (bodies.velocity_m_s[*k] + turn.cross(bodies.position_m[*k])).abs().max_element();
    let roams = scenario.method == Method::SoftSphere && scenario.walls.is_empty();
    let ground = if roams { Ground::of(scenario)? } else { None };
    let mut fast = (0..bodies.len()).filter(|k| inertial(k).max(frame(k)) > limit_m_s).peekable();
    let cells = if roams && fast.peek().is_some() { crowd(bodies, units) } else { HashMap::new() };
    let free =
        |k: &usize| roams && frame(k) <= limit_m_s && alone(bodies.position_m[*k], &cells, ground.as_ref(), units);
    let speed = fast.filter(|k| !free(k)).map(|k| inertial(&k).max(frame(&k))).fold(0.0, f64::max);
    if speed <= limit_m_s {
        return Ok(());
    }
    let alone = [limit_m_s / f64::from(MOTION_MAX), ROOM_LEAST * units.length_m].map(number);
    let what = format!(
        "a body moves at {} m/s, too fast for a step of {}: the GPU engine takes {} m/s near other bodies, walls and surfaces{}",
        number(speed),
        quantity(units.time_s, "s"),
        number(limit_m_s),
        if roams {
            format!(", and {} m/s where these are more than {} m away", alone[0], alone[1])
        } else {
            String::new()
        },
    );
    let remedy = faster(scenario);
    Err(scenario.fault("bodies", what, remedy).into())
}

/// How a step can be made shorter, so that bodies may be faster.
pub(crate) fn faster(scenario: &Scenario) -> &'static str {
    match (&scenario.method, scenario.run.time_step_s) {
        (Method::SoftSphere, None) => {
            "raise speed_max_m_s or, where a material has none, its stiffness; or type a shorter run.time_step_s"
        }
        _ => "lower run.time_step_s",
    }
}

/// A body with nobody in its cell of this side (L) and in those around it has room (`wgsl/neighbours/measure_room.wgsl`).
const ROOM_LEAST: f64 = 4.0;

fn cell(position_m: DVec3, units: &Units) -> [i64; 3] {
    let side = ROOM_LEAST * units.length_m;
    (position_m / side).floor().to_array().map(|c| c as i64)
}

/// Bodies by cell.
fn crowd(bodies: &Bodies, units: &Units) -> HashMap<[i64; 3], u32> {
    let mut cells = HashMap::new();
    bodies.position_m.iter().for_each(|p| *cells.entry(cell(*p, units)).or_default() += 1);
    cells
}

/// Whether the cells around a body hold nobody else, and no surface is as near.
fn alone(position_m: DVec3, cells: &HashMap<[i64; 3], u32>, ground: Option<&Ground>, units: &Units) -> bool {
    let [x, y, z] = cell(position_m, units);
    let around = (0..27).map(|k| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]);
    let bodies: u32 = around.filter_map(|c| cells.get(&c)).sum();
    let side = ROOM_LEAST * units.length_m;
    bodies == 1 && ground.is_none_or(|g| g.tree.boxes.within(position_m, side).is_empty())
}
