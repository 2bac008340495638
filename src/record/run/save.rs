//! The directory of a run while it goes on: its series, its frames, its checkpoints, and the files that these count on.

use super::Run;
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::model::snapshot::Snapshot;
use crate::model::stored::frames::{folder_of, write_frame};
use crate::model::stored::shapes;
use crate::record::files::checkpoint::{self, Head, State};
use crate::record::files::directory::RunDirectory;
use crate::record::files::series::Series;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A run directory that is being written to.
pub(super) struct Store {
    directory: RunDirectory,
    series: Series,
    last_checkpoint: Instant,
    /// folders of frames that may not be on the disk yet
    loose: Vec<PathBuf>,
    held: Held,
}

impl Store {
    pub fn new(directory: RunDirectory, series: Series) -> Store {
        Store { directory, series, last_checkpoint: Instant::now(), loose: vec![], held: Held::default() }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn push(&mut self, row: &[f64]) -> Result<()> {
        self.series.push(row)
    }

    /// Writes a frame, with the first one the shapes of the bodies.
    pub fn frame(&mut self, number: usize, snapshot: &Snapshot, contacts: bool) -> Result<()> {
        let out = self.directory.path();
        if let Some(polyhedra) = snapshot.bodies.polyhedra.as_ref().filter(|_| number == 0) {
            shapes::write(out, polyhedra)?;
            self.loose.push(out.join(shapes::FOLDER));
        }
        write_frame(out, number, snapshot, contacts)?;
        self.loose.push(folder_of(out, number));
        Ok(())
    }

    /// Has the rows and frames so far on the disk; the sum of the series.
    fn secure(&mut self) -> Result<String> {
        let series = self.series.secure()?;
        for folder in self.loose.drain(..) {
            disk::sync_tree(&folder)?;
            folder.parent().map_or(Ok(()), disk::sync_entry)?;
        }
        Ok(series)
    }

    fn write(&mut self, head: Head, state: &State) -> Result<()> {
        checkpoint::write(self.directory.path(), &head, state)?;
        self.last_checkpoint = Instant::now();
        self.held = Held { took: self.held.took, ..Held::default() };
        Ok(())
    }
}

impl Run {
    pub(super) fn checkpoint_if_due(&mut self) -> Result<()> {
        let minutes_between = self.scenario.output.checkpoint_minutes;
        let Some(store) = &self.store else { return Ok(()) };
        if store.last_checkpoint.elapsed().as_secs_f64() / 60.0 > minutes_between {
            return self.checkpoint();
        }
        if store.held.is_due(minutes_between) {
            let begun = Instant::now();
            let state = self.state()?;
            if let Some(store) = &mut self.store {
                store.held = Held { state, took: begun.elapsed(), at: Instant::now() };
            }
        }
        Ok(())
    }

    /// Writes a checkpoint, if the run has a directory.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let state = self.state()?;
        let Some((store, (head, state))) = self.store.as_mut().zip(state) else { return Ok(()) };
        store.write(head, &state)
    }

    /// What a checkpoint taken now says and holds; the rows and frames that it counts on are on the disk.
    fn state(&mut self) -> Result<Option<(Head, State)>> {
        let Some(store) = &mut self.store else { return Ok(None) };
        let series = store.secure()?;
        let head = Head {
            step: self.engine.step(),
            frames: self.frames,
            rows: self.rows.len(),
            series,
            scenario: self.manifest.scenario_hash.clone(),
            engine: self.engine.describe(),
            host: serde_json::to_value(&self.carried).map_err(|e| Error::Data(e.to_string()))?,
        };
        Ok(Some((head, self.engine.save()?)))
    }

    /// Writes the last state that is held before the engine failed.
    pub(super) fn rescue(&mut self, fault: &Error) {
        let of_engine = matches!(fault, Error::Numerical(_) | Error::DeviceLost(_) | Error::Capacity(_));
        let Some(store) = self.store.as_mut().filter(|_| of_engine) else { return };
        let Some((head, state)) = store.held.state.take() else { return };
        let step = head.step;
        match store.write(head, &state) {
            Ok(()) => tracing::info!("the last checkpoint is of step {step}"),
            Err(e) => tracing::warn!("the state of step {step} could not be kept: {e}"),
        }
    }
}

/// A state in memory, some seconds old at most, for a checkpoint before a guard or a lost device ends the run.
struct Held {
    state: Option<(Head, State)>,
    /// to take it
    took: Duration,
    at: Instant,
}

impl Default for Held {
    fn default() -> Held {
        Held { state: None, took: Duration::ZERO, at: Instant::now() }
    }
}

impl Held {
    /// Ten times as often as checkpoints, but every two seconds at least, and at a cost of 5 % of the time at most.
    fn is_due(&self, minutes_between: f64) -> bool {
        let wanted = Duration::from_secs_f64((6.0 * minutes_between).min(2.0));
        self.at.elapsed() > wanted.max(20 * self.took)
    }
}
