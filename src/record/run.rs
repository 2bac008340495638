//! A run: a scenario on an engine, driven from event to event. It measures rows of the series, writes frames and
//! checkpoints if it has a directory, and compares the end with what the scenario expects.

mod carried;
mod lost;
mod observer;
mod open;
mod opened;
mod options;
mod resume;
mod row;
mod save;
mod store;
mod told;
mod walk;

pub use crate::record::files::sessions::Adapter;
pub use observer::{Ended, Observer, Progress};
pub use opened::Resumed;
pub use options::{IntoScenario, ResumeOptions, RunOptions, SessionOptions};

use crate::base::error::{Error, Result};
use crate::engine::{Engine, Timing};
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::columns::columns;
use crate::physics::measure::outcome::{judge, outcome};
use crate::record::files::manifest::Manifest;
use crate::record::files::quantities::Quantities;
use crate::record::files::sessions::Present;
use crate::record::files::status::RunStatus;
use crate::record::files::timing::Timed;
use carried::{Carried, Pause};
use std::path::Path;
use store::Store;

/// A scenario that is being computed.
///
/// [`Run::open`] opens it in memory, [`Run::open_with`] also in a directory, from which [`Run::resume`] takes it up again.
/// [`Run::go`] computes the whole of it, [`Run::step`] a part. Both do on the way whatever the scenario asks for: rows of
/// the series, added rotations, frames, checkpoints. How a run is cut into calls changes no bit of its motion.
///
/// ```
/// use breccia::{EngineKind, Run, RunOptions};
///
/// let options = RunOptions { engine: EngineKind::Reference, ..RunOptions::default() };
/// let mut run = Run::open_with("bounce", options)?;
/// while run.step(1000)? > 0 {
///     let snapshot = run.snapshot()?;
///     println!("{:.4} s: {:?}", snapshot.time_s, snapshot.bodies.position_m[0]);
/// }
/// # Ok::<(), breccia::Error>(())
/// ```
///
/// A run with a directory that is dropped before its end is like one that was killed: it can be resumed from its last
/// checkpoint. [`Run::stop`] writes one.
pub struct Run {
    scenario: Scenario,
    engine: Box<dyn Engine>,
    manifest: Manifest,
    adapter: Option<Adapter>,
    /// `None`: the run stays in memory
    store: Option<Store>,
    session: Present,
    stop_at_step: Option<u64>,
    /// what it goes on from; `None`: it starts at step 0
    resumed: Option<Resumed>,
    /// times of the processes before this one
    timed: Option<Timed>,
    /// what is due before the first step is done
    begun: bool,
    rows: Vec<Vec<f64>>,
    carried: Carried,
    /// frames so far
    frames: usize,
    /// why it failed, if it did: its state is between two events from then on, or of no use
    failed: Option<String>,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run of {} at step {} of {}", self.scenario.name, self.steps_done(), self.steps())
    }
}

/// What a run does.
impl Run {
    /// Computes `count` steps, or fewer if the run ends before, and gives how many it did: 0 at the end of the run.
    /// [`Run::go`] then compares with what the scenario expects.
    pub fn step(&mut self, count: u64) -> Result<u64> {
        let from = self.steps_done();
        self.guarded(|run| run.walk(from.saturating_add(count), &mut ()))?;
        Ok(self.steps_done() - from)
    }

    /// The bodies and contacts at the present instant, in SI and f64. Looking does not change the motion.
    pub fn snapshot(&mut self) -> Result<Snapshot> {
        self.guarded(|run| {
            run.begin(&mut ())?;
            run.engine.snapshot()
        })
    }

    /// Computes the rest of the run and compares it with what the scenario expects.
    pub fn go(&mut self) -> Result<Ended> {
        self.go_with(&mut ())
    }

    /// As [`Run::go`], with an observer that hears of progress, rows and frames, and may stop the run.
    pub fn go_with(&mut self, observer: &mut dyn Observer) -> Result<Ended> {
        let until = self.stop_at_step.unwrap_or(u64::MAX);
        self.guarded(|run| match run.walk(until, observer)? {
            Pause::End => run.finish(),
            Pause::Before => run.halt(),
        })
    }

    /// Stops the run where it is; if it has a directory, with a checkpoint from which [`Run::resume`] goes on. A run that is
    /// done stays so.
    pub fn stop(&mut self) -> Result<Ended> {
        self.guarded(Run::halt)
    }

    fn halt(&mut self) -> Result<Ended> {
        if self.manifest.status == RunStatus::Done {
            return self.finish();
        }
        self.begin(&mut ())?;
        self.checkpoint()?;
        let step = self.steps_done();
        self.close(RunStatus::Stopped, format!("checkpoint at step {step}; go on with `breccia resume`"))?;
        Ok(Ended::Stopped(step))
    }

    fn finish(&mut self) -> Result<Ended> {
        // A run that failed by this guard and is resumed fails again.
        if let Some(guard) = self.drift_too_far(self.steps_done(), true)? {
            return Err(guard);
        }
        self.checkpoint()?;
        let found = outcome(&self.rows, &self.carried.events, &self.scenario);
        let verdicts = judge(&self.scenario, &found);
        if let Some(run) = self.directory() {
            Quantities::new(&found, &verdicts).write(run)?;
        }
        self.close(RunStatus::Done, self.why_over())?;
        Ok(Ended::Done(verdicts))
    }

    /// Does `work`. If it fails, the last good state is kept and the manifest says why. A run that has failed does nothing
    /// more, so that no checkpoint is written of what the failure left.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Run) -> Result<T>) -> Result<T> {
        if let Some(what) = &self.failed {
            let remedy = match self.store {
                Some(_) => "resume it from its last checkpoint",
                None => "open it again",
            };
            return Err(Error::Usage(format!("the run has failed and does not go on: {what}; {remedy}")));
        }
        // stays if an observer panics
        self.failed = Some("what it called has panicked".into());
        let result = work(self);
        self.failed = result.as_ref().err().map(Error::to_string);
        if let Err(e) = &result {
            self.rescue(e);
            let (status, text) = failure(e);
            // The error itself matters more than a manifest that cannot be written.
            let _ = self.close(status, text);
        }
        result
    }

    /// Writes down how far this process has come, and whether it is at its end.
    fn note(&mut self, ended: bool) {
        let step = self.steps_done();
        if let Some(store) = &self.store {
            self.session.note(store.path(), step, self.manifest.status, ended);
        }
    }

    /// Writes down how the run ended.
    fn close(&mut self, status: RunStatus, ended: String) -> Result<()> {
        (self.manifest.status, self.manifest.ended) = (status, ended);
        self.note(true);
        let Some(run) = self.directory() else { return Ok(()) };
        self.manifest.write_last(run)?;
        let from = self.resumed.as_ref().map_or(0, |r| r.step);
        let timed = |timing| Timed::new(timing, from, self.steps_done(), self.timed.as_ref()).write(run);
        self.engine.timing().map_or(Ok(()), timed)
    }
}

/// Status and reason that the manifest gives for a run that failed.
fn failure(e: &Error) -> (RunStatus, String) {
    match e.is_disk_full() {
        true => (RunStatus::Stopped, format!("disk full: {e}; free some space and go on with `breccia resume`")),
        false => (RunStatus::Failed, e.to_string()),
    }
}

/// What a run is.
impl Run {
    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Time step (s).
    pub fn time_step_s(&self) -> f64 {
        self.engine.time_step_s()
    }

    /// Steps of the whole run; a run with `run.stop_when` may end before.
    pub fn steps(&self) -> u64 {
        self.manifest.steps
    }

    /// Steps done so far.
    pub fn steps_done(&self) -> u64 {
        self.engine.step()
    }

    /// Simulated time (s).
    pub fn time_s(&self) -> f64 {
        self.steps_done() as f64 * self.time_step_s()
    }

    /// Names of the columns of the series, with their units.
    pub fn columns(&self) -> Vec<String> {
        columns(&self.scenario)
    }

    /// The rows of the series so far.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Its directory, from the root; `None`: it stays in memory.
    pub fn directory(&self) -> Option<&Path> {
        self.store.as_ref().map(Store::path)
    }

    /// The same as it was typed.
    pub fn typed_directory(&self) -> Option<&Path> {
        self.store.as_ref().map(Store::typed_path)
    }

    /// Engine, law, time step and warnings, as `manifest.json` has them.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The adapter that computes; `None`: the run needs none.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.adapter.as_ref()
    }

    /// The checkpoint that it was resumed from.
    pub fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// Where the time of the steps went, if [`SessionOptions::timing`] asked for it.
    pub fn timing(&self) -> Option<Timing> {
        self.engine.timing()
    }
}
