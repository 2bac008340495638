//! `timing.json`: where the wall time of the steps of a run went, if it was asked for. Kept apart from the manifest and the
//! series, which do not depend on who looks at the clock.

use crate::base::error::Result;
use crate::base::json;
use crate::engine::{Phase, Timing};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in a run directory.
pub const FILE: &str = "timing.json";

/// Times of steps, those of several processes together where one went on from the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// "timestamps" of the device, or "wall": of submissions one by one; of the last process
    pub clock: String,
    /// steps whose time was taken
    pub steps: u64,
    /// the last of them
    pub to_step: u64,
    /// in the order of a step; rows, frames and checkpoints are not phases
    pub phases: Vec<Phase>,
}

impl Timed {
    /// What one process measured from a step to another, behind what was measured `earlier`.
    pub fn new(timing: Timing, from_step: u64, to_step: u64, earlier: Option<&Timed>) -> Timed {
        let mut phases = earlier.map_or(vec![], |e| e.phases.clone());
        for phase in timing.phases {
            match phases.iter_mut().find(|p| p.name == phase.name) {
                Some(sum) => sum.seconds += phase.seconds,
                None => phases.push(phase),
            }
        }
        let all: f64 = phases.iter().map(|p| p.seconds).sum();
        phases.iter_mut().for_each(|p| p.share = if all > 0.0 { p.seconds / all } else { 0.0 });
        let steps = earlier.map_or(0, |e| e.steps) + to_step.saturating_sub(from_step);
        Timed { clock: timing.clock, steps, to_step, phases }
    }

    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        json::write(&run.join(FILE), self)
    }

    /// Reads it; none if the run has none.
    pub fn read(run: &Path) -> Result<Option<Timed>> {
        json::read_if_there(&run.join(FILE))
    }
}
