//! The wall time of a run before it is started: some steps on the device that it would take.

use super::common::Device;
use super::threads;
use breccia::base::error::Result;
use breccia::model::scenario::Scenario;
use breccia::record::run::{Run, RunOptions};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Steps are computed for as long as this, after those of the start; at least one is.
const BUDGET: Duration = Duration::from_secs(2);
/// Steps of the start, which compile shaders and make the first lists.
const START: u64 = 3;
/// Share of the budget that the steps in hand may take before more are handed over at once.
const GROWTH: u32 = 4;

/// How fast the first steps are.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    /// wall time of all steps at this speed (s)
    pub wall_s: f64,
    /// wall time of a step (s)
    pub s_per_step: f64,
    /// steps that were measured
    pub steps: u64,
    /// engine, device and driver
    pub device: String,
}

/// Computes the first steps, in memory.
pub(super) fn measure(scenario: Scenario, device: &Device) -> Result<Measured> {
    let options = RunOptions { before_device: Some(threads::suit_run), ..device.run_options() };
    let mut run = Run::open_with(scenario, options)?;
    let all = run.steps();
    run.step(START)?;
    let (begun, from, mut batch) = (Instant::now(), run.steps_done(), 1);
    // What is due at the start counts once, what is due at every row as often as it comes.
    while begun.elapsed() < BUDGET && run.steps_done() < all {
        let before = Instant::now();
        run.step(batch)?;
        if before.elapsed() * GROWTH < BUDGET {
            batch *= 2;
        }
    }
    let steps = run.steps_done() - from;
    let s_per_step = begun.elapsed().as_secs_f64() / steps.max(1) as f64;
    Ok(Measured { wall_s: s_per_step * all as f64, s_per_step, steps, device: run.manifest().engine.clone() })
}
