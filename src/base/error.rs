//! The one error type at the library's border, and the exit code that each kind has on the command line.

use crate::base::exit_code;
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
    /// Exit code of the command line, one of [`exit_code::EXIT_CODES`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => exit_code::USAGE,
            Error::NoAdapter(_) => exit_code::NO_ADAPTER,
            Error::DeviceLost(_) => exit_code::DEVICE_LOST,
            Error::Capacity(_) => exit_code::CAPACITY,
            Error::Numerical(_) => exit_code::NUMERICAL,
            Error::Io { .. } | Error::Data(_) => exit_code::FILE,
            Error::Faults(faults) => match faults.kind {
                FaultKind::Usage => exit_code::USAGE,
                FaultKind::Capacity => exit_code::CAPACITY,
                FaultKind::Data => exit_code::FILE,
            },
        }
    }

    /// What went wrong, one entry a fault; an error that is not about a file has one without a spot.
    pub fn faults(&self) -> Vec<Fault> {
        match self {
            Error::Faults(faults) => faults.list.clone(),
            Error::Io { path, source } => vec![Fault::new(source.to_string()).file(path.display().to_string())],
            other => vec![Fault::new(other.to_string())],
        }
    }

    /// The error for machines: its exit code, its words, and its faults with file, line, key, what and remedy.
    pub fn json(&self) -> serde_json::Value {
        let (code, words) = (self.exit_code(), self.to_string());
        serde_json::json!({ "error": { "exit_code": code, "message": words, "faults": self.faults() } })
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
