//! Where the directory of a campaign has its cases.

use super::model::Case;
use crate::record::files::directory::CASES;
use std::path::{Path, PathBuf};

/// The run directory of a case of this name.
pub(super) fn run_at(path: &Path, case: &str) -> PathBuf {
    path.join(CASES).join(case)
}

/// The run directory of a case.
pub fn run_of(path: &Path, case: &Case) -> PathBuf {
    run_at(path, &case.name)
}

/// What the run of a case said.
pub fn log_of(path: &Path, case: &Case) -> PathBuf {
    path.join("logs").join(format!("{}.log", case.name))
}
