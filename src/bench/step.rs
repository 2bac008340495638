//! Whole steps of the settled packing, by the wall as a user sees them, and what its neighbour list costs.

use super::clock::{Seconds, Took, repeat};
use super::packing::{STEPS_MAX, packing};
use super::{Open, Row, Rows, clock, pass_rows};
use crate::base::error::Result;
use crate::engine::Engine;
use crate::engine::gpu::core::Due;
use crate::engine::gpu::soft_sphere::SoftSphere;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::run::Timer;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::physics::laws::BuiltIn;
use crate::physics::laws::registry::all;
use crate::physics::time_step::time_step;
use std::time::Instant;

/// Wall time of the steps that count (s).
const MEASURED_S: f64 = 2.0;
/// Length of one sample (s), about.
const SHARE_S: f64 = 0.25;

/// The step by each law and the neighbour list of about `n` spheres.
pub fn rows(open: &Open, n: usize) -> Result<Rows> {
    let pairs = |engine: &SoftSphere| engine.core.list_statistics().0;
    let mut rows = vec![];
    for (k, law) in all().enumerate() {
        let (mut engine, n_held) = stepped(open()?, n, law)?;
        let what = format!("step by {}, {} pairs with history", law.name(), pairs(&engine));
        rows.push(Ok(step(&mut engine, what, n_held, STEPS_MAX)?));
        // the list is the same whatever the law
        if k == 0 {
            rows.push(Ok(gated(&mut engine, Due::List, "neighbours", "neighbour list".into(), n_held)?));
        }
    }
    Ok(rows)
}

/// An engine that has compiled its pipelines, built its first list and found the size of a submission; its bodies.
fn stepped(gpu: Gpu, n: usize, law: &dyn BuiltIn) -> Result<(SoftSphere, usize)> {
    let packing = packing(n, law)?;
    Ok((opened(gpu, &packing.scenario, &packing.bodies, 256)?, packing.bodies.len()))
}

/// An engine that has done so many steps.
pub(super) fn opened(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, steps: u64) -> Result<SoftSphere> {
    let dt_s = time_step(scenario, bodies).dt_s;
    let mut engine = SoftSphere::new(gpu, scenario, bodies, dt_s, Sources::default())?;
    engine.run_to(steps)?;
    Ok(engine)
}

/// Steps up to `steps_max`, as a user gets them, and the passes of one.
pub(super) fn step(engine: &mut SoftSphere, what: String, n: usize, steps_max: u64) -> Result<Row> {
    let (mut each, mut steps, mut total) = (vec![], 64, 0.0);
    while total < MEASURED_S && engine.step() + steps <= steps_max {
        let took = Took::by_wall(|| engine.run_to(engine.step() + steps))?;
        each.push(took.each(steps));
        total += took.seconds();
        // Long enough for full submissions, short enough to see other programs come and go.
        steps = (SHARE_S * steps as f64 / took.seconds()).clamp(64.0, 4096.0) as u64;
    }
    let mut row = Row::new(what, n, Seconds::of(&each), "wall", n as f64, "particle-steps");
    let samples = samples(engine, Due::Nothing, "step", engine.steps_per_block())?;
    row.passes = pass_rows(&samples, engine.core.plan(), &engine.core.counts_in_use());
    Ok(row)
}

/// One of `stage`, which is `due`.
pub(super) fn gated(engine: &mut SoftSphere, due: Due, stage: &str, what: String, n: usize) -> Result<Row> {
    let times = repeat(|| {
        let mut timer = Timer::new(&engine.core.gpu, 1);
        let begun = Instant::now();
        engine.core.trial(due, |encoder, pipeline| {
            pipeline.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), "prepare");
            let timestamp_writes = timer.as_mut().and_then(|t| t.around(0));
            let timed = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
            pipeline.record(&mut encoder.begin_compute_pass(&timed), stage);
        })?;
        clock::stamped(&engine.core.gpu, timer, begun)
    })?;
    let mut row = Row::new(what, n, times, clock::name(&engine.core.gpu), n as f64, "bodies");
    let samples = samples(engine, due, stage, 1)?;
    row.passes = pass_rows(&samples, engine.core.plan(), &engine.core.counts_in_use());
    Ok(row)
}

/// Index in the plan and seconds of every dispatch of `times` runs of a stage; none without timestamps.
fn samples(engine: &mut SoftSphere, due: Due, stage: &str, times: u32) -> Result<Vec<(usize, f64)>> {
    let Some(mut timer) = Timer::new(&engine.core.gpu, 2048) else {
        return Ok(vec![]);
    };
    engine.core.trial(due, |encoder, pipeline| {
        pipeline.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), "prepare");
        (0..times).for_each(|_| pipeline.record_timed(encoder, stage, &mut timer));
    })?;
    timer.collect(&engine.core.gpu)
}
