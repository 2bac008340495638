//! Questions that need scenario and bodies together: time step against stiffness, overlap at the expected speed,
//! bodies that overlap from the start, memory and disk.

use crate::base::error::{Error, Result};
use crate::base::units::G;
use crate::engine::gpu::limits::speed_limit_m_s;
use crate::engine::gpu::parts::asteroid_field::expected_counts;
use crate::gpu::buffer_table::{Life, TABLE};
use crate::model::body::Bodies;
use crate::model::scenario::{Method, Scenario, Wall};
use crate::physics::laws::pairs::settled;
use crate::physics::laws::{self, Start};
use crate::physics::surface::facet::FADE;
use crate::physics::surface::ground::Ground;
use crate::physics::time_step::{TimeStep, time_step};
use crate::scenario::overlap::{is_apart, worst_overlap};
use crate::scenario::turning;
use serde::Serialize;

/// Largest time step, over the contact time or its equivalent, that still resolves a collision.
const STEP_MAX: f64 = 0.1;

/// Share of what is dissipated that the ledger may miss before `check` warns: the project's bar.
const LEDGER_ERROR_MAX: f64 = 0.01;
/// Radii that are taken (m), as sizes of polyhedra are.
const RADIUS_RANGE_M: std::ops::RangeInclusive<f64> = 1e-9..=1e12;

/// What a run will be.
#[derive(Debug, Serialize)]
pub struct Estimate {
    /// bodies
    pub bodies: usize,
    /// (kg)
    pub mass_kg: f64,
    /// time step and its reason
    pub time_step: TimeStep,
    /// steps
    pub steps: u64,
    /// largest overlap over radius when the largest body meets a fixed one at `speed_max_m_s`
    pub overlap_at_speed_max: Option<f64>,
    /// sqrt(3 pi / (32 G rho)) of the bodies' enclosing sphere (s)
    pub free_fall_s: f64,
    /// acceleration on a sphere of the bodies' mass and solid volume, the densest pile there can be (m/s2)
    pub surface_gravity_m_s2: f64,
    /// escape speed from that sphere (m/s)
    pub escape_speed_m_s: f64,
    /// largest speed that the GPU engine takes near other bodies, walls and surfaces (m/s)
    pub speed_limit_m_s: f64,
    /// GPU memory (bytes)
    pub gpu_bytes: u64,
    /// of it: buffers that never change, that go into a checkpoint, and scratch (bytes)
    pub gpu_bytes_by_life: [u64; 3],
    /// frames, series, checkpoints and copies of inputs (bytes)
    pub disk_bytes: u64,
    /// what a run will do worse than it might
    pub warnings: Vec<String>,
    /// files that the scenario names
    pub input_files: usize,
    /// all of them together (bytes)
    pub input_bytes: u64,
}

/// Estimates and refuses what cannot work; all faults in one error.
pub fn check(scenario: &Scenario, bodies: &Bodies) -> Result<Estimate> {
    let mut faults = vec![];
    if bodies.is_empty() {
        return Err(Error::Usage(format!("{}: the generators made no bodies", scenario.name)));
    }
    if let Some(k) = bodies.radius_m.iter().position(|r| !RADIUS_RANGE_M.contains(r)) {
        let (name, radius) = (&scenario.name, bodies.radius_m[k]);
        return Err(Error::Usage(format!(
            "{name}: body {k} has a radius of {radius:e} m; {:e} to {:e} m are taken; is the unit right?",
            RADIUS_RANGE_M.start(),
            RADIUS_RANGE_M.end()
        )));
    }
    let step = time_step(scenario, bodies);
    if let Some((scale_s, name)) = step.scale.as_ref().filter(|t| step.dt_s > STEP_MAX * t.0) {
        faults.push(format!(
            "run.time_step_s: {} s is {:.0} % of {name} {scale_s:.4e} s; at most {:.0} % resolves a collision, use \"auto\"",
            step.dt_s, 100.0 * step.dt_s / scale_s, 100.0 * STEP_MAX
        ));
    }
    faults.extend(law_faults(scenario, bodies));
    if !(step.dt_s.is_normal() && step.dt_s > 0.0) {
        faults.push(format!(
            "run.time_step_s: {} s is no usable time step; radii, densities or stiffness are out of any range",
            step.dt_s
        ));
    }
    let overlap = if is_apart(scenario) { None } else { worst_overlap(bodies, scenario.guards.overlap_max) };
    if let Some((i, j, ratio)) = overlap.filter(|o| o.2 > scenario.guards.overlap_max) {
        faults.push(format!("bodies {i} and {j} overlap by {ratio:.3} of the smaller radius at the start; move them apart or raise guards.overlap_max"));
    }
    faults.extend(scenario.walls.iter().filter_map(|wall| inside(wall, bodies, scenario.guards.overlap_max)));
    faults.extend(scenario.walls.iter().filter_map(|wall| removal_fault(wall, scenario.run.duration_s)));
    faults.extend(scenario.walls.iter().filter(|_| bodies.polyhedra.is_some()).filter_map(block_fault));
    faults.extend(spin_up_fault(scenario, step.dt_s));
    faults.extend(turning::fault(scenario, bodies, step.dt_s));
    faults.extend(cohesion_fault(scenario));
    let ground = Ground::of(scenario)?;
    faults.extend(ground.as_ref().and_then(|g| in_asteroid(g, bodies, scenario.guards.overlap_max)));
    if let Err(fault) = crate::physics::frame::coupling(scenario, step.dt_s) {
        faults.push(fault.to_string().replace(&format!("{}: ", scenario.name), ""));
    }
    let steps = (scenario.run.duration_s / step.dt_s).ceil();
    if steps >= f64::from(u32::MAX) {
        faults.push(format!("run.duration_s: {steps:.3e} steps are more than a run can count (4.29e9); shorten it or soften the contacts"));
    }
    if !faults.is_empty() {
        return Err(Error::Usage(
            faults.iter().map(|f| format!("{}: {f}", scenario.name)).collect::<Vec<_>>().join("\n"),
        ));
    }
    estimate(scenario, bodies, ground.as_ref(), step, steps as u64)
}

/// What the contact law finds wrong with these bodies.
fn law_faults(scenario: &Scenario, bodies: &Bodies) -> Vec<String> {
    if scenario.method != Method::SoftSphere {
        return vec![];
    }
    let materials = settled(scenario, bodies);
    let start = Start { materials: &materials, bodies, overlap_max: scenario.guards.overlap_max };
    laws::of(scenario.run.contact_law).start_faults(&start)
}

/// The fault of a body that starts inside the asteroid, or too deep in its surface: deeper than the guards of a run allow.
fn in_asteroid(ground: &Ground, bodies: &Bodies, overlap_max: f64) -> Option<String> {
    let depth = |k: usize| ground.depth(bodies.position_m[k], bodies.radius_m[k]) / bodies.radius_m[k];
    let inside = (0..bodies.len()).filter(|k| ground.holds(bodies.position_m[*k]));
    let (count, first) = inside.fold((0, None), |(n, first), k| (n + 1, first.or(Some(k))));
    if let Some(k) = first {
        return Some(format!(
            "{count} of {} bodies start inside the asteroid, body {k} at {} m first; move them outside its surface, whose mass centre is the origin",
            bodies.len(),
            bodies.position_m[k]
        ));
    }
    let deep = |k: &usize| depth(*k) > overlap_max.min(FADE);
    let k = (0..bodies.len()).max_by(|a, b| depth(*a).total_cmp(&depth(*b))).filter(deep)?;
    let way_out =
        if depth(k) > FADE { "half its radius is the most there can be" } else { "or raise guards.overlap_max" };
    Some(format!(
        "body {k} is in the asteroid's surface by {:.3} of its radius at the start; move it outwards, {way_out}",
        depth(k)
    ))
}

/// A wall whose removal the run does not reach.
fn removal_fault(wall: &Wall, duration_s: f64) -> Option<String> {
    let at_s = wall.removed_at_s.filter(|at_s| *at_s >= duration_s)?;
    let name = &wall.name;
    Some(format!(
        "wall `{name}`: removed_at_s: {at_s} s is not before the end of the run, run.duration_s = {duration_s}; lower it, or remove the key"
    ))
}

/// A block together with polyhedra, which take planes only.
fn block_fault(wall: &Wall) -> Option<String> {
    let name = &wall.name;
    wall.block.map(|_| {
        format!("wall `{name}`: kind = \"block\" is touched by spheres alone; take planes, or bodies without a shape")
    })
}

/// Rotations that would never be added, or more often than there are steps.
fn spin_up_fault(scenario: &Scenario, dt_s: f64) -> Option<String> {
    let spin = scenario.spin_up.as_ref()?;
    let (start_s, interval_s, duration_s) = (spin.start_s, spin.interval_s, scenario.run.duration_s);
    if start_s >= duration_s {
        return Some(format!(
            "spin_up.start_s: {start_s} s is not before the end of the run, run.duration_s = {duration_s}; lower it, or remove [spin_up]"
        ));
    }
    (interval_s < dt_s).then(|| {
        format!(
            "spin_up.interval_s: {interval_s} s is below the time step of {dt_s} s, between steps alone are rotations added; raise it, and increment_rad_s with it"
        )
    })
}

/// Cohesion that would never act.
fn cohesion_fault(scenario: &Scenario) -> Option<String> {
    let from_s = scenario.method.contact_dynamics()?.cohesion_from_s;
    let duration_s = scenario.run.duration_s;
    (from_s > 0.0 && from_s >= duration_s).then(|| {
        format!(
            "contact_dynamics.cohesion_from_s: {from_s} s is not before the end of the run, run.duration_s = {duration_s}; lower it, or remove it and the cohesion"
        )
    })
}

fn estimate(
    scenario: &Scenario,
    bodies: &Bodies,
    ground: Option<&Ground>,
    step: TimeStep,
    steps: u64,
) -> Result<Estimate> {
    let (n, dt_s) = (bodies.len() as u64, step.dt_s);
    let (materials, law) = (settled(scenario, bodies), laws::of(scenario.run.contact_law));
    let worst = (0..bodies.len()).filter_map(|k| {
        law.overlap_at_speed_max(&materials[bodies.material[k] as usize], bodies.mass_kg[k], bodies.radius_m[k])
    });
    let mass_kg: f64 = bodies.mass_kg.iter().sum();
    let centre = bodies.position_m.iter().zip(&bodies.mass_kg).map(|(p, m)| *p * *m).sum::<glam::DVec3>() / mass_kg;
    let reach =
        (0..bodies.len()).map(|k| bodies.position_m[k].distance(centre) + bodies.radius_m[k]).fold(0.0, f64::max);
    let density = mass_kg / (4.0 / 3.0 * std::f64::consts::PI * reach.powi(3));
    let warnings = ledger_warning(&step, law.time_step_fraction()).into_iter().collect();
    let counts = expected_counts(scenario, crate::engine::gpu::prepare::first_counts(scenario, bodies, ground))?;
    let solid = bodies.radius_m.iter().map(|r| r.powi(3)).sum::<f64>().cbrt();
    let bytes_of = |life: Life| TABLE.iter().filter(|s| s.life == life).map(|s| s.bytes(&counts)).sum();
    let gpu_bytes_by_life: [u64; 3] = [Life::Constant, Life::State, Life::Scratch].map(bytes_of);
    let (input_files, input_bytes) = crate::scenario::inputs::size(scenario)?;
    Ok(Estimate {
        bodies: bodies.len(),
        mass_kg,
        steps,
        time_step: step,
        overlap_at_speed_max: worst.max_by(f64::total_cmp),
        free_fall_s: (3.0 * std::f64::consts::PI / (32.0 * G * density)).sqrt(),
        surface_gravity_m_s2: G * mass_kg / (solid * solid),
        escape_speed_m_s: (2.0 * G * mass_kg / solid).sqrt(),
        speed_limit_m_s: speed_limit_m_s(scenario, bodies, dt_s),
        gpu_bytes: gpu_bytes_by_life.iter().sum(),
        gpu_bytes_by_life,
        disk_bytes: (scenario.output.frames as u64 + 1) * n * frame_bytes(scenario, bodies)
            + (scenario.output.series_rows as u64 + 1) * 1000
            + 2 * 1400 * n
            + input_bytes,
        warnings,
        input_files,
        input_bytes,
    })
}

/// A typed step so long for the dashpots that the ledger will not close.
fn ledger_warning(step: &TimeStep, fraction: f64) -> Option<String> {
    let error = Some(step.ledger_error()).filter(|e| *e > LEDGER_ERROR_MAX)?;
    Some(format!(
        "run.time_step_fraction: the time step, {} s, is {:.2} of the damping time m/C_N of the pair that sets the step; the energy ledger will miss about {:.1} % of what collisions dissipate: use \"auto\", a time_step_fraction of {fraction}, or a larger restitution_normal",
        step.dt_s,
        step.damping_time_s.map_or(0.0, |time_s| step.dt_s / time_s),
        100.0 * error
    ))
}

/// Bytes of a body in a frame: 100 and 144 a contact at three contacts, of polyhedra 32 and 24 more.
fn frame_bytes(scenario: &Scenario, bodies: &Bodies) -> u64 {
    let [body, contact] = if bodies.polyhedra.is_some() { [132, 168] } else { [100, 144] };
    body + if scenario.output.contacts { 3 * contact } else { 0 }
}

/// The fault of a wall that the bodies start in or behind.
fn inside(wall: &Wall, bodies: &Bodies, overlap_max: f64) -> Option<String> {
    let depth = |k: usize| match &bodies.polyhedra {
        None => bodies.radius_m[k] - wall.height_m(bodies.position_m[k], 0.0),
        Some(p) => {
            let depths = p.corners_m(k, bodies.position_m[k]).map(|c| -wall.height_m(c, 0.0));
            depths.fold(f64::NEG_INFINITY, f64::max)
        }
    };
    let over = |k: &usize| depth(*k) / bodies.radius_m[*k];
    let worst = (0..bodies.len()).max_by(|a, b| over(a).total_cmp(&over(b))).filter(|k| over(k) > overlap_max)?;
    Some(format!(
        "body {worst} reaches {:.4e} m into wall `{}` at the start; move one of them, turn the wall's normal towards the bodies, or raise guards.overlap_max",
        depth(worst),
        wall.name
    ))
}
