//! Where the paths of a scenario count from, and the name that its file gives it.

use crate::base::reader::Table;
use crate::model::stored::frames::has_frames;
use std::path::Path;

/// A run directory in the scenario's folder, or below the current folder, where runs are made; a fault if both exist.
pub(super) fn run_at(t: &Table, typed: String, folder: &Path) -> String {
    let (beside, here) = (folder.join(&typed), Path::new(&typed));
    if folder.as_os_str().is_empty() || here.is_absolute() || !has_frames(&beside) {
        return typed;
    }
    let same = || beside.canonicalize().ok().zip(here.canonicalize().ok()).is_some_and(|(a, b)| a == b);
    if has_frames(here) && !same() {
        t.fault(
            "path",
            format!(
                "\"{typed}\" is a run in {}, next to the scenario, and another one in the current folder",
                folder.display()
            ),
            "write one of the two as an absolute path",
        );
    }
    beside.to_string_lossy().into_owned()
}

/// A name from the file's, which must name a folder.
pub(crate) fn stem(root: &Table, file: &str) -> String {
    let stem = Path::new(file).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    if stem.chars().all(|c| c == '.') || stem.contains(['\n', '\r', '\0']) {
        root.fault(
            "name",
            format!("is missing, and the name of the file {file:?} cannot be a name"),
            "add name = \"...\", or rename the file",
        );
    }
    stem
}
