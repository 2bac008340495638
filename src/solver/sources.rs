//! The fields of a scenario as the GPU takes them.

use super::prepare::G;
use crate::error::{Error, Result};
use crate::gravity::tree;
use crate::scenario::model::{GravitySource, Method, Scenario, SelfGravityMethod};
use glam::DVec3;
use std::f64::consts::PI;

/// Bodies from which `auto` takes the tree: where it overtakes the direct sum on software devices (docs/performance.md).
/// Below this a direct sum is also cheap against the rest of a step, and exact.
pub const TREE_FROM: usize = 2_000;

/// Steps that a field is held: as typed, else by what it costs; the swing of a held orbit grows as their square.
/// Contact dynamics steps so far that it evaluates every time.
pub fn held_steps(typed: Option<u32>, self_gravity: bool, method: &Method) -> u32 {
    let default = match method {
        Method::ContactDynamics(_) => 1,
        Method::SoftSphere if self_gravity => 50,
        Method::SoftSphere => 10,
    };
    typed.unwrap_or(default).max(1)
}

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
        SelfGravityMethod::Auto => SelfGravityMethod::TreeRelative { accuracy: tree::ACCURACY },
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

/// What acts besides uniform fields.
pub(super) struct Sources {
    /// steps between evaluations, if typed
    pub every: Option<u32>,
    pub central: Option<Central>,
    /// of the frame (rad/s)
    pub rotation: DVec3,
}

pub(super) fn sources(scenario: &Scenario) -> Result<Sources> {
    let mut found = Sources { every: None, central: None, rotation: DVec3::ZERO };
    for source in &scenario.gravity {
        let central = match *source {
            GravitySource::Uniform { .. } => continue,
            GravitySource::SelfGravity { update_every, .. } => {
                found.every = update_every;
                continue;
            }
            GravitySource::RotatingFrame { rotation_rad_s } => {
                found.rotation += rotation_rad_s;
                continue;
            }
            GravitySource::Central { gm_m3_s2, position_m } => Central { gm_m3_s2, position_m, radius_m: 0.0 },
            GravitySource::UniformSphere { density_kg_m3, radius_m, position_m } => {
                Central { gm_m3_s2: 4.0 / 3.0 * PI * G * density_kg_m3 * radius_m.powi(3), position_m, radius_m }
            }
        };
        if found.central.replace(central).is_some() {
            return Err(Error::Usage(format!(
                "{}: gravity: of the kinds central and uniform_sphere the GPU engine takes one source; keep one, and add others as bodies",
                scenario.name
            )));
        }
    }
    Ok(found)
}
