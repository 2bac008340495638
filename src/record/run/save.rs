//! When a run writes checkpoints, and what they hold.

use super::Run;
use super::store::{Due, Held};
use crate::base::error::{Error, Result};
use crate::record::files::checkpoint::{Head, State};
use std::time::Instant;

impl Run {
    pub(super) fn checkpoint_if_due(&mut self) -> Result<()> {
        let minutes_between = self.scenario.output.checkpoint_minutes;
        match self.store.as_ref().and_then(|store| store.due(minutes_between)) {
            None => Ok(()),
            Some(Due::OnDisk) => self.checkpoint(),
            Some(Due::InMemory) => self.hold(),
        }
    }

    /// Keeps the state in memory, if the run has a directory.
    fn hold(&mut self) -> Result<()> {
        let begun = Instant::now();
        let state = self.state()?;
        if let Some(store) = &mut self.store {
            store.held = Held { state, took: begun.elapsed(), at: Instant::now() };
        }
        Ok(())
    }

    /// Writes a checkpoint, if the run has a directory.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let state = self.state()?;
        let Some((store, (head, state))) = self.store.as_mut().zip(state) else { return Ok(()) };
        store.write(head, &state)?;
        self.note(false);
        Ok(())
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
        let of_engine = matches!(fault.exit_code(), 4..=6);
        let Some(store) = self.store.as_mut().filter(|_| of_engine) else { return };
        let Some((head, state)) = store.held.state.take() else { return };
        let step = head.step;
        match store.write(head, &state) {
            Ok(()) => tracing::info!("the last checkpoint is of step {step}"),
            Err(e) => tracing::warn!("the state of step {step} could not be kept: {e}"),
        }
    }
}
