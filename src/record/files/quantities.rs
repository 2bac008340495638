//! `quantities.json`: what a finished run showed, and how that compares with what its scenario expects.

use crate::base::error::Result;
use crate::base::json;
use crate::physics::measure::outcome::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the file in a run directory.
pub const FILE: &str = "quantities.json";

/// Quantities of a whole run, named and with units as in [`crate::physics::measure::outcome::QUANTITIES`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Quantities {
    /// those that the run shows; none where a value is not finite
    pub quantities: BTreeMap<String, Option<f64>>,
    /// in the order of the scenario's `[expect]`
    pub expect: Vec<Verdict>,
}

impl Quantities {
    /// Collects what was found and judged.
    pub fn new(found: &BTreeMap<String, f64>, verdicts: &[Verdict]) -> Quantities {
        let finite = |(name, value): (&String, &f64)| (name.clone(), Some(*value).filter(|v| v.is_finite()));
        Quantities { quantities: found.iter().map(finite).collect(), expect: verdicts.to_vec() }
    }

    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        json::write(&run.join(FILE), self)
    }

    /// Reads it.
    pub fn read(run: &Path) -> Result<Quantities> {
        json::read(&run.join(FILE))
    }
}
