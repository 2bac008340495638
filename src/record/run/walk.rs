//! The way of a run from event to event: rows, frames, added rotations, checkpoints, guards.

use super::Run;
use super::carried::Pause;
use super::observer::Observer;
use crate::base::error::Result;
use crate::base::readable::number;
use crate::base::steps::steps_until;
use crate::model::output::{FrameEvent, evenly};
use crate::model::scenario::{Spun, Wall};
use crate::model::snapshot::Snapshot;
use crate::physics::measure::contact_counts::heaviest;
use crate::record::files::status::RunStatus;

impl Run {
    /// Goes on until `until` steps are done, the run ends, or the observer stops it.
    pub(super) fn walk(&mut self, until: u64, observer: &mut dyn Observer) -> Result<Pause> {
        self.begin(observer)?;
        let limit = until.min(self.steps());
        while self.steps_done() < limit && self.at_rest().is_none() {
            self.reopen()?;
            let target = self.next_event(limit);
            while self.steps_done() < target {
                if !self.work(observer).batch(target)? {
                    return Ok(Pause::Before);
                }
                if self.steps_done() < target {
                    self.checkpoint_if_due()?;
                }
            }
            self.spin_if_due()?;
            let goes_on = self.write_due(limit, observer)?;
            // After the row: measuring it changes the state that a checkpoint holds.
            self.checkpoint_if_due()?;
            if !goes_on {
                return Ok(Pause::Before);
            }
        }
        let over = self.steps_done() >= self.steps() || self.at_rest().is_some();
        Ok(if over { Pause::End } else { Pause::Before })
    }

    /// Does what is due before the first step, once: the first checkpoint, the first row, the first frame.
    pub(super) fn begin(&mut self, observer: &mut dyn Observer) -> Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        if self.resumed.is_none() {
            self.checkpoint()?; // before all else, so that there is something to resume from whatever comes
        }
        self.spin_if_due()?;
        self.write_due(self.steps_done(), observer).map(|_| ())
    }

    /// Writes down that the run goes on, if it was stopped.
    fn reopen(&mut self) -> Result<()> {
        if self.manifest.status == RunStatus::Running {
            return Ok(());
        }
        (self.manifest.status, self.manifest.ended) = (RunStatus::Running, String::new());
        self.note(false);
        self.store.as_ref().map_or(Ok(()), |store| self.manifest.write(store.path()))
    }

    /// Why the run is over before its duration.
    fn at_rest(&self) -> Option<String> {
        self.carried.events.at_rest(&self.scenario).filter(|_| !self.is_to_move())
    }

    /// Whether something that is planned is still to set bodies in motion: a rotation, a wall that goes, or one that comes.
    fn is_to_move(&self) -> bool {
        let now_s = self.steps_done() as f64 * self.time_step_s();
        let for_s = self.scenario.run.stop_when.map_or(0.0, |stop| stop.for_s);
        let moves = |wall: &Wall| {
            // what it held has to rest anew
            let is_due = |at_s: f64| at_s + for_s > now_s && at_s < self.scenario.run.duration_s;
            let goes = wall.removed_at_s.is_some_and(is_due);
            let is_there = wall.removed_at_s.is_none_or(|at_s| at_s > now_s);
            goes || (is_there && wall.velocity_m_s.dot(wall.normal) != 0.0)
        };
        self.spin_step() < u64::MAX || self.scenario.walls.iter().any(moves)
    }

    /// What the manifest says of the end of a run with `run.stop_when`.
    pub(super) fn why_over(&self) -> String {
        let missed = || format!("not at rest by the end, run.duration_s = {}", number(self.scenario.run.duration_s));
        self.scenario.run.stop_when.map_or_else(String::new, |_| self.at_rest().unwrap_or_else(missed))
    }

    /// Step of a row.
    fn row_step(&self, number: usize) -> u64 {
        evenly(number, self.scenario.output.series_rows, self.steps())
    }

    /// Frames so far, those of events apart.
    fn planned(&self) -> usize {
        self.frames - self.carried.watch.frames
    }

    /// Step of a frame that is no event's.
    fn frame_step(&self, number: usize) -> u64 {
        self.scenario.output.frame_step(number, self.steps(), self.time_step_s())
    }

    /// Step of the next event, if so many rows and planned frames are written.
    fn event_after(&self, rows: usize, frames: usize) -> u64 {
        self.row_step(rows).min(self.frame_step(frames)).min(self.spin_step())
    }

    fn next_event(&self, limit: u64) -> u64 {
        self.event_after(self.rows.len(), self.planned()).clamp(self.steps_done() + 1, limit)
    }

    /// Step before which the next rotation is added: the first one at its instant or after it, unless the run is over then.
    pub(super) fn spin_step(&self) -> u64 {
        let run_s = self.scenario.run.duration_s;
        let due_s = self.scenario.spin_up.and_then(|spin| spin.due_s(self.carried.spins, run_s));
        let step = due_s.map(|due_s| steps_until(due_s, self.time_step_s()));
        step.filter(|step| *step < self.steps()).unwrap_or(u64::MAX)
    }

    fn spin_if_due(&mut self) -> Result<()> {
        let Some(spin) = self.scenario.spin_up.filter(|_| self.steps_done() >= self.spin_step()) else {
            return Ok(());
        };
        let first = self.carried.spins == 0;
        let only = match spin.bodies {
            Spun::All => None,
            Spun::LargestAggregate => Some(heaviest(&self.engine.snapshot()?)),
        };
        let rad_s = if first { spin.initial_rad_s } else { spin.increment_rad_s };
        let added = self.engine.spin(rad_s, only.as_deref())?;
        self.carried.baseline.add(&added);
        self.carried.spins += 1;
        Ok(())
    }

    /// Writes the row and the frame that are due. The engine may go on beside the row, but not after step `limit`; false if the
    /// observer stops the run there.
    fn write_due(&mut self, limit: u64, observer: &mut dyn Observer) -> Result<bool> {
        let step = self.steps_done();
        let [rows, frames] = [self.scenario.output.series_rows, self.scenario.output.frames];
        let row_due = self.rows.len() <= rows && step >= self.row_step(self.rows.len());
        let frame_due = self.planned() <= frames && step >= self.frame_step(self.planned());
        if !row_due && !frame_due {
            return Ok(true);
        }
        let mut snapshot = self.engine.snapshot()?;
        snapshot.wall_normals = self.scenario.walls.iter().map(|w| w.normal).collect();
        if !row_due {
            return self.write_frame(&snapshot, &[], observer).map(|()| true);
        }
        self.judge(&mut snapshot)?;
        self.count_unsolved(&snapshot)?;
        self.engine.restart_counts()?;
        let (row, went) = self.measure_beside(&snapshot, self.free_until(frame_due, limit), observer);
        self.write_row(row.values, observer)?;
        self.tell_shed(step)?;
        let rests = self.at_rest().is_some();
        let ends = rests || step >= self.steps();
        let drifts = self.drift_too_far(step, ends)?;
        if frame_due || rests || !row.events.is_empty() {
            self.write_frame(&snapshot, &row.events, observer)?;
            self.carried.watch.frames += usize::from(!frame_due && !rests);
        }
        if ends {
            self.carried.events.end(&snapshot, &self.scenario);
        }
        if let Some(guard) = drifts {
            self.checkpoint()?;
            return Err(guard);
        }
        went
    }

    /// The last step that the engine may do while the row of the present step is measured: it stops before the next event, and
    /// does not go on at all where this row may end the run. `frame_due`: the step has a planned frame too.
    fn free_until(&self, frame_due: bool, limit: u64) -> u64 {
        if self.scenario.run.stop_when.is_some() || self.scenario.guards.energy_residual_max.is_some() {
            return self.steps_done();
        }
        let next = self.event_after(self.rows.len() + 1, self.planned() + usize::from(frame_due));
        next.saturating_sub(1).min(limit)
    }

    fn write_row(&mut self, row: Vec<f64>, observer: &mut dyn Observer) -> Result<()> {
        self.store.as_mut().map_or(Ok(()), |store| store.push(&row))?;
        self.rows.push(row);
        self.rows.last().into_iter().for_each(|row| observer.row(row));
        Ok(())
    }

    fn write_frame(&mut self, snapshot: &Snapshot, events: &[FrameEvent], observer: &mut dyn Observer) -> Result<()> {
        let output = &self.scenario.output;
        self.store.as_mut().map_or(Ok(()), |store| store.frame(self.frames, snapshot, output, events))?;
        observer.frame(self.frames, snapshot);
        self.frames += 1;
        Ok(())
    }
}
