//! The folder plots/ of a campaign holds what its table shows today: pictures of an earlier table, or of plots that the campaign
//! has no more, go.

use crate::base::disk::remove;
use crate::base::error::Result;
use crate::base::json;
use crate::model::stored::names::PLOTS;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Keys of the file of a plot's numbers, and of that of a picture's panels: they mark what a campaign has drawn.
const MARKS: [&[&str]; 2] = [&["names", "shape", "panels", "left_out", "missing"], &["title", "columns", "panels"]];

/// Removes what a campaign has drawn before, but for `files` and what has one of the names `kept`. Files of the user stay.
pub fn remove_outdated(directory: &Path, files: &[PathBuf], kept: &[&str]) -> Result<()> {
    let stem = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let drawn: HashSet<String> = files.iter().filter_map(|file| stem(file)).collect();
    for entry in std::fs::read_dir(directory.join(PLOTS)).into_iter().flatten().flatten() {
        let numbers = entry.path();
        let is_json = numbers.extension().is_some_and(|kind| kind == "json");
        let Some(name) = stem(&numbers).filter(|name| is_json && !drawn.contains(name)) else { continue };
        if !kept.contains(&name.as_str()) && is_marked(&numbers) {
            for kind in ["svg", "png", "json"] {
                remove(&numbers.with_file_name(format!("{name}.{kind}")))?;
            }
        }
    }
    Ok(())
}

fn is_marked(numbers: &Path) -> bool {
    let Ok(found) = json::read::<Map<String, Value>>(numbers) else { return false };
    MARKS.iter().any(|keys| found.len() == keys.len() && keys.iter().all(|key| found.contains_key(*key)))
}
