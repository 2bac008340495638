//! A scenario before it is read: its text, where that comes from, and the keys that are to be changed.

use super::bundled::{built_in, built_in_campaigns};
use super::parse::{parse_in, parse_source};
use crate::base::error::{Error, Result};
use crate::base::input;
use crate::base::reader::nearest;
use crate::model::scenario::{Scenario, Source};
use std::path::{Path, PathBuf};

/// Name of a scenario's text that is in no file, for messages.
const NO_FILE: &str = "scenario.toml";

impl Source {
    /// The text of a file, or of the built-in scenario of that name.
    pub fn find(path_or_name: &str) -> Result<Source> {
        let path = Path::new(path_or_name);
        let built_in_folder = path.is_dir() && built_in().iter().any(|b| b.name == path_or_name);
        if path.exists() && !built_in_folder {
            let text = input::read_text(path)?;
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(Source {
                text,
                file: path_or_name.to_owned(),
                folder: absolute(folder)?,
                set: vec![],
                law: None,
            });
        }
        if let Some(b) = built_in().into_iter().find(|b| b.name == path_or_name) {
            let (text, file) = (b.text.to_owned(), format!("scenarios/{}.toml", b.name));
            return Ok(Source { text, file, folder: absolute(Path::new("."))?, set: vec![], law: None });
        }
        if built_in_campaigns().iter().any(|(name, _)| name == path_or_name) {
            let remedy = format!("`breccia sweep {path_or_name}` runs it, with --dry-run it tells what that would do");
            return Err(Error::Usage(format!("{path_or_name}: is a campaign, not a scenario; {remedy}")));
        }
        let with_ending = path.with_added_extension("toml");
        if with_ending.is_file() {
            return Err(Error::Usage(format!("{path_or_name}: no such file; name {}", with_ending.display())));
        }
        let names: Vec<String> = built_in().into_iter().map(|b| b.name).collect();
        let hint = nearest(path_or_name, names.iter().map(String::as_str));
        Err(Error::Usage(format!("{path_or_name}: no such file or built-in scenario; {hint}")))
    }

    /// Reads and checks it with these keys changed, each as `key=value`, in the place of those that `set` names.
    pub fn parse(&self, overrides: &[String]) -> Result<Scenario> {
        parse_source(self, overrides)
    }
}

impl Scenario {
    /// Reads and checks a scenario: a file, or the name of a built-in one.
    pub fn load(path_or_name: &str) -> Result<Scenario> {
        Source::find(path_or_name)?.parse(&[])
    }

    /// Reads and checks a scenario written in TOML, as in a file; paths in it count from the current folder. The error
    /// lists all faults, each with its line and key.
    ///
    /// ```
    /// let scenario = breccia::Scenario::from_toml(
    ///     r#"
    ///     format = 1
    ///     run.duration_s = 0.1
    ///     [[material]]
    ///     density_kg_m3 = 2500
    ///     speed_max_m_s = 0.1
    ///     restitution_normal = 0.5
    ///     friction_sliding = 0.5
    ///     [[bodies]]
    ///     generator = "list"
    ///     body = [{ position_m = [0, 0, 0], radius_m = 0.01 }]
    ///     "#,
    /// )?;
    /// assert_eq!(scenario.materials[0].density_kg_m3, 2500.0);
    /// # Ok::<(), breccia::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Scenario> {
        parse_in(text, NO_FILE, &absolute(Path::new("."))?, &[])
    }

    /// The scenario with one key changed, read and checked again: `scenario.with("material.rock.friction_sliding", 0.8)`.
    /// Words and lists are written as in TOML; a word needs no quotes. The text is read anew, so a scenario whose fields were
    /// set since is refused: change keys first, and then set fields.
    pub fn with(&self, key: &str, value: impl std::fmt::Display) -> Result<Scenario> {
        let source = self.source.as_ref().ok_or_else(|| {
            Error::Usage(format!("{}: {key}: this scenario was not read from a text; set its field instead", self.name))
        })?;
        if !self.is_as_read(source)? {
            let remedy = "change keys before fields, or set its field instead";
            return Err(Error::Usage(format!(
                "{}: {key}: fields of this scenario were set after it was read, and a change of a key reads it again; {remedy}",
                self.name
            )));
        }
        let same_key = |set: &String| set.split_once('=').is_some_and(|(k, _)| k.trim() == key.trim());
        let mut set: Vec<String> = source.set.iter().filter(|set| !same_key(set)).cloned().collect();
        set.push(format!("{key}={value}"));
        source.parse(&set)
    }

    /// True if it says what its text says.
    pub fn is_as_read(&self, source: &Source) -> Result<bool> {
        let text = |s: &Scenario| serde_json::to_string(s).map_err(|e| Error::Data(e.to_string()));
        Ok(text(&source.parse(&source.set)?)? == text(self)?)
    }
}

fn absolute(folder: &Path) -> Result<PathBuf> {
    std::path::absolute(folder).map_err(|e| Error::io(folder, e))
}
