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

    /// A guard that stopped a run of soft spheres, and the remedies: the step, the body's id, what is wrong, the time
    /// step (s).
    pub fn guard(step: u64, id: u32, what: &str, dt_s: f64) -> Self {
        Error::Numerical(format!(
            "step {step}, body {id}: {what}; the time step is {dt_s} s: raise `speed_max_m_s` (a stiffer contact and a shorter step), or `guards.overlap_max` if the overlap is meant"
        ))
    }

    /// A limit of what one invocation of a pass takes, whose remedy does not concern speeds.
    pub fn guard_size(step: u64, who: Option<String>, what: &str, way_out: &str) -> Self {
        let who = who.map_or(String::new(), |who| format!(", {who}"));
        Error::Numerical(format!("step {step}{who}: {what}; {way_out}"))
    }

    /// A guard that stopped a run of contact dynamics; `id` only if one body is to blame.
    pub fn guard_rigid(step: u64, id: Option<u32>, what: &str, dt_s: f64) -> Self {
        let body = id.map_or(String::new(), |id| format!(", body {id}"));
        Error::Numerical(format!(
            "step {step}{body}: {what}; the time step is {dt_s} s: lower `run.time_step_s`, or the speeds at the start"
        ))
    }

    /// A step of contact dynamics that `on_budget = "stop"` ends a run for, and the remedies.
    pub fn over_budget(step: u64, residual: f32, tolerance: f32, iterations: u32) -> Self {
        Error::Numerical(format!(
            "step {step}: after {iterations} iterations the residual is {residual:.1e}, tolerance {tolerance:.1e}: raise `contact_dynamics.iterations_max` or `contact_dynamics.tolerance`, lower `run.time_step_s`, or go on with `contact_dynamics.on_budget = \"warn\"`, which counts such steps in the series"
        ))
    }

    /// An energy ledger that drifts, and the remedies; `what`: how far.
    pub fn energy(step: u64, what: &str, limit: f64) -> Self {
        Error::Numerical(format!(
            "step {step}: {what}, above guards.energy_residual_max = {limit}: lower `run.time_step_s` or `run.time_step_fraction`, try `breccia verify` on this device, or raise the guard; `breccia resume` goes on from the checkpoint of this step"
        ))
    }

    /// A guard that a wall answering to force ran into.
    pub fn guard_wall(step: u64, name: &str, what: &str, dt_s: f64) -> Self {
        Error::Numerical(format!(
            "step {step}, wall `{name}`: {what}; the time step is {dt_s} s: give the wall a servo_speed_max_m_s, lower its servo_force_n, or lower `run.time_step_s`"
        ))
    }

    /// A device that took work and did none of it.
    pub fn idle(step: u32) -> Self {
        Error::DeviceLost(format!("step {step}: the device took the work and did nothing; see `breccia doctor`"))
    }

    /// Wraps a system error with the path it happened at.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Error::Io { path: path.into(), source }
    }
}
