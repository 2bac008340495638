//! What a run reports to its caller while it runs, and how it ended.

use crate::model::snapshot::Snapshot;
use crate::physics::measure::outcome::Verdict;
use serde::Serialize;

/// Is called while a run goes on. Every method has a default that does nothing; `()` observes nothing.
pub trait Observer {
    /// After every batch of steps.
    fn progress(&mut self, _progress: &Progress) {}
    /// A row of the series was measured; its columns are those of [`Run::columns`](super::Run::columns). The run goes on
    /// while rows are measured, so that steps after the row may have been done; [`Run::step`](super::Run::step) stops at one.
    fn row(&mut self, _row: &[f64]) {}
    /// A frame is due; also in a run without a directory. If a row is due with it, steps after it may have been done.
    fn frame(&mut self, _number: usize, _snapshot: &Snapshot) {}
    /// Asked before every batch of steps: true stops the run, with a checkpoint if it has a directory.
    fn stop(&mut self) -> bool {
        false
    }
}

impl Observer for () {}

/// How far a run is.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Progress {
    /// steps done
    pub step: u64,
    /// steps in all
    pub steps: u64,
    /// simulated time (s)
    pub time_s: f64,
    /// contacts in the last row that was measured
    pub contacts: f64,
}

/// How a run ended.
#[derive(Debug, Clone, Serialize)]
pub enum Ended {
    /// The run is complete; each expectation of the scenario, and what the run showed.
    Done(Vec<Verdict>),
    /// It was stopped at this step, with a checkpoint if it has a directory.
    Stopped(u64),
}
