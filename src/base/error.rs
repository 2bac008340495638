//! The one error type at the library's border, and the exit code that each kind has on the command line.

pub use crate::base::fault::{Fault, FaultKind, Faults};
use std::path::PathBuf;

/// Everything that can go wrong outside our own bugs. Each text names the thing and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A wrong command line.
    #[error("{0}")]
    Usage(String),
    /// Faults of files that a user wrote or named: scenarios, campaigns, surfaces, pipelines. All that were found.
    #[error("{0}")]
    Faults(Faults),
    /// No GPU adapter, software ones included.
    #[error("{0}")]
    NoAdapter(String),
    /// The device was lost or refused work while running.
    #[error("{0}")]
    DeviceLost(String),
    /// A buffer would exceed what the device or the machine gives.
    #[error("{0}")]
    Capacity(String),
    /// Non-finite value, overspeed, overlap: the run stopped at the last good checkpoint.
    #[error("{0}")]
    Numerical(String),
    /// Reading or writing a file failed.
    #[error("{path}: {source}")]
    Io {
        /// the file
        path: PathBuf,
        /// what the system said
        source: std::io::Error,
    },
    /// A file was read but does not hold what it should.
    #[error("{0}")]
    Data(String),
}

/// `Result` with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::Faults(Faults::of(vec![fault]))
    }
}

impl Fault {
    /// The error of a file that does not hold what it should.
    pub fn data(self) -> Error {
        Error::Faults(Faults { kind: FaultKind::Data, ..Faults::of(vec![self]) })
    }
}

impl Faults {
    /// An error if there is a fault.
    pub fn check(self) -> Result<()> {
        if self.list.is_empty() { Ok(()) } else { Err(Error::Faults(self)) }
    }
}

impl Error {
    /// Exit code of the command line: 2 usage, 3 no adapter, 4 device lost, 5 capacity, 6 numerical, 7 input/output.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::NoAdapter(_) => 3,
            Error::DeviceLost(_) => 4,
            Error::Capacity(_) => 5,
            Error::Numerical(_) => 6,
            Error::Io { .. } | Error::Data(_) => 7,
            Error::Faults(faults) => match faults.kind {
                FaultKind::Usage => 2,
                FaultKind::Capacity => 5,
                FaultKind::Data => 7,
            },
        }
    }

    /// What went wrong, one entry a fault; an error that is not about a file has one without a place.
    pub fn faults(&self) -> Vec<Fault> {
        match self {
            Error::Faults(faults) => faults.list.clone(),
            Error::Io { path, source } => vec![Fault::new(source.to_string()).file(path.display().to_string())],
            other => vec![Fault::new(other.to_string())],
        }
    }

    /// The error for machines: its exit code and its faults with file, line, key, what and remedy.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({ "error": { "exit_code": self.exit_code(), "faults": self.faults() } })
    }

    /// True if there was no room on a disk, or none within a quota.
    pub fn is_disk_full(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Error::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }

    /// Wraps a system error with the path it happened at.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Error::Io { path: path.into(), source }
    }
}
