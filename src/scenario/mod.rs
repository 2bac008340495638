//! From TOML to a checked scenario and its bodies: [`parse`] reads and checks, [`generate`] makes the bodies, [`inputs`] are
//! the files that a scenario names.
//!
//! This floor imports from [`crate::physics`] and below.

mod apart;
mod asteroid;
pub mod collision;
pub mod generate;
mod gravity;
pub mod inputs;
mod levels;
pub mod made;
mod material;
mod method;
pub(crate) mod overlap;
pub mod parse;
pub(crate) mod paths;
pub mod place;
mod region;
pub(crate) mod rest;
mod shape;
pub mod site;
pub mod sizes;
mod source;
mod table;
pub(crate) mod turning;
mod wall;

use crate::base::error::Result;
use crate::model::scenario::{Scenario, Source};
use include_dir::{Dir, include_dir};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// A scenario that comes with the program.
pub struct BuiltIn {
    /// name that commands take
    pub name: String,
    /// its title
    pub title: String,
    /// the file
    pub text: &'static str,
}

/// All built-in scenarios, by name.
pub fn built_in() -> Vec<BuiltIn> {
    let read = |f: &'static include_dir::File| {
        let name = f.path().file_stem()?.to_str()?.to_owned();
        let text = f.contents_utf8()?;
        let title = text.lines().find_map(|l| l.strip_prefix("title = "))?.trim_matches('"').to_owned();
        Some(BuiltIn { name, title, text })
    };
    let mut list: Vec<BuiltIn> = BUILT_IN.files().filter_map(read).collect();
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}

/// Name and text of all built-in campaigns, by name: they have a folder of their own, since they are not scenarios.
pub fn built_in_campaigns() -> Vec<(String, &'static str)> {
    let read = |f: &'static include_dir::File| Some((f.path().file_stem()?.to_str()?.to_owned(), f.contents_utf8()?));
    let folder = BUILT_IN.get_dir("campaigns");
    let mut list: Vec<_> = folder.into_iter().flat_map(Dir::files).filter_map(read).collect();
    list.sort();
    list
}

/// sha-256 of a scenario as it was read, and of what it names: two that say the same have the same, wherever they are.
pub fn fingerprint(scenario: &Scenario) -> Result<String> {
    inputs::Sums::default().fingerprint(scenario)
}

/// Reads and checks a scenario; `overrides` are `path=value`.
pub fn load(path_or_name: &str, overrides: &[String]) -> Result<Scenario> {
    Source::find(path_or_name)?.parse(overrides)
}
