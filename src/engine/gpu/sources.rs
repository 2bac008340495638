//! The fields of a scenario as the GPU takes them.

use crate::base::error::Result;
use crate::base::units::G;
use crate::model::gravity::TREE_ACCURACY;
use crate::model::scenario::{GravitySource, Scenario, SelfGravityMethod};
use glam::DVec3;
use std::f64::consts::PI;

/// Bodies from which `auto` takes the tree: where it overtakes the direct sum on software devices (docs/method/performance.md).
/// Below this a direct sum is also cheap against the rest of a step, and exact.
pub const TREE_FROM: usize = 2_000;

pub(super) fn uniform(scenario: &Scenario) -> DVec3 {
    let part = |s: &GravitySource| match s {
        GravitySource::Uniform { acceleration_m_s2 } => *acceleration_m_s2,
        _ => DVec3::ZERO,
    };
    scenario.gravity.iter().map(part).sum()
}

/// How self-gravity of `n` bodies is summed: the scenario's method with `Auto` decided.
pub fn self_gravity(scenario: &Scenario, n: usize) -> Option<SelfGravityMethod> {
    let typed = scenario.gravity.iter().find_map(|source| match source {
        GravitySource::SelfGravity { method, .. } => Some(*method),
        _ => None,
    })?;
    Some(match typed {
        SelfGravityMethod::Auto if n < TREE_FROM => SelfGravityMethod::Direct,
        SelfGravityMethod::Auto => SelfGravityMethod::TreeRelative { accuracy: TREE_ACCURACY },
        method => method,
    })
}

/// A field of one centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct Central {
    pub gm_m3_s2: f64,
    pub position_m: DVec3,
    /// of a uniform sphere (m); 0: a point
    pub radius_m: f64,
}

/// The one central field of a scenario. Fails if there are several.
pub(super) fn sources(scenario: &Scenario) -> Result<Option<Central>> {
    let mut found = None;
    for source in &scenario.gravity {
        let central = match *source {
            GravitySource::Uniform { .. }
            | GravitySource::SelfGravity { .. }
            | GravitySource::Asteroid { .. }
            | GravitySource::RotatingFrame { .. } => continue,
            GravitySource::Central { gm_m3_s2, position_m } => Central { gm_m3_s2, position_m, radius_m: 0.0 },
            GravitySource::UniformSphere { density_kg_m3, radius_m, position_m } => {
                Central { gm_m3_s2: 4.0 / 3.0 * PI * G * density_kg_m3 * radius_m.powi(3), position_m, radius_m }
            }
        };
        if found.replace(central).is_some() {
            let what = "the GPU engine takes one source of the kinds central and uniform_sphere";
            return Err(scenario.fault("gravity", what, "keep one, and add the others as bodies").into());
        }
    }
    Ok(found)
}
