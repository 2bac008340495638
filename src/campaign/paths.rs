//! Where the directory of a campaign has its cases.

use super::model::Case;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::stored::names::PLOTS;
use crate::record::files::directory::{CAMPAIGN, CASES};
use crate::record::files::lock;
use std::path::{Path, PathBuf};

/// What a campaign writes into its directory.
const OWN: [&str; 10] = [
    "campaign.csv",
    "campaign.toml",
    CAMPAIGN,
    "expectations.json",
    "timing.csv",
    "wall_times.csv",
    lock::FILE,
    CASES,
    "logs",
    PLOTS,
];

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
