//! How far a run has come: as its files say, and as its directory shows.

use super::lock::Holder;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// Status that the manifest and the record of sessions give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// it has not ended, or was killed
    Running,
    /// it stopped before its end and can be resumed
    Stopped,
    /// an error ended it
    Failed,
    /// it is complete
    Done,
    /// a new run began to take its place
    Replaced,
}

impl Display for RunStatus {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RunStatus::Running => "running",
            RunStatus::Stopped => "stopped",
            RunStatus::Failed => "failed",
            RunStatus::Done => "done",
            RunStatus::Replaced => "replaced",
        })
    }
}

/// Status of a directory by its files and by who holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// as the manifest says
    Recorded(RunStatus),
    /// the manifest says `running`, and no process holds the directory
    CutOff,
    /// the manifest says `running`, and whether a process holds the directory cannot be found
    RunningOrCutOff,
}

impl Standing {
    /// Of a run whose manifest says that it is running, and the process that works on it.
    pub fn held(by: Holder) -> (Standing, Option<String>) {
        match by {
            Holder::Process(process) => (Standing::Recorded(RunStatus::Running), Some(process)),
            Holder::Nobody => (Standing::CutOff, None),
            Holder::Unknown => (Standing::RunningOrCutOff, None),
        }
    }
}

impl Display for Standing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Recorded(status) => status.fmt(f),
            Standing::CutOff => f.write_str("cut off"),
            Standing::RunningOrCutOff => f.write_str("running or cut off"),
        }
    }
}

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
