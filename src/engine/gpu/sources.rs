//! The fields of a scenario as the GPU takes them.

use super::prepare::G;
use crate::base::error::{Error, Result};
use crate::base::units::Units;
use crate::gpu::blocks::gravity::tree;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::run::Buffers;
use crate::model::scenario::{FaceSum, GravitySource, Method, Scenario, SelfGravityMethod};
use crate::physics::gravity::asteroid_field::AsteroidField;
use glam::DVec3;
use std::f64::consts::PI;

/// Bodies from which `auto` takes the tree: where it overtakes the direct sum on software devices (docs/method/performance.md).
/// Below this a direct sum is also cheap against the rest of a step, and exact.
pub const TREE_FROM: usize = 2_000;

/// Steps that a field is held: as typed, else by what it costs; the swing of a held orbit grows as their square.
/// Contact dynamics steps so far that it evaluates every time.
pub fn held_steps(scenario: &Scenario) -> u32 {
    let default = match scenario.method {
        Method::ContactDynamics(_) => 1,
        Method::SoftSphere if scenario.has_dear_gravity() => 50,
        Method::SoftSphere => 10,
    };
    scenario.typed_holds().first().copied().unwrap_or(default).max(1)
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
            return Err(Error::Usage(format!(
                "{}: gravity: of the kinds central and uniform_sphere the GPU engine takes one source; keep one, and add others as bodies",
                scenario.name
            )));
        }
    }
    Ok(found)
}

/// Writes what the passes over the faces of the asteroid read.
pub fn fill_asteroid(gpu: &Gpu, buffers: &Buffers, field: &AsteroidField, units: &Units, bodies: usize) -> Result<()> {
    let (corners, sides) = field.tree.face_rows();
    buffers.write(gpu, "asteroid_params", &[field.params(units, bodies)])?;
    buffers.write(gpu, "face_corner", &corners)?;
    buffers.write(gpu, "face_side", &sides)?;
    if let FaceSum::Tree { .. } = field.sum {
        buffers.write(gpu, "face_node", &field.tree.nodes)?;
        buffers.write(gpu, "face_first", &field.tree.moment_rows(|m| m.first))?;
        buffers.write(gpu, "face_second", &field.tree.moment_rows(|m| m.second))?;
    }
    Ok(())
}
