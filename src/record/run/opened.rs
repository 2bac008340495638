//! How a run was opened: on which adapter, from which checkpoint, for how many steps.

use std::path::PathBuf;

/// The checkpoint that a run was resumed from.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// its file
    pub path: PathBuf,
    /// its step
    pub step: u64,
    /// newer checkpoints, and what is wrong with each or with the files that it counts on
    pub passed_over: Vec<(PathBuf, String)>,
    /// what was wrong with folders of what never changes of the bodies, which were written again
    pub written_again: Vec<String>,
}
