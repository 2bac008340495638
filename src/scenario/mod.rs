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
mod table;
pub(crate) mod turning;
mod wall;

use crate::base::error::{Error, Result};
use crate::base::input;
use crate::base::reader::nearest;
use crate::model::scenario::Scenario;
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};

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

/// A scenario that is not read yet.
#[derive(Debug, Clone)]
pub struct Source {
    /// its text
    pub text: String,
    /// its file, for messages
    pub file: String,
    /// where its paths count from: the folder of a file, the current one of a built-in scenario
    pub folder: PathBuf,
}

impl Source {
    /// Reads and checks it; `overrides` are `path=value`.
    pub fn parse(&self, overrides: &[String]) -> Result<Scenario> {
        parse::parse_in(&self.text, &self.file, &self.folder, overrides)
    }
}

/// A scenario by its path, or by the name of a built-in one.
pub fn source(path_or_name: &str) -> Result<Source> {
    let path = Path::new(path_or_name);
    let absolute = |folder: &Path| std::path::absolute(folder).map_err(|e| Error::io(folder, e));
    let built_in_folder = path.is_dir() && built_in().iter().any(|b| b.name == path_or_name);
    if path.exists() && !built_in_folder {
        let text = input::read_text(path)?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return Ok(Source { text, file: path_or_name.to_owned(), folder: absolute(folder)? });
    }
    if let Some(b) = built_in().into_iter().find(|b| b.name == path_or_name) {
        let (text, file) = (b.text.to_owned(), format!("scenarios/{}.toml", b.name));
        return Ok(Source { text, file, folder: absolute(Path::new("."))? });
    }
    let names: Vec<String> = built_in().into_iter().map(|b| b.name).collect();
    let hint = nearest(path_or_name, names.iter().map(String::as_str));
    Err(Error::Usage(format!("{path_or_name}: no such file or built-in scenario; {hint}")))
}

/// sha-256 of a scenario as it was read, and of what it names: two that say the same have the same, wherever they are.
pub fn fingerprint(scenario: &Scenario) -> Result<String> {
    inputs::Sums::default().fingerprint(scenario)
}

/// Reads and checks a scenario; `overrides` are `path=value`.
pub fn load(path_or_name: &str, overrides: &[String]) -> Result<Scenario> {
    source(path_or_name)?.parse(overrides)
}
