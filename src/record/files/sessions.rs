//! `sessions.json`: who computed a run, where, when and how long. Each process that works on a run is a session; a resume is
//! one of its own. Kept apart from the manifest, which repeats byte for byte.

use super::status::RunStatus;
use crate::base::error::Result;
use crate::base::version::version;
use crate::base::{json, machine};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;

/// Name of the file in a run directory.
pub const FILE: &str = "sessions.json";

/// The adapter that computes a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adapter {
    /// the driver's name of the device
    pub name: String,
    /// `DiscreteGpu`, `IntegratedGpu`, `VirtualGpu`, `Cpu` (software) or `Other`
    pub kind: String,
    /// `Vulkan`, `Metal` or `Dx12`
    pub backend: String,
    /// driver name and version
    pub driver: String,
    /// address on the PCI bus, such as `0000:c1:00.0`; none where the driver does not say
    pub pci: Option<String>,
    /// it computes on the CPU
    pub software: bool,
    /// threads that it computes with, if it is lavapipe
    pub threads: Option<usize>,
    /// why it was chosen
    pub why: String,
}

/// What one process did for a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// version of the program, with the commit if it knows it
    pub version: String,
    /// words of the command line
    pub command: Vec<String>,
    /// working folder
    pub folder: String,
    /// name of the machine
    pub host: String,
    /// number of the process
    pub process: u32,
    /// UTC
    pub started: Timestamp,
    /// UTC; none while it goes on, and of a process that was killed
    pub ended: Option<Timestamp>,
    /// UTC: when this was last written, which is with every checkpoint
    pub written: Timestamp,
    /// wall time until then (s)
    pub wall_s: f64,
    /// the most memory that the process held at once until then (bytes); none where the system does not say
    pub peak_memory_bytes: Option<u64>,
    /// step at its start
    pub from_step: u64,
    /// step when this was last written
    pub to_step: u64,
    /// as in the manifest
    pub status: RunStatus,
    /// none: the reference engine, or an engine of the caller
    pub adapter: Option<Adapter>,
    /// how the device of the session before was lost, where the same process went on by itself
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_loss: Option<String>,
}

/// The sessions of a run, oldest first; none of one that was made by a version that recorded none.
pub fn read(run: &Path) -> Result<Vec<Session>> {
    Ok(json::read_if_there(&run.join(FILE))?.unwrap_or_default())
}

/// The session of this process, and those before it.
#[derive(Debug)]
pub struct Present {
    earlier: Vec<Session>,
    session: Session,
    begun: Instant,
}

impl Present {
    /// It begins now.
    pub fn begin() -> Present {
        let now = machine::now();
        let session = Session {
            version: version().into(),
            command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
            folder: std::env::current_dir().map_or_else(|_| String::new(), |f| f.to_string_lossy().into_owned()),
            host: machine::host(),
            process: std::process::id(),
            started: now,
            ended: None,
            written: now,
            wall_s: 0.0,
            peak_memory_bytes: None,
            from_step: 0,
            to_step: 0,
            status: RunStatus::Running,
            adapter: None,
            after_loss: None,
        };
        Present { earlier: vec![], session, begun: Instant::now() }
    }

    /// Takes up what the run has of sessions before. What cannot be read is lost, which a message says: the run is worth more.
    pub fn take_up(&mut self, run: &Path, from_step: u64, adapter: Option<&Adapter>) {
        self.earlier = read(run).unwrap_or_else(|e| {
            tracing::warn!("{e}; the record of sessions begins anew");
            vec![]
        });
        (self.session.from_step, self.session.adapter) = (from_step, adapter.cloned());
    }

    /// It goes on after the loss of a device.
    pub fn after_loss(&mut self, loss: String) {
        self.session.after_loss = Some(loss);
    }

    /// Writes how far it has come. The record of times is worth less than the run, which goes on where it cannot be written.
    pub fn note(&mut self, run: &Path, step: u64, status: RunStatus, ended: bool) {
        let now = machine::now();
        let session = &mut self.session;
        (session.written, session.wall_s) = (now, self.begun.elapsed().as_secs_f64());
        (session.to_step, session.status) = (step, status);
        (session.ended, session.peak_memory_bytes) = (ended.then_some(now), machine::peak_memory_bytes());
        let all: Vec<&Session> = self.earlier.iter().chain([&*session]).collect();
        if let Err(e) = json::write(&run.join(FILE), &all) {
            tracing::debug!("{e}");
        }
    }
}
