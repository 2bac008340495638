//! What a run is refused for before it starts: a time step, overlaps, walls, and what would act after its end only.

use super::disk_use;
use crate::base::fault::Fault;
use crate::base::readable::{number, percent, quantity};
use crate::base::steps::steps_until;
use crate::base::units::G;
use crate::model::body::Bodies;
use crate::model::scenario::{GravitySource, Method, Scenario, SpinUp, Wall};
use crate::physics::frame;
use crate::physics::laws::pairs::settled;
use crate::physics::laws::{Start, StartFault, registry};
use crate::physics::surface::facet::FADE;
use crate::physics::surface::ground::Ground;
use crate::physics::time_step::TimeStep;
use crate::scenario::overlap::Overlap;
use crate::scenario::turning;
use glam::DVec3;

/// Largest time step, over the contact time or its equivalent, that still resolves a collision.
const STEP_MAX: f64 = 0.1;

/// All that is wrong with bodies under a scenario. `overlap` is the deepest of two bodies.
pub(super) fn faults(
    scenario: &Scenario,
    bodies: &Bodies,
    ground: Option<&Ground>,
    step: &TimeStep,
    overlap: Option<Overlap>,
) -> Vec<Fault> {
    let mut faults: Vec<Fault> = vec![];
    faults.extend(step_fault(scenario, step));
    faults.extend(short_run_fault(scenario, step));
    faults.extend(gravity_fault(scenario, step.dt_s));
    faults.extend(law_faults(scenario, bodies));
    faults.extend(overlap.and_then(|overlap| overlap_fault(scenario, overlap)));
    faults.extend(scenario.walls.iter().filter_map(|wall| inside(scenario, wall, bodies)));
    faults.extend(scenario.walls.iter().filter_map(|wall| removal_fault(scenario, wall)));
    faults.extend(scenario.walls.iter().filter_map(|wall| block_fault(scenario, wall, bodies)));
    faults.extend(spin_up_fault(scenario, step.dt_s));
    let turns_too_fast = turning::fault(scenario, bodies, step.dt_s);
    // to follow what turns by many rotations in a step takes a time without end
    let can_be_followed = turns_too_fast.is_none();
    faults.extend(turns_too_fast);
    faults.extend(cohesion_fault(scenario));
    faults.extend(disk_use::faults(scenario, bodies, step.dt_s));
    faults.extend(ground.and_then(|g| in_asteroid(scenario, g, bodies)));
    if can_be_followed {
        faults.extend(frame::coupling(scenario, step.dt_s).err().into_iter().flat_map(|error| error.faults()));
    }
    faults.extend(count_fault(scenario, step.dt_s));
    faults
}

/// More steps than are counted.
fn count_fault(scenario: &Scenario, dt_s: f64) -> Option<Fault> {
    let steps = steps_until(scenario.run.duration_s, dt_s);
    (steps >= u64::from(u32::MAX)).then(|| {
        let what = format!("{} steps are more than the 4.29e9 that a run can count", number(steps as f64));
        scenario.fault("run.duration_s", what, "shorten the run, or soften the contacts")
    })
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
        return fault(format!("{} s cannot be a time step", number(step.dt_s)), remedy);
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

/// Evaluations of gravity so rare that bodies would outrun it: T = 1/sqrt(G rho) is the time of a fall onto a body of density rho
/// whatever its size, and positions must be known at least twice in it (Ferrari et al. 2017, section 2.1).
fn gravity_fault(scenario: &Scenario, dt_s: f64) -> Option<Fault> {
    let attracts = |g: &GravitySource| matches!(g, GravitySource::Asteroid { .. });
    let asteroid = scenario.asteroid.iter().filter(|_| scenario.gravity.iter().any(attracts));
    let materials = scenario.materials.iter().filter(|_| scenario.has_self_gravity());
    let densities = asteroid.map(|a| a.density_kg_m3).chain(materials.map(|m| m.density_kg_m3));
    let (held, density) = (scenario.held_steps(), densities.fold(0.0, f64::max));
    let most_s = 0.5 / (G * density).sqrt();
    let interval_s = f64::from(held) * dt_s;
    (interval_s > most_s).then(|| {
        let [interval, most, density] = [interval_s, most_s, density].map(number);
        let interval = match held {
            1 => format!("{interval} s"),
            _ => format!("{interval} s between evaluations of gravity, {held} steps,"),
        };
        let what = format!(
            "{interval} is more than half of 1/sqrt(G rho), {most} s at {density} kg/m3, in which bodies fall together"
        );
        if dt_s > most_s {
            return scenario.fault("run.time_step_s", what, "lower it");
        }
        let key = format!("gravity.{}.update_every", scenario.held_by().unwrap_or(0));
        scenario.fault(&key, what, format!("lower it to {} or less", (most_s / dt_s).floor()))
    })
}

/// Two bodies that overlap too much at the start.
fn overlap_fault(scenario: &Scenario, (i, j, ratio): Overlap) -> Option<Fault> {
    let what = format!("bodies {i} and {j} overlap by {} of the smaller radius at the start", number(ratio));
    let remedy = "move them apart, or raise guards.overlap_max";
    (ratio > scenario.guards.overlap_max).then(|| scenario.fault("bodies", what, remedy))
}

/// What the contact law finds wrong with these bodies so that they cannot run.
fn law_faults(scenario: &Scenario, bodies: &Bodies) -> Vec<Fault> {
    let faults = start_faults(scenario, bodies).into_iter().filter(|f| !f.may_do);
    faults.map(|f| scenario.fault(&format!("material.{}", f.material), f.what, &f.remedy)).collect()
}

/// What the contact law finds wrong with these bodies.
pub(super) fn start_faults(scenario: &Scenario, bodies: &Bodies) -> Vec<StartFault> {
    if scenario.method != Method::SoftSphere {
        return vec![];
    }
    let materials = settled(scenario, bodies);
    let orbits = |source: &GravitySource| {
        matches!(
            source,
            GravitySource::Central { .. } | GravitySource::UniformSphere { .. } | GravitySource::Asteroid { .. }
        )
    };
    let meet = !scenario.gravity.iter().any(orbits);
    let start = Start { materials: &materials, bodies, overlap_max: scenario.guards.overlap_max, meet };
    registry::of(&scenario.run.contact_law).start_faults(&start)
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

/// The body that reaches deepest into a wall at the start, and how deep over its radius.
pub(super) fn deepest(wall: &Wall, bodies: &Bodies) -> Option<(usize, f64)> {
    let depth = |k: usize| match &bodies.polyhedra {
        None => bodies.radius_m[k] - wall.height_m(bodies.position_m[k], 0.0),
        Some(p) => {
            let depths = p.corners_m(k, bodies.position_m[k]).map(|c| -wall.height_m(c, 0.0));
            depths.fold(f64::NEG_INFINITY, f64::max)
        }
    };
    (0..bodies.len()).map(|k| (k, depth(k) / bodies.radius_m[k])).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The fault of a wall that the bodies start in or behind.
fn inside(scenario: &Scenario, wall: &Wall, bodies: &Bodies) -> Option<Fault> {
    let (worst, over) = deepest(wall, bodies).filter(|(_, over)| *over > scenario.guards.overlap_max)?;
    let depth = quantity(over * bodies.radius_m[worst], "m");
    let what = format!("body {worst} reaches {depth} into wall `{}` at the start", wall.name);
    let remedy = "move one of the two, turn the normal of the wall towards the bodies, or raise guards.overlap_max";
    Some(scenario.fault(&format!("wall.{}", wall.name), what, remedy))
}

/// A wall whose removal the run does not reach.
fn removal_fault(scenario: &Scenario, wall: &Wall) -> Option<Fault> {
    let at_s = wall.removed_at_s.filter(|at_s| *at_s >= scenario.run.duration_s)?;
    // the planes of a box have one key
    let name = wall.name.strip_suffix(".x_min").unwrap_or(&wall.name);
    if name.contains('.') {
        return None;
    }
    let key = format!("wall.{name}.removed_at_s");
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
    if let Some(end_s) = spin.end_s.filter(|end_s| *end_s <= spin.start_s) {
        let what =
            format!("{} s is not after start_s, {} s: no rotation is added", number(end_s), number(spin.start_s));
        return Some(scenario.fault("spin_up.end_s", what, "raise it, or remove [spin_up]"));
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
    let end_s = scenario.run.duration_s;
    (spin.initial_rad_s == DVec3::ZERO && spin.count(end_s) < 2).then(|| {
        let first = number(spin.start_s + spin.interval_s);
        let [whose, end] = match spin.end_s.filter(|spin_end_s| *spin_end_s < end_s) {
            Some(spin_end_s) => ["end_s is", &number(spin_end_s)].map(str::to_owned),
            None => ["the run ends at", &number(end_s)].map(str::to_owned),
        };
        let what =
            format!("adds no rotation: without initial_rad_s the first is due at {first} s, and {whose} {end} s");
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
