//! `quantities.json`: what a finished run showed, and how that compares with what its scenario expects.

use crate::diagnostics::outcome::Verdict;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the file in a run directory.
pub const FILE: &str = "quantities.json";

/// Quantities of a whole run, named and with units as in [`crate::diagnostics::outcome::QUANTITIES`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Quantities {
    /// those that the run shows; none where a value is not finite
    pub quantities: BTreeMap<String, Option<f64>>,
    /// in the order of the scenario's `[expect]`
    pub expect: Vec<Verdict>,
}

impl Quantities {
    /// Of what was found and judged.
    pub fn new(found: &BTreeMap<String, f64>, verdicts: &[Verdict]) -> Quantities {
        let finite = |(name, value): (&String, &f64)| (name.clone(), Some(*value).filter(|v| v.is_finite()));
        Quantities { quantities: found.iter().map(finite).collect(), expect: verdicts.to_vec() }
    }

    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(|e| Error::Data(e.to_string()))?;
        super::write_atomic(&run.join(FILE), (text + "\n").as_bytes())
    }

    /// Reads it.
    pub fn read(run: &Path) -> Result<Quantities> {
        let path = run.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
        serde_json::from_str(&text).map_err(|e| Error::Data(format!("{}: {e}", path.display())))
    }
}
