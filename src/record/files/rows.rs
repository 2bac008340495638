//! The series of a run for those who read it. It warns of rows that are gone, although a checkpoint or the record of sessions
//! counts them.

use super::manifest::Manifest;
use super::series::{self, Rows};
use super::status::RunStatus;
use super::{checkpoint, sessions};
use crate::base::error::Result;
use crate::base::input;
use std::path::Path;

/// Reads the series of a run, with a warning if rows are missing or damaged.
pub fn read(run: &Path) -> Result<Rows> {
    if let Some(what) = fault(run) {
        tracing::warn!("{what}; what is shown lacks these rows");
    }
    series::read(&run.join(series::FILE))
}

/// What is wrong with the series, by the newest checkpoint whose head can be read, and in a run that has ended by its last line.
pub fn fault(run: &Path) -> Option<String> {
    let path = run.join(series::FILE);
    let head = checkpoint::list(run).iter().rev().find_map(|file| checkpoint::head(file));
    let counted = head.and_then(|head| series::fault(&path, head.rows, &head.series));
    counted.or_else(|| ended_early(run, &path))
}

/// The fault of a series that ends before its run did.
fn ended_early(run: &Path, path: &Path) -> Option<String> {
    let status = Manifest::read(run).ok()?.status;
    let text = input::read_data_text(path).ok()?;
    if status != RunStatus::Running && !text.ends_with('\n') {
        return Some(format!("{}: its last row is cut off", path.display()));
    }
    let (columns, rows) = series::read(path).ok().filter(|_| status == RunStatus::Done)?;
    let step = columns.iter().position(|c| c == "step").and_then(|k| Some(*rows.last()?.get(k)?)).unwrap_or(0.0);
    let end = sessions::read(run).ok()?.last()?.to_step as f64;
    (step < end).then(|| format!("{}: ends at step {step}, and the run ended at step {end}", path.display()))
}
