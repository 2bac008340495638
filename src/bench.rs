//! The bench: a dense cubic packing whose contacts all keep sliding, rolling and twisting history, at rest in its own
//! gravity of a uniform field, stepped and profiled. Also behind `benches/`.

use crate::body::Bodies;
use crate::engine::Engine;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pipeline::link::Sources;
use crate::scenario::closure::time_step;
use crate::scenario::model::Scenario;
use crate::scenario::parse::parse;
use crate::solver::soft_sphere::SoftSphere;
use glam::DVec3;
use serde::Serialize;
use std::time::Instant;

/// What one size gave.
#[derive(Debug, Serialize)]
pub struct Report {
    /// adapter
    pub device: String,
    /// bodies
    pub bodies: usize,
    /// pairs in the list
    pub pairs: u32,
    /// wall time of a step (s)
    pub step_s: f64,
    /// copy bandwidth of the device, read plus write (GB/s)
    pub copy_gb_s: f64,
    /// single passes
    pub passes: Vec<PassTime>,
}

/// GPU time of one pass.
#[derive(Debug, Serialize)]
pub struct PassTime {
    /// its name
    pub name: String,
    /// one dispatch (s)
    pub seconds: f64,
    /// dispatches a step while profiling
    pub per_step: f64,
}

const SCENARIO: &str = r#"
format = 1
[run]
duration_s = 1.0
[[material]]
density_kg_m3 = 3000.0
stiffness_normal_n_m = 1.0e4
restitution_normal = 0.5
friction_sliding = 0.5
friction_rolling = 1.05
friction_twisting = 1.3
shape_parameter = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 0.1 }]
"#;

/// A cubic lattice of touching spheres with a slow random spin each: six contacts a body, every spring at work.
pub fn packing(n: usize) -> Result<(Scenario, Bodies)> {
    let scenario = parse(SCENARIO, "bench", &[])?;
    let side = (1..).find(|s: &usize| s * s * s >= n).unwrap_or(1);
    let radius = 0.1;
    let mass = 3000.0 * 4.0 / 3.0 * std::f64::consts::PI * f64::powi(radius, 3);
    let cell = |k: usize| DVec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
    let spin = |k: usize| DVec3::new(((k * 7) % 11) as f64, ((k * 5) % 13) as f64, ((k * 3) % 17) as f64) * 1e-6;
    let bodies = Bodies {
        id: (0..n as u32).collect(),
        position_m: (0..n).map(|k| cell(k) * (2.0 * radius - 1e-6)).collect(),
        velocity_m_s: vec![DVec3::ZERO; n],
        spin_rad_s: (0..n).map(spin).collect(),
        radius_m: vec![radius; n],
        mass_kg: vec![mass; n],
        material: vec![0; n],
    };
    Ok((scenario, bodies))
}

/// Measures `n` bodies.
pub fn run(gpu: Gpu, n: usize) -> Result<Report> {
    let device = crate::gpu::describe(&gpu.info);
    let copy_gb_s = copy_bandwidth(&gpu)?;
    let (scenario, bodies) = packing(n)?;
    let dt = time_step(&scenario, &bodies).dt_s;
    let mut engine = SoftSphere::new(gpu, &scenario, &bodies, dt, Sources::default())?;
    // Warm up: compiles the pipelines and builds the first list.
    engine.run_to(32)?;
    let (mut steps, mut seconds) = (0u64, 0.0);
    while seconds < 2.0 {
        let begun = Instant::now();
        let first = engine.step();
        engine.run_to(first + 64)?;
        steps += engine.step() - first;
        seconds += begun.elapsed().as_secs_f64();
    }
    let step_s = seconds / steps as f64;
    let before = engine.step();
    let profile = engine.profile(2).unwrap_or_default();
    let done = (engine.step() - before).max(1) as f64;
    let passes = profile
        .into_iter()
        .map(|(name, (s, count))| PassTime { name, seconds: s / f64::from(count), per_step: f64::from(count) / done })
        .collect();
    Ok(Report { device, bodies: n, pairs: engine.list_statistics().0, step_s, copy_gb_s, passes })
}

/// Buffer-to-buffer copy of 64 MiB, read plus written.
fn copy_bandwidth(gpu: &Gpu) -> Result<f64> {
    let bytes = 64u64 << 20;
    let make = |label| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (from, to) = (make("copy from"), make("copy to"));
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begun = Instant::now();
        gpu.submit(|e| (0..8).for_each(|_| e.copy_buffer_to_buffer(&from, 0, &to, 0, bytes)));
        gpu.wait()?;
        best = best.min(begun.elapsed().as_secs_f64() / 8.0);
    }
    Ok(2.0 * bytes as f64 / best * 1e-9)
}
