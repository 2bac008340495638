//! What a run will do worse than it might: told by `check` and `run`, which refuse nothing for it.

use super::asteroid_warnings;
use super::disk_use;
use super::files::status::{RunStatus, Standing};
use super::idle;
use super::refusals::{deepest, start_faults};
use super::rigid_warnings;
use super::summary::status;
use crate::base::error::Result;
use crate::base::readable::{bytes, duration, number, percent, quantity};
use crate::base::units::POSITION_BITS;
use crate::engine::gpu::scales;
use crate::model::body::Bodies;
use crate::model::scenario::{Impact, Method, Scenario};
use crate::model::stored::frames::{last_frame, read_pose, read_time};
use crate::model::stored::resolved::Resolved;
use crate::model::wall::Wall;
use crate::physics::frame::Frame;
use crate::physics::frame::axes::Axes;
use crate::physics::laws::keys::{COHESION, Keyed, RESTITUTION_NORMAL};
use crate::physics::laws::registry;
use crate::physics::laws::restitution::contact_time_s;
use crate::physics::measure::outcome::lacking;
use crate::physics::scales::pull_m_s2;
use crate::physics::time_step::TimeStep;
use crate::scenario::inputs::{Name, names};
use crate::scenario::overlap::Overlap;
use std::f64::consts::PI;
use std::ops::RangeInclusive;

/// An overlap at the start is told above this part of the smaller radius. It is five times what the largest speed makes by default.
const OVERLAP_SAID_FROM: f64 = 0.05;
/// Share of what is dissipated that the ledger may miss: the project's bar.
const LEDGER_ERROR_MAX: f64 = 0.01;
/// Solids have these densities, from fresh snow to beyond the densest metal (kg/m3). Other densities are told.
const DENSITY_KG_M3: RangeInclusive<f64> = 50.0..=25_000.0;
/// Units of positions that the overlap of a body at rest must have.
const UNITS_AT_REST: f64 = 4.0;
/// From so many damping times of friction on, a run warns of its time step: with all contacts about one axis motions turn round.
const FRICTION_STEPS_MAX: f64 = 0.64;
/// Largest binding that WebGPU grants on every device (bytes).
const BINDING_EVERYWHERE: u64 = 128 << 20;

/// All warnings of bodies under a scenario. `overlap` is the deepest of two bodies, `largest` the largest buffer's name and size.
pub(super) fn warnings(
    scenario: &Scenario,
    bodies: &Bodies,
    step: &TimeStep,
    overlap: Option<Overlap>,
    largest: (&str, u64),
) -> Result<Vec<String>> {
    let fraction = registry::of(&scenario.run.contact_law).time_step_fraction();
    let mut list = vec![];
    list.extend(ledger_warning(step, fraction));
    list.extend(friction_warning(step));
    list.extend(binding_warning(largest.0, largest.1));
    list.extend(disk_use::rounding_warning(scenario, bodies));
    list.extend(source_warnings(scenario)?);
    list.extend(expectation_warnings(scenario));
    list.extend(idle::warnings(scenario));
    list.extend(overlap_warnings(scenario, bodies, overlap));
    let soft = start_faults(scenario, bodies).into_iter().filter(|f| f.may_do);
    list.extend(soft.map(|f| format!("material.{}: {}; {}", f.material, f.what, f.remedy)));
    list.extend(rigid_warnings::of(scenario, bodies, step.dt_s));
    list.extend(density_warnings(scenario));
    list.extend(faint_warning(scenario, bodies, step));
    list.extend(asteroid_warnings::of(scenario, bodies, step)?);
    Ok(list)
}

/// Bodies that weigh so little on such stiff contacts that positions do not resolve the overlap at which they rest.
fn faint_warning(scenario: &Scenario, bodies: &Bodies, step: &TimeStep) -> Option<String> {
    let pull_m_s2 = pull_m_s2(scenario, bodies);
    let coheres = scenario.materials.iter().any(|m| COHESION.of(m) > 0.0);
    // of the lightest pair, whose reduced mass is half a body's: m g / k, by how long a contact of unit mass and stiffness lasts
    let of_unit = scenario.materials.iter().map(|m| contact_time_s(1.0, 1.0, RESTITUTION_NORMAL.of(m)));
    let rest_m = 2.0 * pull_m_s2 * (step.contact_time_s? / of_unit.fold(PI, f64::max)).powi(2);
    let unit_m = scales::units(scenario, bodies, step.dt_s).length_m * (-f64::from(POSITION_BITS)).exp2();
    (scenario.method == Method::SoftSphere && pull_m_s2 > 0.0 && !coheres && rest_m < UNITS_AT_REST * unit_m).then(|| {
        let [rest, unit] = [rest_m, unit_m].map(|m| quantity(m, "m"));
        format!(
            "material: the lightest body rests with an overlap of about {rest}, and the GPU engine resolves {unit}: such contacts open and close for ever; lower speed_max_m_s or the stiffness, or take --engine reference"
        )
    })
}

/// Materials, and an asteroid, lighter or denser than solids are.
fn density_warnings(scenario: &Scenario) -> Vec<String> {
    let materials = scenario.materials.iter().map(|m| (format!("material.{}", m.name), m.density_kg_m3));
    let asteroid = scenario.asteroid.iter().map(|a| ("asteroid".to_owned(), a.density_kg_m3));
    let unusual = materials.chain(asteroid).filter(|(_, kg_m3)| !DENSITY_KG_M3.contains(kg_m3));
    let told = |(key, kg_m3): (String, f64)| {
        let [kg_m3, least, most] = [kg_m3, *DENSITY_KG_M3.start(), *DENSITY_KG_M3.end()].map(number);
        format!(
            "{key}.density_kg_m3: {kg_m3} is outside {least} to {most}, where solids are; check the unit (rock has 3,000)"
        )
    };
    unusual.map(told).collect()
}

/// Bodies that overlap so much at the start, each other or a wall, that they are pushed apart.
fn overlap_warnings(scenario: &Scenario, bodies: &Bodies, overlap: Option<Overlap>) -> Vec<String> {
    let takes_back = scenario.method.contact_dynamics().is_none_or(|c| c.recovery > 0.0);
    let told = |who: String, whose: &str, ratio: f64| {
        let share = percent(ratio);
        format!(
            "bodies: {who} overlap by {share} of {whose} radius at the start, and are pushed apart; move them apart if that is not meant"
        )
    };
    let of_wall = |wall: &Wall| {
        let (k, ratio) = deepest(wall, bodies)?;
        (ratio > OVERLAP_SAID_FROM).then(|| told(format!("{k} and wall `{}`", wall.name), "its", ratio))
    };
    let pair = overlap
        .filter(|o| o.2 > OVERLAP_SAID_FROM)
        .map(|(i, j, ratio)| told(format!("{i} and {j}"), "the smaller", ratio));
    if takes_back { pair.into_iter().chain(scenario.walls.iter().filter_map(of_wall)).collect() } else { vec![] }
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

/// What is to be known of the runs whose bodies a scenario takes: they are not done, or their axes turn otherwise.
pub fn source_warnings(scenario: &Scenario) -> Result<Vec<String>> {
    let undone = undone_sources(scenario)?.into_iter().map(|(key, what)| format!("{key}: {what}"));
    Ok(undone.chain(axes_warnings(scenario)?).collect())
}

/// Runs whose axes turn where those of the scenario do not, or the other way round, or turn otherwise.
fn axes_warnings(scenario: &Scenario) -> Result<Vec<String>> {
    let here = Frame::of(scenario) != Frame::Inertial || Axes::of(scenario, 1.0).is_some();
    let mut list = vec![];
    for Name { key, path, .. } in names(scenario).into_iter().filter(|name| name.run) {
        let of_run = |r: Resolved| r.gravity.iter().find_map(|field| field.rotation_rad_s);
        let rate = Resolved::read_if_there(&path)?.and_then(of_run);
        let there = read_pose(&last_frame(&path)?)?.is_some() || rate.is_some();
        let word = |turns: bool| if turns { "turn" } else { "do not turn" }.to_owned();
        let by = |w: glam::DVec3| format!("turn by ({}, {}, {}) rad/s", w.x, w.y, w.z);
        let axes = match rate.zip(scenario.rotating_frame_rad_s()) {
            Some((there, here)) if there != here => [by(there), by(here)],
            _ if there != here => [there, here].map(word),
            _ => continue,
        };
        let ([there, here], run) = (axes, path.display());
        list.push(format!(
            "{key}: the axes of the run {run} {there} and those of this scenario {here}; velocities and spins are taken as they are in their axes"
        ));
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

/// A step so long that dashpots of friction turn motions round instead of ending them.
fn friction_warning(step: &TimeStep) -> Option<String> {
    let times = Some(step.dt_s / step.friction_time_s).filter(|times| *times > FRICTION_STEPS_MAX)?;
    Some(format!(
        "run.time_step_s: the time step of {} is {} of the damping time of friction of the pair that sets it, with as many contacts as a body may have, and from about 0.6 on bodies spin or slide to and fro for ever; lower it, or lower shape_parameter or stiffness_ratio, or raise restitution_tangential",
        quantity(step.dt_s, "s"),
        number(times)
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
