//! Where the directory of a campaign has its cases.

use super::model::Case;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::stored::names::PLOTS;
use crate::record::files::directory::{CAMPAIGN, CASES};
use crate::record::files::lock;
use std::path::{Path, PathBuf};

/// The table of all cases.
pub const TABLE: &str = "campaign.csv";
/// The text of the campaign as it was begun.
pub(super) const COPY: &str = "campaign.toml";
/// What came of its expectations.
pub(super) const EXPECTATIONS: &str = "expectations.json";
/// Where the time of the steps of each case went.
pub(super) const TIMING: &str = "timing.csv";
/// How long each case took.
pub(super) const WALL_TIMES: &str = "wall_times.csv";
/// What the runs said.
pub(super) const LOGS: &str = "logs";

/// What a campaign writes into its directory.
const OWN: [&str; 10] = [TABLE, COPY, CAMPAIGN, EXPECTATIONS, TIMING, WALL_TIMES, lock::FILE, CASES, LOGS, PLOTS];

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
    path.join(LOGS).join(format!("{}.log", case.name))
}

/// Refuses a file of the user where the campaign itself writes into its directory: one of the two would be lost.
pub fn refuse_own(file: &Path, directory: &Path) -> Result<()> {
    let whole = |path: &Path| {
        let absolute = || std::path::absolute(path).map_err(|e| Error::io(path, e));
        path.canonicalize().or_else(|_| absolute())
    };
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let at = whole(folder)?.join(file.file_name().unwrap_or_default());
    let directory = whole(directory)?;
    let inside = at.strip_prefix(&directory).ok().and_then(|inside| inside.iter().next());
    match inside.filter(|name| OWN.iter().any(|own| name == own)) {
        Some(name) => Err(Fault::new(format!("the campaign writes its own `{}` there", name.to_string_lossy()))
            .remedy("name a file outside of its directory")
            .path(file)
            .into()),
        None => Ok(()),
    }
}
