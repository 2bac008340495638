//! The directory of a run while it goes on: its series, its frames, its checkpoints, and the files that these count on.

use crate::base::disk;
use crate::base::error::Result;
use crate::model::output::{Constants, FrameEvent, OutputSpec};
use crate::model::snapshot::Snapshot;
use crate::model::stored::frame_arrays::FOLDER;
use crate::model::stored::frames::{folder_of, write_constants, write_frame};
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
    /// step of the newest checkpoint
    pub newest: u64,
    /// folders of frames that may not be on the disk yet
    loose: Vec<PathBuf>,
    pub held: Held,
}

impl Store {
    /// `step`: at which the run starts or goes on.
    pub(super) fn new(directory: RunDirectory, series: Series, step: u64) -> Store {
        let (last_checkpoint, held) = (Instant::now(), Held::default());
        Store { directory, series, last_checkpoint, newest: step, loose: vec![], held }
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(super) fn typed_path(&self) -> &Path {
        self.directory.typed()
    }

    pub(super) fn push(&mut self, row: &[f64]) -> Result<()> {
        self.series.push(row)
    }

    /// Writes a frame of these events, with the first one what never changes of the bodies.
    pub(super) fn frame(
        &mut self,
        number: usize,
        snapshot: &Snapshot,
        output: &OutputSpec,
        events: &[FrameEvent],
    ) -> Result<()> {
        let out = self.directory.path();
        if number == 0 && output.form.constants == Constants::Once {
            write_constants(out, snapshot)?;
            self.loose.push(out.join(FOLDER));
        }
        if let Some(polyhedra) = snapshot.bodies.polyhedra.as_ref().filter(|_| number == 0) {
            shapes::write(out, polyhedra)?;
            self.loose.push(out.join(shapes::FOLDER));
        }
        write_frame(out, number, snapshot, output.contacts, &output.form, events)?;
        self.loose.push(folder_of(out, number));
        Ok(())
    }

    /// Has the rows and frames so far on the disk; the sum of the series.
    pub(super) fn secure(&mut self) -> Result<String> {
        let series = self.series.secure()?;
        for folder in self.loose.drain(..) {
            disk::sync_tree(&folder)?;
            folder.parent().map_or(Ok(()), disk::sync_entry)?;
        }
        Ok(series)
    }

    /// Where a checkpoint is due.
    pub(super) fn due(&self, minutes_between: f64) -> Option<Due> {
        if self.last_checkpoint.elapsed().as_secs_f64() / 60.0 > minutes_between {
            return Some(Due::OnDisk);
        }
        self.held.is_due(minutes_between).then_some(Due::InMemory)
    }

    pub(super) fn write(&mut self, head: Head, state: &State) -> Result<()> {
        checkpoint::write(self.directory.path(), &head, state)?;
        (self.last_checkpoint, self.newest) = (Instant::now(), head.step);
        self.held = Held { took: self.held.took, ..Held::default() };
        Ok(())
    }
}

/// Where a checkpoint goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    OnDisk,
    InMemory,
}

/// A state in memory, some seconds old at most, for a checkpoint before a guard or a lost device ends the run.
pub(super) struct Held {
    pub state: Option<(Head, State)>,
    /// to take it
    pub took: Duration,
    pub at: Instant,
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
