//! The wall time of a run before it is started: some steps on the device that it would take.

use super::common::Device;
use super::mesa;
use breccia::base::error::Result;
use breccia::model::scenario::Scenario;
use breccia::record::run::{Run, RunOptions, SessionOptions};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Steps are computed for as long as this, or until there are [`LEAST`] of them.
const BUDGET: Duration = Duration::from_secs(2);
/// So few steps say little: the first ones may wait for the device.
const LEAST: u64 = 10;
/// Steps are computed no longer than this, but for one.
const PATIENCE: Duration = Duration::from_secs(15);
/// The steps in hand take at most the budget over this before more are handed over at once.
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
    let session = SessionOptions { before_device: Some(mesa::suit_run), ..device.session() };
    let mut run = Run::open_with(scenario, RunOptions { session, ..RunOptions::default() })?;
    let all = run.steps();
    let (mut begun, mut from, mut batch) = (Instant::now(), 0, 1);
    run.step(1)?;
    // the first step compiles shaders and makes the first lists: it counts only where there is no second one
    if all > 1 {
        (begun, from) = (Instant::now(), run.steps_done());
    }
    let wanted = |done: u64| begun.elapsed() < if done < LEAST { PATIENCE } else { BUDGET };
    while run.steps_done() < all && (run.steps_done() == from || wanted(run.steps_done() - from)) {
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
