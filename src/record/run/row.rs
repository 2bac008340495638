//! A row of the series. The host measures it while the engine does the steps that follow, so that a device does not wait.

use super::Run;
use super::observer::{Observer, Progress};
use crate::base::error::Result;
use crate::engine::Engine;
use crate::model::output::FrameEvent;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::columns::column;
use crate::physics::measure::series::measure;
use std::panic::resume_unwind;
use std::thread::scope;

/// What a row says.
pub(super) struct Row {
    pub values: Vec<f64>,
    /// events that it is the first to show
    pub events: Vec<FrameEvent>,
}

/// An engine at work, and who hears of it.
pub(super) struct Work<'a> {
    engine: &'a mut dyn Engine,
    steps: u64,
    rows: &'a [Vec<f64>],
    observer: &'a mut dyn Observer,
}

impl Work<'_> {
    /// Does a batch of steps, none of them after `target`; false, and nothing is done, if the observer stops the run.
    pub(super) fn batch(&mut self, target: u64) -> Result<bool> {
        if self.observer.stop() {
            return Ok(false);
        }
        self.engine.advance(target)?;
        let step = self.engine.step();
        self.observer.progress(&Progress {
            step,
            steps: self.steps,
            time_s: step as f64 * self.engine.time_step_s(),
            contacts: self.rows.last().map_or(0.0, |r| r[const { column("contacts") }]),
        });
        Ok(true)
    }

    /// Does batches of steps until `target`, or until it must `wait` before one or has done `enough` after one; false if the
    /// observer stops the run.
    fn batches(&mut self, target: u64, wait: impl Fn() -> bool, enough: impl Fn() -> bool) -> Result<bool> {
        while self.engine.step() < target && !wait() {
            if !self.batch(target)? {
                return Ok(false);
            }
            if enough() {
                break;
            }
        }
        Ok(true)
    }
}

impl Run {
    pub(super) fn work<'a>(&'a mut self, observer: &'a mut dyn Observer) -> Work<'a> {
        Work { engine: &mut *self.engine, steps: self.manifest.steps, rows: &self.rows, observer }
    }

    /// Measures a row of `snapshot` while the engine goes on, but not after step `target`, nor when a checkpoint is due. The
    /// row is whole also where the engine fails. The second of the pair tells of that, and is false if the observer stops the run.
    pub(super) fn measure_beside(
        &mut self,
        snapshot: &Snapshot,
        target: u64,
        observer: &mut dyn Observer,
    ) -> (Row, Result<bool>) {
        let Run { engine, scenario, carried, rows, manifest, store, .. } = self;
        let mut work = Work { engine: &mut **engine, steps: manifest.steps, rows, observer };
        let row = || {
            let values = measure(snapshot, scenario, &mut carried.baseline);
            carried.events.observe(snapshot, scenario);
            let events = carried.watch.observe(snapshot, &values, scenario);
            Row { values, events }
        };
        scope(|threads| {
            let row = threads.spawn(row);
            let is_due = || store.as_ref().is_some_and(|s| s.due(scenario.output.checkpoint_minutes).is_some());
            let went = work.batches(target, is_due, || row.is_finished());
            (row.join().unwrap_or_else(|panic| resume_unwind(panic)), went)
        })
    }
}
