//! `manifest.json`: what ran, on what, and how it ended.

use super::json;
use crate::engine::Timing;
use crate::error::Result;
use crate::scenario::model::Impact;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The manifest.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// version of the program
    pub version: String,
    /// scenario name
    pub scenario: String,
    /// sha-256 of the resolved scenario
    pub scenario_hash: String,
    /// seed
    pub seed: u64,
    /// engine, device, driver
    pub engine: String,
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
    /// running, done, stopped, failed
    pub status: String,
    /// one sentence on the end
    pub ended: String,
    /// where time went since the run was started or last resumed; only if it was asked for
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

impl Manifest {
    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        json::write(&run.join("manifest.json"), self)
    }

    /// Reads it.
    pub fn read(run: &Path) -> Result<Manifest> {
        json::read(&run.join("manifest.json"))
    }
}
