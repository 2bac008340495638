//! What shells offer for scenarios and keys: `source <(COMPLETE=bash breccia)` switches it on.

use breccia::scenario::bundled::built_in;
use breccia::scenario::keys;
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use std::ffi::OsStr;

/// Keys of a scenario, and words that they take.
pub(super) fn settings(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let candidate = |(text, says): (String, &'static str)| CompletionCandidate::new(text).help(Some(says.into()));
    keys::completions(&typed).into_iter().map(candidate).collect()
}

/// Built-in scenarios, and files.
pub(super) fn scenarios(typed: &OsStr) -> Vec<CompletionCandidate> {
    let begun = typed.to_string_lossy();
    let named = built_in().into_iter().filter(|b| b.name.starts_with(begun.as_ref()));
    named.map(|b| CompletionCandidate::new(b.name)).chain(PathCompleter::file().complete(typed)).collect()
}
