//! Whole steps of the settled packing, by the wall as a user sees them, and what its neighbour list costs.

use super::clock::{self, repeat};
use super::packing::{STEPS_MAX, packing};
use super::{Row, Rows, pass_rows};
use crate::engine::Engine;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pipeline::link::Sources;
use crate::pipeline::run::Timer;
use crate::scenario::closure::time_step;
use crate::solver::soft_sphere::SoftSphere;
use std::time::Instant;

/// Wall time of the steps that count (s).
const MEASURED_S: f64 = 2.0;

/// The step and the neighbour list of about `n` spheres.
pub fn rows(gpu: Gpu, n: usize) -> Result<Rows> {
    let packing = packing(n)?;
    let dt_s = time_step(&packing.scenario, &packing.bodies).dt_s;
    let mut engine = SoftSphere::new(gpu, &packing.scenario, &packing.bodies, dt_s, Sources::default())?;
    // Compiles the pipelines, builds the first list, finds the size of a submission.
    engine.run_to(256)?;
    let n = packing.bodies.len();
    Ok(vec![Ok(step(&mut engine, n)?), Ok(list(&mut engine, n)?)])
}

fn step(engine: &mut SoftSphere, n: usize) -> Result<Row> {
    let first = engine.step();
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < MEASURED_S && engine.step() < STEPS_MAX {
        engine.run_to(engine.step() + 64)?;
    }
    let seconds = begun.elapsed().as_secs_f64() / (engine.step() - first) as f64;
    let samples = samples(engine, "step", engine.steps_per_block())?;
    let passes = pass_rows(&samples, engine.plan(), &engine.counts_in_use());
    let what = format!("step, {} pairs with full history", engine.list_statistics().0);
    let rate = n as f64 / seconds;
    Ok(Row { what, count: n, seconds, clock: "wall", rate, unit: "particle-steps", error_rms: None, passes })
}

fn list(engine: &mut SoftSphere, n: usize) -> Result<Row> {
    let seconds = repeat(|| {
        let mut timer = Timer::new(&engine.gpu, 1);
        let begun = Instant::now();
        engine.trial(true, |encoder, pipeline| {
            pipeline.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), "prepare");
            let timestamp_writes = timer.as_mut().and_then(|t| t.around(0));
            let timed = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
            pipeline.record(&mut encoder.begin_compute_pass(&timed), "neighbours");
        })?;
        let wall = begun.elapsed().as_secs_f64();
        let stamped = timer.map(|mut t| t.collect(&engine.gpu)).transpose()?;
        Ok(stamped.and_then(|s| Some(s.first()?.1)).unwrap_or(wall))
    })?;
    let samples = samples(engine, "neighbours", 1)?;
    let passes = pass_rows(&samples, engine.plan(), &engine.counts_in_use());
    let clock = clock::name(&engine.gpu);
    let rate = n as f64 / seconds;
    Ok(Row { what: "neighbour list".into(), count: n, seconds, clock, rate, unit: "bodies", error_rms: None, passes })
}

/// Place in the plan and seconds of every dispatch of `times` runs of a stage; none without timestamps.
fn samples(engine: &mut SoftSphere, stage: &str, times: u32) -> Result<Vec<(usize, f64)>> {
    let Some(mut timer) = Timer::new(&engine.gpu, 2048) else {
        return Ok(vec![]);
    };
    let list = stage == "neighbours";
    engine.trial(list, |encoder, pipeline| {
        pipeline.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), "prepare");
        (0..times).for_each(|_| pipeline.record_timed(encoder, stage, &mut timer));
    })?;
    timer.collect(&engine.gpu)
}
