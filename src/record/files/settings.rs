//! What a run directory says of its scenario and of how the run was asked for.

use super::inputs::{self, Input};
use crate::base::disk::write_atomic;
use crate::base::error::Result;
use crate::base::json;
use crate::engine::open::EngineKind;
use crate::model::scenario::{Scenario, Source};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The scenario as it was given.
pub const SOURCE_FILE: &str = "scenario.toml";
/// The scenario as it was run, which runs as it is: each `--set` in its place, paths to the copies of the inputs.
pub const AS_RUN_FILE: &str = "resolved.toml";
/// How the run was asked for.
pub const SETTINGS_FILE: &str = "settings.json";

/// `settings.json`: how a run was asked for, so that it can be resumed in the same way.
#[derive(Serialize, Deserialize)]
pub struct Settings {
    /// the scenario's file, for messages
    pub file: String,
    /// where its paths counted from; none in runs put together by hand: the file's folder
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// changes of keys
    pub set: Vec<String>,
    /// what computes
    #[serde(default)]
    pub engine: EngineKind,
}

/// Writes the text of a scenario into a run directory, and what else it takes to read it again. The settings come first: they
/// mark the directory as that of a run.
pub(crate) fn write(run: &Path, source: &Source, engine: EngineKind) -> Result<()> {
    let (file, folder, set) = (source.file.clone(), Some(source.folder.clone()), source.set.clone());
    json::write(&run.join(SETTINGS_FILE), &Settings { file, folder, set, engine })?;
    write_atomic(&run.join(SOURCE_FILE), source.text.as_bytes())
}

/// How the run of a directory was opened.
pub struct Opened {
    /// names the copies of its inputs that the run keeps
    pub scenario: Scenario,
    /// how it was asked for
    pub settings: Settings,
    /// what the scenario names; none where the run keeps nothing
    pub inputs: Option<Vec<Input>>,
}

impl Opened {
    /// Reads it.
    pub fn read(run: &Path) -> Result<Opened> {
        let text = crate::base::input::read_text(&run.join(SOURCE_FILE))?;
        let settings: Settings =
            json::read_or(&run.join(SETTINGS_FILE), "restore it, or make the run again with `breccia run`")?;
        let inputs = inputs::read(run)?;
        let typed = || Path::new(&settings.file).parent().map(Path::to_owned).unwrap_or_default();
        let folder = if inputs.is_some() { PathBuf::new() } else { settings.folder.clone().unwrap_or_else(typed) };
        let law = inputs.as_deref().map(|list| inputs::law(run, list)).transpose()?.flatten();
        let source = Source { text, file: settings.file.clone(), folder, set: vec![], law };
        let mut scenario = source.parse(&settings.set)?;
        if let Some(inputs) = &inputs {
            inputs::take(run, inputs, &mut scenario)?;
        }
        Ok(Opened { scenario, settings, inputs })
    }
}

/// The scenario of a run directory; `None` where there is none, as in a directory of frames put together by hand.
pub fn scenario_of(run: &Path) -> Result<Option<Scenario>> {
    let there = run.join(SETTINGS_FILE).exists() && run.join(SOURCE_FILE).exists();
    there.then(|| Opened::read(run).map(|r| r.scenario)).transpose()
}
