//! Checkpoints of a run, and the files that they count on.

use super::Session;
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::record::files::checkpoint;
use crate::record::files::checkpoint::{Head, State};
use std::time::{Duration, Instant};

impl Session<'_, '_> {
    pub(super) fn checkpoint_if_due(&mut self) -> Result<()> {
        let minutes_between = self.scenario.output.checkpoint_minutes;
        if self.last_checkpoint.elapsed().as_secs_f64() / 60.0 > minutes_between {
            return self.checkpoint();
        }
        if self.held.is_due(minutes_between) {
            let begun = Instant::now();
            let state = (self.head()?, self.engine.save()?);
            self.held = Held { state: Some(state), took: begun.elapsed(), at: Instant::now() };
        }
        Ok(())
    }

    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let head = self.head()?;
        let state = self.engine.save()?;
        self.write(head, &state)
    }

    /// What a checkpoint taken now says of itself; the rows and frames that it counts on are on the disk.
    fn head(&mut self) -> Result<Head> {
        let series = self.series.secure()?;
        for folder in self.loose.drain(..) {
            disk::sync_tree(&folder)?;
            folder.parent().map_or(Ok(()), disk::sync_entry)?;
        }
        Ok(Head {
            step: self.engine.step(),
            frames: self.frames,
            rows: self.rows.len(),
            series,
            scenario: self.manifest.scenario_hash.clone(),
            engine: self.engine.describe(),
            host: serde_json::to_value(&self.carried).map_err(|e| Error::Data(e.to_string()))?,
        })
    }

    fn write(&mut self, head: Head, state: &State) -> Result<()> {
        checkpoint::write(&self.options.out, &head, state)?;
        self.last_checkpoint = Instant::now();
        self.held = Held { took: self.held.took, ..Held::default() };
        Ok(())
    }

    /// Writes the last state that is held before the engine failed.
    pub(super) fn rescue(&mut self, fault: &Error) {
        let of_engine = matches!(fault, Error::Numerical(_) | Error::DeviceLost(_) | Error::Capacity(_));
        if let Some((head, state)) = self.held.state.take().filter(|_| of_engine) {
            let step = head.step;
            match self.write(head, &state) {
                Ok(()) => tracing::info!("the last checkpoint is of step {step}"),
                Err(e) => tracing::warn!("the state of step {step} could not be kept: {e}"),
            }
        }
    }
}

/// A state in memory, some seconds old at most, for a checkpoint before a guard or a lost device ends the run.
pub(super) struct Held {
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
