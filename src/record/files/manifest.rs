//! `manifest.json`: what ran, on what, and how it ended.

use super::status::RunStatus;
use crate::base::disk::write_atomic;
use crate::base::error::Result;
use crate::base::{disk, json};
use crate::model::scenario::Impact;
use crate::model::stored::names::MANIFEST;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// File of the manifest in a run directory.
pub const FILE: &str = MANIFEST;

/// Most bytes of the message that says why a run ended.
const ROOM: usize = 1024;

/// The manifest.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// version of the program
    pub version: String,
    /// scenario name
    pub scenario: String,
    /// sha-256 of the resolved scenario
    pub scenario_hash: String,
    /// sha-256 of each file or run that the scenario names, by the key that names it
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// seed
    pub seed: u64,
    /// engine, device, driver
    pub engine: String,
    /// threads of the CPU, on lavapipe
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// law of the first pair of materials
    pub law: String,
    /// bodies
    pub bodies: usize,
    /// (s)
    pub time_step_s: f64,
    /// why
    pub time_step_reason: String,
    /// steps of the whole run
    pub steps: u64,
    /// of a scenario with `[collision]`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collision: Option<Impact>,
    /// how far it has come
    pub status: RunStatus,
    /// one sentence on the end
    pub ended: String,
    /// what is to be known of the numbers: a time step too long for the ledger, energy that the ledger does not account for
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Manifest {
    /// Writes it into a run directory. While the run lasts there is room behind it, see [`Manifest::write_last`].
    pub fn write(&self, run: &Path) -> Result<()> {
        let room = if self.status == RunStatus::Running { " ".repeat(ROOM) } else { String::new() };
        write_atomic(&run.join(FILE), (json::pretty(self)? + &room + "\n").as_bytes())
    }

    /// Writes it at the end of a run. On a full disk it overwrites the old one in place.
    pub fn write_last(&self, run: &Path) -> Result<()> {
        match self.write(run) {
            Err(e) if e.is_disk_full() => {
                disk::write_in_place(&run.join(FILE), (json::pretty(self)? + "\n").as_bytes())
            }
            end => end,
        }
    }

    /// Reads it if it is there.
    pub fn read_if_there(run: &Path) -> Result<Option<Manifest>> {
        json::read_if_there(&run.join(FILE))
    }

    /// Reads it.
    pub fn read(run: &Path) -> Result<Manifest> {
        json::read(&run.join(FILE))
    }
}
