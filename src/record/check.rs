//! Questions that need scenario and bodies together: time step against stiffness, overlap at the expected speed,
//! bodies that overlap from the start, memory and disk.

use super::disk_use::{self, DiskUse};
use super::files::status::{RunStatus, Standing};
use super::idle;
use super::summary::status;
use crate::base::error::Result;
use crate::base::fault::{Fault, Faults};
use crate::base::readable::{bytes, duration, number, percent, quantity};
use crate::base::steps::steps_until;
use crate::base::units::G;
use crate::engine::gpu::limits::speed_limit_m_s;
use crate::engine::gpu::parts::asteroid_field::expected_counts;
use crate::geometry::mass::ball_m3;
use crate::gpu::buffer_table::{Life, TABLE};
use crate::model::asteroid::AsteroidSpec;
use crate::model::body::Bodies;
use crate::model::scenario::{GravitySource, Impact, Method, Scenario, SpinUp, Wall};
use crate::model::stored::frames::{last_frame, read_pose, read_time};
use crate::model::stored::resolved::Resolved;
use crate::physics::frame::Frame;
use crate::physics::frame::axes::Axes;
use crate::physics::laws::Start;
use crate::physics::laws::pairs::settled;
use crate::physics::laws::registry;
use crate::physics::measure::outcome::lacking;
use crate::physics::surface::facet::FADE;
use crate::physics::surface::ground::Ground;
use crate::physics::time_step::{TimeStep, time_step};
use crate::scenario::inputs::{Name, names};
use crate::scenario::overlap::{is_apart, worst_overlap};
use crate::scenario::turning;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::PI;

/// Largest time step, over the contact time or its equivalent, that still resolves a collision.
const STEP_MAX: f64 = 0.1;

/// `check` warns of overlaps at the start above this, over the smaller radius: five times what the largest speed makes by default.
const OVERLAP_SAID_FROM: f64 = 0.05;

/// Share of what is dissipated that the ledger may miss before `check` warns: the project's bar.
const LEDGER_ERROR_MAX: f64 = 0.01;
/// Largest binding that WebGPU grants on every device (bytes).
const BINDING_EVERYWHERE: u64 = 128 << 20;

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
    /// farthest point of a body from the mass centre (m)
    pub reach_m: f64,
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
    /// the largest buffer, which a device has to bind as a whole
    pub largest_buffer: &'static str,
    /// its size (bytes)
    pub largest_buffer_bytes: u64,
    /// frames, series, checkpoints and copies of inputs (bytes)
    pub disk_bytes: u64,
    /// its parts
    pub disk: DiskUse,
    /// what a run will do worse than it might
    pub warnings: Vec<String>,
    /// what the asteroid is, if there is one
    pub asteroid: Option<AsteroidEstimate>,
    /// files that the scenario names
    pub input_files: usize,
    /// all of them together (bytes)
    pub input_bytes: u64,
}

/// An asteroid in numbers.
#[derive(Debug, Serialize)]
pub struct AsteroidEstimate {
    /// faces of its surface
    pub faces: usize,
    /// distance of the farthest corner from the mass centre (m)
    pub radius_m: f64,
    /// (kg)
    pub mass_kg: f64,
    /// acceleration on a sphere of its mass and volume (m/s2)
    pub surface_gravity_m_s2: f64,
    /// rotation period (h); none if it does not turn
    pub period_h: Option<f64>,
}

/// Estimates and refuses what cannot work; all faults in one error.
pub fn check(scenario: &Scenario, bodies: &Bodies) -> Result<Estimate> {
    if bodies.is_empty() {
        return Err(scenario.fault("bodies", "the generators made no bodies", "raise a count, or add a group").into());
    }
    if let Some(k) = bodies.radius_m.iter().position(|r| !RADIUS_RANGE_M.contains(r)) {
        let [least, most] = [RADIUS_RANGE_M.start(), RADIUS_RANGE_M.end()].map(|r| number(*r));
        let what = format!("body {k} has a radius of {} m, outside [{least}, {most}]", number(bodies.radius_m[k]));
        return Err(scenario.fault("bodies", what, "check the unit").into());
    }
    let step = time_step(scenario, bodies);
    let overlap = if is_apart(scenario) { None } else { worst_overlap(bodies, scenario.guards.overlap_max) };
    let ground = Ground::of(scenario)?;
    let steps = steps_until(scenario.run.duration_s, step.dt_s);
    let mut faults: Vec<Fault> = vec![];
    faults.extend(step_fault(scenario, &step));
    faults.extend(short_run_fault(scenario, &step));
    faults.extend(law_faults(scenario, bodies));
    faults.extend(overlap.and_then(|overlap| overlap_fault(scenario, overlap)));
    faults.extend(scenario.walls.iter().filter_map(|wall| inside(scenario, wall, bodies)));
    faults.extend(scenario.walls.iter().filter_map(|wall| removal_fault(scenario, wall)));
    faults.extend(scenario.walls.iter().filter_map(|wall| block_fault(scenario, wall, bodies)));
    faults.extend(spin_up_fault(scenario, step.dt_s));
    faults.extend(turning::fault(scenario, bodies, step.dt_s));
    faults.extend(cohesion_fault(scenario));
    faults.extend(disk_use::faults(scenario, bodies, step.dt_s));
    faults.extend(ground.as_ref().and_then(|g| in_asteroid(scenario, g, bodies)));
    if let Err(error) = crate::physics::frame::coupling(scenario, step.dt_s) {
        faults.extend(error.faults());
    }
    if steps >= u64::from(u32::MAX) {
        let what = format!("{} steps are more than the 4.29e9 that a run can count", number(steps as f64));
        faults.push(scenario.fault("run.duration_s", what, "shorten the run, or soften the contacts"));
    }
    Faults::of(faults).check()?;
    let mut estimate = estimate(scenario, bodies, ground.as_ref(), step, steps)?;
    estimate.warnings.extend(overlap_warning(scenario, overlap));
    Ok(estimate)
}

/// An automatic step beyond the end of the run; a typed one is refused where it is read.
fn short_run_fault(scenario: &Scenario, step: &TimeStep) -> Option<Fault> {
    let duration_s = scenario.run.duration_s;
    (scenario.run.time_step_s.is_none() && step.dt_s > duration_s).then(|| {
        let [run, step] = [duration_s, step.dt_s].map(|s| quantity(s, "s"));
        let what = format!("a run of {run} is shorter than one time step, which is {step}");
        scenario.fault("run.duration_s", what, "lengthen the run, or type a shorter run.time_step_s")
    })
}

/// A time step too long to resolve a collision, or not a number that can be used.
fn step_fault(scenario: &Scenario, step: &TimeStep) -> Option<Fault> {
    let fault = |what: String, remedy: &str| Some(scenario.fault("run.time_step_s", what, remedy));
    if !(step.dt_s.is_normal() && step.dt_s > 0.0) {
        let remedy = "check radii, densities and stiffnesses, which are out of any range";
        return fault(format!("{} s cannot be a time step", step.dt_s), remedy);
    }
    let (scale_s, name) = step.scale.as_ref().filter(|t| step.dt_s > STEP_MAX * t.0)?;
    let what = format!(
        "{} is {} of {name} {}, and more than {} does not resolve a collision",
        quantity(step.dt_s, "s"),
        percent(step.dt_s / scale_s),
        quantity(*scale_s, "s"),
        percent(STEP_MAX)
    );
    fault(what, "lower it, or write \"auto\"")
}

/// Two bodies that overlap too much at the start.
fn overlap_fault(scenario: &Scenario, (i, j, ratio): (usize, usize, f64)) -> Option<Fault> {
    let what = format!("bodies {i} and {j} overlap by {} of the smaller radius at the start", number(ratio));
    let remedy = "move them apart, or raise guards.overlap_max";
    (ratio > scenario.guards.overlap_max).then(|| scenario.fault("bodies", what, remedy))
}

/// Soft spheres that overlap so much at the start that their contacts push them apart.
fn overlap_warning(scenario: &Scenario, overlap: Option<(usize, usize, f64)>) -> Option<String> {
    let (i, j, ratio) = overlap.filter(|o| scenario.method == Method::SoftSphere && o.2 > OVERLAP_SAID_FROM)?;
    let share = percent(ratio);
    Some(format!(
        "bodies: {i} and {j} overlap by {share} of the smaller radius at the start, and their contact pushes them apart; move them apart if that is not meant"
    ))
}

/// What the contact law finds wrong with these bodies.
fn law_faults(scenario: &Scenario, bodies: &Bodies) -> Vec<Fault> {
    if scenario.method != Method::SoftSphere {
        return vec![];
    }
    let materials = settled(scenario, bodies);
    let start = Start { materials: &materials, bodies, overlap_max: scenario.guards.overlap_max };
    let faults = registry::of(&scenario.run.contact_law).start_faults(&start);
    faults.into_iter().map(|f| scenario.fault(&format!("material.{}", f.material), f.what, &f.remedy)).collect()
}

/// The fault of a body that starts inside the asteroid, or too deep in its surface: deeper than the guards of a run allow.
fn in_asteroid(scenario: &Scenario, ground: &Ground, bodies: &Bodies) -> Option<Fault> {
    let depth = |k: usize| ground.depth(bodies.position_m[k], bodies.radius_m[k]) / bodies.radius_m[k];
    let inside = (0..bodies.len()).filter(|k| ground.holds(bodies.position_m[*k]));
    let (count, first) = inside.fold((0, None), |(n, first), k| (n + 1, first.or(Some(k))));
    if let Some(k) = first {
        let (all, position_m) = (bodies.len(), bodies.position_m[k]);
        let what =
            format!("{count} of {all} bodies start inside the asteroid, the first of them body {k} at {position_m} m");
        let remedy = "move them outside its surface, whose mass centre is the origin";
        return Some(scenario.fault("bodies", what, remedy));
    }
    let deep = |k: &usize| depth(*k) > scenario.guards.overlap_max.min(FADE);
    let k = (0..bodies.len()).max_by(|a, b| depth(*a).total_cmp(&depth(*b))).filter(deep)?;
    let remedy = if depth(k) > FADE {
        "move it outwards: half its radius is the limit"
    } else {
        "move it outwards, or raise guards.overlap_max"
    };
    let what = format!("body {k} overlaps the asteroid by {} of its radius at the start", number(depth(k)));
    Some(scenario.fault("bodies", what, remedy))
}

/// A wall whose removal the run does not reach.
fn removal_fault(scenario: &Scenario, wall: &Wall) -> Option<Fault> {
    let at_s = wall.removed_at_s.filter(|at_s| *at_s >= scenario.run.duration_s)?;
    let key = format!("wall.{}.removed_at_s", wall.name);
    Some(scenario.fault(&key, too_late(scenario, at_s), "lower it, or remove the key"))
}

/// What is wrong with an instant (s) that the run does not reach.
fn too_late(scenario: &Scenario, at_s: f64) -> String {
    let [at, end] = [at_s, scenario.run.duration_s].map(number);
    format!("{at} s is not before the end of the run, run.duration_s = {end}")
}

/// A block together with polyhedra, which take planes only.
fn block_fault(scenario: &Scenario, wall: &Wall, bodies: &Bodies) -> Option<Fault> {
    bodies.polyhedra.as_ref().and(wall.block.as_ref())?;
    let key = format!("wall.{}.kind", wall.name);
    Some(scenario.fault(&key, "only spheres can touch a block", "take planes, or bodies without a shape"))
}

/// Rotations that would never be added, or more often than there are steps.
fn spin_up_fault(scenario: &Scenario, dt_s: f64) -> Option<Fault> {
    let spin = scenario.spin_up.as_ref()?;
    if spin.start_s >= scenario.run.duration_s {
        let what = too_late(scenario, spin.start_s);
        return Some(scenario.fault("spin_up.start_s", what, "lower it, or remove [spin_up]"));
    }
    (spin.interval_s < dt_s)
        .then(|| {
            let [interval, step] = [spin.interval_s, dt_s].map(number);
            let what =
                format!("{interval} s is below the time step of {step} s, and rotations are added between steps");
            scenario.fault("spin_up.interval_s", what, "raise it, and increment_rad_s with it")
        })
        .or_else(|| idle_spin_up_fault(scenario, spin))
}

/// A `[spin_up]` without a first rotation whose next one is due after the end.
fn idle_spin_up_fault(scenario: &Scenario, spin: &SpinUp) -> Option<Fault> {
    let first_s = spin.start_s + spin.interval_s;
    (spin.initial_rad_s == DVec3::ZERO && first_s >= scenario.run.duration_s).then(|| {
        let [first, end] = [first_s, scenario.run.duration_s].map(number);
        let what = format!(
            "adds no rotation: without initial_rad_s the first is due at {first} s, and the run ends at {end} s"
        );
        scenario.fault("spin_up.interval_s", what, "lower it, give initial_rad_s, or remove [spin_up]")
    })
}

/// Cohesion that would never act.
fn cohesion_fault(scenario: &Scenario) -> Option<Fault> {
    let from_s = scenario.method.contact_dynamics()?.cohesion_from_s;
    (from_s > 0.0 && from_s >= scenario.run.duration_s).then(|| {
        let remedy = "lower it, or remove it and the cohesion";
        scenario.fault("contact_dynamics.cohesion_from_s", too_late(scenario, from_s), remedy)
    })
}

fn estimate(
    scenario: &Scenario,
    bodies: &Bodies,
    ground: Option<&Ground>,
    step: TimeStep,
    steps: u64,
) -> Result<Estimate> {
    let dt_s = step.dt_s;
    let (materials, law) = (settled(scenario, bodies), registry::of(&scenario.run.contact_law));
    let worst = (0..bodies.len()).filter_map(|k| {
        law.overlap_at_speed_max(&materials[bodies.material[k] as usize], bodies.mass_kg[k], bodies.radius_m[k])
    });
    let mass_kg: f64 = bodies.mass_kg.iter().sum();
    let centre = bodies.mean_by_mass(&bodies.position_m);
    let reach =
        (0..bodies.len()).map(|k| bodies.position_m[k].distance(centre) + bodies.radius_m[k]).fold(0.0, f64::max);
    let density = mass_kg / ball_m3(reach);
    let rounds = disk_use::rounding_warning(scenario, bodies);
    let counts = expected_counts(scenario, crate::engine::gpu::prepare::first_counts(scenario, bodies, ground))?;
    let solid = bodies.radius_m.iter().map(|r| r.powi(3)).sum::<f64>().cbrt();
    let bytes_of = |life: Life| TABLE.iter().filter(|s| s.life == life).map(|s| s.bytes(&counts)).sum();
    let gpu_bytes_by_life: [u64; 3] = [Life::Constant, Life::State, Life::Scratch].map(bytes_of);
    let sizes = TABLE.iter().map(|s| (s.name, s.bytes(&counts)));
    let (largest_buffer, largest_buffer_bytes) = sizes.max_by_key(|s| s.1).unwrap_or_default();
    let warnings = ledger_warning(&step, law.time_step_fraction())
        .into_iter()
        .chain(binding_warning(largest_buffer, largest_buffer_bytes))
        .chain(rounds)
        .chain(unattractive_warning(scenario, bodies))
        .chain(source_warnings(scenario)?)
        .chain(expectation_warnings(scenario))
        .chain(idle::warnings(scenario))
        .collect();
    let asteroid = scenario.asteroid.as_ref().map(asteroid_estimate).transpose()?;
    let (input_files, input_bytes) = crate::scenario::inputs::size(scenario)?;
    let disk = disk_use::of(scenario, bodies, steps, dt_s, gpu_bytes_by_life[1]);
    Ok(Estimate {
        bodies: bodies.len(),
        mass_kg,
        steps,
        time_step: step,
        overlap_at_speed_max: worst.max_by(f64::total_cmp),
        reach_m: reach,
        free_fall_s: (3.0 * PI / (32.0 * G * density)).sqrt(),
        surface_gravity_m_s2: G * mass_kg / (solid * solid),
        escape_speed_m_s: (2.0 * G * mass_kg / solid).sqrt(),
        speed_limit_m_s: speed_limit_m_s(scenario, bodies, dt_s),
        gpu_bytes: gpu_bytes_by_life.iter().sum(),
        gpu_bytes_by_life,
        largest_buffer,
        largest_buffer_bytes,
        disk_bytes: disk.all() + input_bytes,
        disk,
        warnings,
        asteroid,
        input_files,
        input_bytes,
    })
}

fn asteroid_estimate(asteroid: &AsteroidSpec) -> Result<AsteroidEstimate> {
    let surface = asteroid.surface()?;
    let mass_kg = asteroid.density_kg_m3 * surface.volume_m3;
    let radius_m = surface.mean_radius_m();
    let rad_s = asteroid.rotation_rad_s.length();
    Ok(AsteroidEstimate {
        faces: surface.triangles.len(),
        radius_m: surface.radius_m(),
        mass_kg,
        surface_gravity_m_s2: G * mass_kg / (radius_m * radius_m),
        period_h: (rad_s > 0.0).then(|| 2.0 * PI / rad_s / 3600.0),
    })
}

/// An asteroid that does not attract its grains, though they attract each other or nothing attracts them.
fn unattractive_warning(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    let attracts = scenario.gravity.iter().any(|source| matches!(source, GravitySource::Asteroid { .. }));
    let others = if scenario.has_self_gravity() {
        "grains attract each other"
    } else if scenario.gravity.is_empty() && bodies.velocity_m_s.iter().all(|v| *v == DVec3::ZERO) {
        "nothing attracts the grains, which are at rest"
    } else {
        return None;
    };
    (scenario.asteroid.is_some() && !attracts).then(|| {
        format!("gravity: {others}, and no source has kind = \"asteroid\": the asteroid does not attract them; add one if it should")
    })
}

/// Runs that bodies are taken from, though they are not done: keys and words.
pub fn undone_sources(scenario: &Scenario) -> Result<Vec<(String, String)>> {
    let mut list = vec![];
    for Name { key, path, .. } in names(scenario).into_iter().filter(|name| name.run) {
        let Some(status) = status(&path)?.filter(|status| *status != Standing::Recorded(RunStatus::Done)) else {
            continue;
        };
        let (_, time_s) = read_time(&last_frame(&path)?)?;
        let (run, time) = (path.display(), quantity(time_s, "s"));
        list.push((
            key,
            format!("the run {run} is not done ({status}): its bodies are those of its last frame, t = {time}"),
        ));
    }
    Ok(list)
}

fn source_warnings(scenario: &Scenario) -> Result<Vec<String>> {
    let undone = undone_sources(scenario)?.into_iter().map(|(key, what)| format!("{key}: {what}"));
    Ok(undone.chain(axes_warnings(scenario)?).collect())
}

/// Runs whose axes turn where those of the scenario do not, or the other way round.
fn axes_warnings(scenario: &Scenario) -> Result<Vec<String>> {
    let here = Frame::of(scenario) != Frame::Inertial || Axes::of(scenario, 1.0).is_some();
    let mut list = vec![];
    for Name { key, path, .. } in names(scenario).into_iter().filter(|name| name.run) {
        let of_run = |r: Resolved| r.gravity.iter().any(|field| field.kind == "rotating_frame");
        let there = read_pose(&last_frame(&path)?)?.is_some() || Resolved::read_if_there(&path)?.is_some_and(of_run);
        if there != here {
            let [there, here] = [there, here].map(|turns| if turns { "turn" } else { "do not turn" });
            let run = path.display();
            list.push(format!(
                "{key}: the axes of the run {run} {there} and those of this scenario {here}; velocities and spins are taken as they are in their axes"
            ));
        }
    }
    Ok(list)
}

/// Expectations that the run will miss, since it does not have what they are found from.
fn expectation_warnings(scenario: &Scenario) -> Vec<String> {
    let names = scenario.expect.iter().map(|e| &e.quantity);
    let lacks = names.filter_map(|name| Some((name, lacking(name, scenario)?)));
    let warning = |(name, lacks): (&String, String)| {
        format!("expect.{name}: the run has no {lacks}, so it will miss this expectation; remove it")
    };
    lacks.map(warning).collect()
}

/// A contact that the run does not reach.
pub fn contact_warning(scenario: &Scenario, impact: Option<&Impact>) -> Option<String> {
    let [contact_s, end_s] = [impact?.time_to_contact_s, scenario.run.duration_s];
    (contact_s >= end_s).then(|| {
        format!(
            "run.duration_s: the groups meet after {}, and the run ends after {}; raise it, or leave out bodies that are far from their pile by largest_aggregate = true",
            duration(contact_s),
            duration(end_s)
        )
    })
}

/// A typed step so long for the dashpots that the ledger will not close.
fn ledger_warning(step: &TimeStep, fraction: f64) -> Option<String> {
    let error = Some(step.ledger_error()).filter(|e| *e > LEDGER_ERROR_MAX)?;
    Some(format!(
        "run.time_step_fraction: the time step of {} is {} of the damping time m/C_N of the pair that sets it, so the energy ledger will miss about {} of what collisions dissipate; write time_step_s = \"auto\" with a time_step_fraction of {fraction}, or raise restitution_normal",
        quantity(step.dt_s, "s"),
        number(step.damping_time_s.map_or(0.0, |time_s| step.dt_s / time_s)),
        percent(error)
    ))
}

/// A buffer larger than every device binds.
fn binding_warning(name: &str, size: u64) -> Option<String> {
    (size > BINDING_EVERYWHERE).then(|| {
        format!(
            "buffer `{name}` has {}, and not every device binds more than {} at once; `breccia gpus` tells what yours does",
            bytes(size),
            bytes(BINDING_EVERYWHERE)
        )
    })
}

/// The fault of a wall that the bodies start in or behind.
fn inside(scenario: &Scenario, wall: &Wall, bodies: &Bodies) -> Option<Fault> {
    let overlap_max = scenario.guards.overlap_max;
    let depth = |k: usize| match &bodies.polyhedra {
        None => bodies.radius_m[k] - wall.height_m(bodies.position_m[k], 0.0),
        Some(p) => {
            let depths = p.corners_m(k, bodies.position_m[k]).map(|c| -wall.height_m(c, 0.0));
            depths.fold(f64::NEG_INFINITY, f64::max)
        }
    };
    let over = |k: &usize| depth(*k) / bodies.radius_m[*k];
    let worst = (0..bodies.len()).max_by(|a, b| over(a).total_cmp(&over(b))).filter(|k| over(k) > overlap_max)?;
    let what = format!("body {worst} reaches {} into wall `{}` at the start", quantity(depth(worst), "m"), wall.name);
    let remedy = "move one of the two, turn the normal of the wall towards the bodies, or raise guards.overlap_max";
    Some(scenario.fault(&format!("wall.{}", wall.name), what, remedy))
}
