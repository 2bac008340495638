//! What a run leaves in its directory, and what other commands add to it.

use super::{checkpoint, inputs, manifest, quantities, series, sessions, timing};
use crate::model::stored::names::{ANALYSIS, EXPORT, FRAMES, MOVIES, PICTURES, PLOTS, REPORT};
use crate::model::stored::{frame_arrays, resolved, shapes};
use crate::record::run::settings::{AS_RUN_FILE, SETTINGS_FILE, SOURCE_FILE};

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
