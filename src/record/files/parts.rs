//! What a run leaves in its directory, and what other commands add to it.

use super::manifest::Manifest;
use super::settings::{AS_RUN_FILE, SETTINGS_FILE, SOURCE_FILE, Settings};
use super::{checkpoint, inputs, manifest, quantities, series, sessions, timing};
use crate::base::json;
use crate::model::stored::names::{ANALYSIS, EXPORT, FRAMES, MEASURED, MOVIES, PICTURES, PLOTS, REPORT};
use crate::model::stored::{frame_arrays, resolved, shapes};
use std::path::Path;

/// File that says why a case of a campaign failed.
pub const FAILURE: &str = "failure.json";

/// What a run writes first, besides its manifest. A new run replaces these files and tidies the folders.
pub(super) const KEPT: [&str; 10] = [
    series::FILE,
    SOURCE_FILE,
    SETTINGS_FILE,
    resolved::FILE,
    AS_RUN_FILE,
    sessions::FILE,
    inputs::FILE,
    inputs::FOLDER,
    FRAMES,
    checkpoint::FOLDER,
];

/// What a new run in the same directory would not replace, and has to remove; inputs apart, which are named by what they hold.
pub(super) fn outdated() -> impl Iterator<Item = &'static str> {
    let of_run = [checkpoint::FOLDER, FRAMES, shapes::FOLDER, frame_arrays::FOLDER];
    let of_end = [quantities::FILE, timing::FILE, sessions::FILE];
    let added = [PICTURES, PLOTS, ANALYSIS, EXPORT, REPORT];
    of_run.into_iter().chain(of_end).chain(added).chain(MOVIES)
}

/// What is written under a temporary name, which a run that is cut off may leave.
pub(super) fn under_way() -> impl Iterator<Item = &'static str> {
    let others = [manifest::FILE, quantities::FILE, timing::FILE, FAILURE, shapes::FOLDER, frame_arrays::FOLDER];
    KEPT.into_iter().chain(others)
}

/// Something in a directory that has the name of a part of a run.
pub(super) fn left(path: &Path) -> Option<&'static str> {
    [manifest::FILE].into_iter().chain(KEPT).chain(outdated()).find(|name| path.join(name).exists())
}

/// True if a run has left its marks in a directory: a file that only a run writes, and that can be read.
pub(super) fn are_of_a_run(path: &Path) -> bool {
    Manifest::read(path).is_ok()
        || json::read::<Settings>(&path.join(SETTINGS_FILE)).is_ok()
        || path.join(ANALYSIS).join(MEASURED).is_file()
        || sessions::read(path).is_ok_and(|list| !list.is_empty())
        || checkpoint::list(path).iter().any(|file| checkpoint::read(file).is_ok())
}
