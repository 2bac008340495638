//! What can be said of a run before it starts: time step, overlap at the expected speed, memory and disk.

use super::disk_use::{self, DiskUse};
use super::material_estimate::{self, MaterialEstimate};
use super::warnings::warnings;
use super::{refusals, sound};
use crate::base::error::Result;
use crate::base::fault::Faults;
use crate::base::readable::number;
use crate::base::steps::steps_until;
use crate::base::units::G;
use crate::engine::gpu::limits::speed_limit_m_s;
use crate::engine::gpu::parts::asteroid_field::expected_counts;
use crate::geometry::mass::ball_m3;
use crate::gpu::buffer_table::{Life, TABLE};
use crate::model::asteroid::AsteroidSpec;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::physics::laws::pairs::settled;
use crate::physics::laws::registry;
use crate::physics::surface::ground::Ground;
use crate::physics::time_step::{TimeStep, time_step};
use crate::scenario::as_run;
use crate::scenario::overlap::{Overlap, is_apart, worst_overlap};
use serde::Serialize;
use std::f64::consts::PI;

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
    /// largest overlap over radius of two equal bodies that meet at `speed_max_m_s`, and of one that meets a fixed one
    pub overlap_at_speed_max: Option<[f64; 2]>,
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
    /// what the materials of the bodies amount to
    pub materials: Vec<MaterialEstimate>,
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
    as_run::refuse_untold(scenario)?;
    if bodies.is_empty() {
        return Err(scenario.fault("bodies", "the generators made no bodies", "raise a count, or add a group").into());
    }
    if let Some(k) = bodies.radius_m.iter().position(|r| !RADIUS_RANGE_M.contains(r)) {
        let [least, most] = [RADIUS_RANGE_M.start(), RADIUS_RANGE_M.end()].map(|r| number(*r));
        let what = format!("body {k} has a radius of {} m, outside [{least}, {most}]", number(bodies.radius_m[k]));
        return Err(scenario.fault("bodies", what, "check the unit").into());
    }
    if let Some(fault) = sound::fault(scenario, bodies) {
        return Err(fault.into());
    }
    let step = time_step(scenario, bodies);
    let overlap = if is_apart(scenario) { None } else { worst_overlap(bodies, scenario.guards.overlap_max) };
    let ground = Ground::of(scenario)?;
    let faults = refusals::faults(scenario, bodies, ground.as_ref(), &step, overlap);
    Faults::of(faults).check()?;
    estimate(scenario, bodies, ground.as_ref(), step, overlap)
}

fn estimate(
    scenario: &Scenario,
    bodies: &Bodies,
    ground: Option<&Ground>,
    step: TimeStep,
    overlap: Option<Overlap>,
) -> Result<Estimate> {
    let steps = steps_until(scenario.run.duration_s, step.dt_s);
    let (materials, law) = (settled(scenario, bodies), registry::of(&scenario.run.contact_law));
    let at_speed_max = |k: usize| {
        let (mass_kg, radius_m) = (bodies.mass_kg[k], bodies.radius_m[k]);
        let over = |part: f64| {
            let material = &materials[bodies.material[k] as usize];
            Some(law.overlap_at_speed_max_m(material, part * mass_kg, part * radius_m)? / radius_m)
        };
        Some([over(0.5)?, over(1.0)?])
    };
    let worst = (0..bodies.len()).filter_map(at_speed_max);
    let mass_kg = bodies.total_mass_kg();
    let centre = bodies.mean_by_mass(&bodies.position_m);
    let reach =
        (0..bodies.len()).map(|k| bodies.position_m[k].distance(centre) + bodies.radius_m[k]).fold(0.0, f64::max);
    let density = mass_kg / ball_m3(reach);
    let counts = expected_counts(scenario, crate::engine::gpu::prepare::first_counts(scenario, bodies, ground))?;
    let solid = bodies.merged_radius_m();
    let bytes_of = |life: Life| TABLE.iter().filter(|s| s.life == life).map(|s| s.bytes(&counts)).sum();
    let gpu_bytes_by_life: [u64; 3] = [Life::Constant, Life::State, Life::Scratch].map(bytes_of);
    let sizes = TABLE.iter().map(|s| (s.name, s.bytes(&counts)));
    let (largest_buffer, largest_buffer_bytes) = sizes.max_by_key(|s| s.1).unwrap_or_default();
    let warnings = warnings(scenario, bodies, &step, overlap, (largest_buffer, largest_buffer_bytes))?;
    let asteroid = scenario.asteroid.as_ref().map(asteroid_estimate).transpose()?;
    let (input_files, input_bytes) = crate::scenario::inputs::size(scenario)?;
    let disk = disk_use::of(scenario, bodies, steps, step.dt_s, gpu_bytes_by_life[1]);
    let speed_limit_m_s = speed_limit_m_s(scenario, bodies, step.dt_s);
    Ok(Estimate {
        bodies: bodies.len(),
        mass_kg,
        steps,
        time_step: step,
        overlap_at_speed_max: worst.max_by(|a, b| a[0].total_cmp(&b[0])),
        reach_m: reach,
        free_fall_s: (3.0 * PI / (32.0 * G * density)).sqrt(),
        surface_gravity_m_s2: G * mass_kg / (solid * solid),
        escape_speed_m_s: (2.0 * G * mass_kg / solid).sqrt(),
        speed_limit_m_s,
        gpu_bytes: gpu_bytes_by_life.iter().sum(),
        gpu_bytes_by_life,
        largest_buffer,
        largest_buffer_bytes,
        disk_bytes: disk.all() + input_bytes,
        disk,
        materials: material_estimate::of(scenario, bodies, &materials),
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
