//! What the reader of a scenario's text refuses, of a scenario whose fields a program has set.

use crate::base::fault::Fault;
use crate::base::reader::key::{Key, Kind};
use crate::model::body::Bodies;
use crate::model::material::Material;
use crate::model::scenario::Scenario;
use crate::scenario::material::{is_key, taken};
use glam::DVec3;

/// The first number that no text could have given.
pub(super) fn fault(scenario: &Scenario, bodies: &Bodies) -> Option<Fault> {
    times(scenario)
        .or_else(|| scenario.materials.iter().find_map(|m| material(scenario, m)))
        .or_else(|| motion(scenario, bodies))
}

fn times(scenario: &Scenario) -> Option<Fault> {
    let run = &scenario.run;
    let typed = [("run.duration_s", Some(run.duration_s)), ("run.time_step_s", run.time_step_s)];
    let (key, value) = typed.into_iter().find(|(_, s)| s.is_some_and(|s| !(s.is_finite() && s > 0.0)))?;
    Some(scenario.fault(key, format!("is {} s", value?), "set a number above 0"))
}

fn material(scenario: &Scenario, m: &Material) -> Option<Fault> {
    let path = |key: &str| format!("material.{}.{key}", m.name);
    if !(m.density_kg_m3.is_finite() && m.density_kg_m3 > 0.0) {
        return Some(scenario.fault(&path("density_kg_m3"), format!("is {}", m.density_kg_m3), "set a number above 0"));
    }
    let taken = taken(&scenario.method, &scenario.run.contact_law);
    if let Some(key) = m.keys().find(|key| !is_key(key) && taken.iter().all(|k| k.name != *key)) {
        return Some(scenario.fault(
            &path(key),
            "no law knows this key",
            "remove it, or spell it as docs/user/materials.md does",
        ));
    }
    taken.iter().find_map(|key| number(scenario, m, key))
}

/// A number that is out of the range of its key.
fn number(scenario: &Scenario, m: &Material, key: &Key) -> Option<Fault> {
    let (Kind::Number(_, bounds), Some(value)) = (key.kind, m.number(key.name)) else { return None };
    let [what, remedy] = match value.is_finite() {
        true => bounds.fault(value)?,
        false => [format!("is {value}"), "set a finite number".into()],
    };
    Some(scenario.fault(&format!("material.{}.{}", m.name, key.name), what, remedy))
}

/// Positions, velocities and spins that are not finite.
fn motion(scenario: &Scenario, bodies: &Bodies) -> Option<Fault> {
    let lists = [("position", &bodies.position_m), ("velocity", &bodies.velocity_m_s), ("spin", &bodies.spin_rad_s)];
    let wrong = |list: &[DVec3]| list.iter().position(|v| !v.is_finite());
    let (name, k) = lists.into_iter().find_map(|(name, list)| Some((name, wrong(list)?)))?;
    Some(scenario.fault("bodies", format!("the {name} of body {k} is not a finite number"), "set one that is"))
}
