//! What a run directory says of the scenario and of how it was asked for.

use super::run::EngineKind;
use breccia::base::disk::write_atomic;
use breccia::base::error::Result;
use breccia::base::json;
use breccia::model::scenario::Scenario;
use breccia::record::files::inputs;
use breccia::record::files::inputs::Input;
use breccia::scenario::Source;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The scenario as it was given.
pub(super) const SOURCE_FILE: &str = "scenario.toml";
const SETTINGS_FILE: &str = "settings.json";

/// `settings.json`: how a run was asked for, so that `resume` can do it again.
#[derive(Serialize, Deserialize)]
pub(super) struct Settings {
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

impl Settings {
    /// Writes it and the scenario's text into a run directory.
    pub fn write(&self, run: &Path, text: &str) -> Result<()> {
        write_atomic(&run.join(SOURCE_FILE), text.as_bytes())?;
        json::write(&run.join(SETTINGS_FILE), self)
    }
}

/// A run, as read from its directory.
pub(super) struct Recorded {
    /// names the copies of its inputs that the run keeps
    pub scenario: Scenario,
    /// how it was asked for
    pub settings: Settings,
    /// what the scenario names; none where the run keeps nothing
    pub inputs: Option<Vec<Input>>,
}

/// The scenario of a run directory, and how it was asked for.
pub(super) fn recorded(run: &Path) -> Result<Recorded> {
    let path = run.join(SOURCE_FILE);
    let text = breccia::base::input::read_text(&path)?;
    let settings: Settings = json::read(&run.join(SETTINGS_FILE))?;
    let inputs = inputs::read(run)?;
    let typed = settings
        .folder
        .clone()
        .unwrap_or_else(|| Path::new(&settings.file).parent().map(Path::to_owned).unwrap_or_default());
    let folder = if inputs.is_some() { PathBuf::new() } else { typed };
    let source = Source { text, file: settings.file.clone(), folder };
    let mut scenario = source.parse(&settings.set)?;
    if let Some(inputs) = &inputs {
        inputs::take(run, inputs, &mut scenario)?;
    }
    Ok(Recorded { scenario, settings, inputs })
}

/// The scenario of a run directory; `None` if it has none, as in a directory of frames put together by hand.
pub(super) fn scenario_of(run: &Path) -> Result<Option<Scenario>> {
    let there = run.join(SETTINGS_FILE).exists() && run.join(SOURCE_FILE).exists();
    there.then(|| recorded(run).map(|r| r.scenario)).transpose()
}
