//! Keys that have no effect, as the other keys of a scenario are.

use crate::base::reader::key::Key;
use crate::engine::open::EngineKind;
use crate::model::gravity::{FaceSum, SelfGravityMethod};
use crate::model::scenario::{ContactDynamics, GravitySource, LawName, Scenario};
use crate::physics::laws::keys::{
    COHESION, COHESION_FORCE, FRICTION_ROLLING, FRICTION_SLIDING, FRICTION_TWISTING, Keyed, SHAPE_PARAMETER,
};
use crate::physics::laws::{hysteretic, registry};

/// What is typed in vain, a text for each key.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let Some(settings) = scenario.method.contact_dynamics() else { return soft(scenario) };
    [speed_without_recovery(settings), start_without_cohesion(scenario, settings), rows_too_few(scenario, settings)]
        .into_iter()
        .flatten()
        .collect()
}

fn soft(scenario: &Scenario) -> Vec<String> {
    // what the keys of a user's law mean is up to it
    if matches!(scenario.run.contact_law, LawName::File(_)) {
        return vec![];
    }
    [idle_area(scenario), idle_twisting(scenario)].into_iter().flatten().collect()
}

/// Twisting friction whose limit, a share of that of sliding, is zero in all contacts.
fn idle_twisting(scenario: &Scenario) -> Option<String> {
    let slides = scenario.materials.iter().any(|m| FRICTION_SLIDING.of(m) > 0.0);
    let of = scenario.materials.iter().find(|m| FRICTION_TWISTING.of(m) > 0.0).filter(|_| !slides)?;
    Some(format!(
        "material.{}.friction_twisting: has no effect without sliding friction: its limit is mu_T mu_S beta R_e F; raise friction_sliding, or remove the key",
        of.name
    ))
}

/// A contact area that nothing acts over.
fn idle_area(scenario: &Scenario) -> Option<String> {
    let any = |key: &Key| scenario.materials.iter().any(|m| key.of(m) > 0.0);
    // friction of the hysteretic law has no area
    let over_area: &[Key] = if registry::of(&scenario.run.contact_law).name() == hysteretic::NAME {
        &[COHESION]
    } else {
        &[COHESION, FRICTION_ROLLING, FRICTION_TWISTING]
    };
    let acts = over_area.iter().any(any);
    let of = scenario.materials.iter().find(|m| SHAPE_PARAMETER.of(m) > 0.0).filter(|_| !acts)?;
    Some(format!(
        "material.{}.shape_parameter: has no effect, since no material has cohesion_pa, friction_rolling or friction_twisting; remove it, or add one of these that the law takes",
        of.name
    ))
}

fn speed_without_recovery(settings: &ContactDynamics) -> Option<String> {
    (settings.recovery == 0.0 && settings.recovery_speed_m_s.is_some()).then(|| {
        "contact_dynamics.recovery_speed_m_s: no overlap is taken back, since recovery = 0; remove it, or raise recovery"
            .into()
    })
}

fn start_without_cohesion(scenario: &Scenario, settings: &ContactDynamics) -> Option<String> {
    let coheres = scenario.materials.iter().any(|m| COHESION_FORCE.of(m) > 0.0);
    (settings.cohesion_from_s > 0.0 && !coheres).then(|| {
        "contact_dynamics.cohesion_from_s: no material has cohesion; give one cohesion_force_n, or remove it".into()
    })
}

fn rows_too_few(scenario: &Scenario, settings: &ContactDynamics) -> Option<String> {
    let rows = scenario.output.series_rows;
    settings.judge_every.filter(|every| *every as usize > rows).map(|every| {
        format!("contact_dynamics.judge_every: {every} rows are more than output.series_rows = {rows}, so that none after the first is judged; lower it")
    })
}

/// Methods of gravity that were typed and that an engine in f64 does not have: it sums every pair and every face.
pub(super) fn of_engine(scenario: &Scenario, engine: EngineKind) -> Vec<String> {
    let typed = |source: &GravitySource| match source {
        GravitySource::SelfGravity { method, .. } => {
            matches!(method, SelfGravityMethod::TreeGeometric { .. } | SelfGravityMethod::TreeRelative { .. })
        }
        GravitySource::Asteroid { sum, .. } => matches!(sum, FaceSum::Tree { .. }),
        _ => false,
    };
    let of = |k: usize| format!("gravity.{k}.method: the reference engine has no tree and sums all pairs and faces");
    let trees = scenario.gravity.iter().enumerate().filter(|(_, source)| typed(source));
    if engine == EngineKind::Reference { trees.map(|(k, _)| of(k)).collect() } else { vec![] }
}
