//! `inputs/` and `inputs.json`: what a run's scenario names, kept with the run under names made of what they hold, so that the
//! run can be resumed, drawn and measured wherever it and the originals are.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::sha256::sha256;
use crate::base::{disk, json};
use crate::model::scenario::Scenario;
use crate::physics::laws::own::law::PREFIX;
use crate::scenario::inputs::{Found, LAW, MISSING, Sums, line, parts, path_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Folder of the copies.
pub const FOLDER: &str = "inputs";
/// Their list.
pub const FILE: &str = "inputs.json";

/// A file or run that a scenario names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// key of the scenario
    pub key: String,
    /// where it was, from the root of the file system
    pub path: String,
    /// a run, of which the last frame is kept; else a file
    pub run: bool,
    /// its copy, below the run directory
    pub kept: String,
    /// of the file; of a run that of the list of its files
    pub sha256: String,
    /// all files together
    pub bytes: u64,
}

/// How a file compares with what a run began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// it holds the same
    Same,
    /// it holds something else
    Changed,
    /// it is not there
    Missing,
}

impl Input {
    fn copy(&self, run: &Path) -> PathBuf {
        run.join(&self.kept)
    }

    fn compare(&self, path: &Path) -> Result<Match> {
        let found = Sums::default().look(path, self.run)?.sha256;
        Ok(match found.as_str() {
            same if same == self.sha256 => Match::Same,
            MISSING => Match::Missing,
            _ => Match::Changed,
        })
    }

    /// Whether the original is as it was when the run began.
    pub fn original(&self) -> Result<Match> {
        self.compare(Path::new(&self.path))
    }

    /// Whether the copy that a run keeps is whole.
    pub fn kept_in(&self, run: &Path) -> Result<Match> {
        self.compare(&self.copy(run))
    }

    /// Copies the original.
    fn keep(&self, run: &Path) -> Result<()> {
        let (from, to) = (Path::new(&self.path), self.copy(run));
        let sum = if self.run { keep_frame(from, &to)? } else { disk::copy_atomic(from, &to)? };
        if sum == self.sha256 {
            return Ok(());
        }
        disk::remove(&to)?;
        Err(Error::Data(format!("{}: changed while it was read for {}; run again", self.path, self.key)))
    }

    /// Refuses a copy that is missing or has changed.
    fn refuse_damaged(&self, run: &Path) -> Result<()> {
        let what = match self.kept_in(run)? {
            Match::Same => return Ok(()),
            Match::Missing => "is missing".to_owned(),
            Match::Changed => format!("has changed since the run began (its sha-256 was {})", self.sha256),
        };
        let remedy = match self.original() {
            Ok(Match::Same) => format!("{} still holds the same; copy it there", self.path),
            _ => format!("{} was copied there for {}; restore it, or make the run again", self.path, self.key),
        };
        Err(Fault::new(what).remedy(remedy).path(self.copy(run)).data())
    }
}

/// Copies of a run what bodies are made of; the sha-256 of the list of these files.
fn keep_frame(from: &Path, to: &Path) -> Result<String> {
    let mut list = String::new();
    disk::replace_folder(to, |folder| {
        for part in parts(from, true)? {
            let file = path_of(folder, &part);
            disk::make_folder(file.parent().unwrap_or(folder))?;
            list += &line(&disk::copy(&path_of(from, &part), &file)?, &part);
        }
        Ok(())
    })?;
    disk::sync_tree(to)?;
    Ok(sha256(list.as_bytes()))
}

/// What a scenario names, as it is now.
pub fn of(scenario: &Scenario, sums: &mut Sums) -> Result<Vec<Input>> {
    let mut scenario = scenario.clone();
    let input = |n: crate::scenario::inputs::Named| {
        let Found { sha256, bytes } = sums.look(Path::new(n.path), n.run)?;
        // a copy called .tmp would be tidied away
        let end = Path::new(n.path)
            .extension()
            .filter(|e| !n.run && *e != "tmp")
            .map(|e| format!(".{}", e.to_string_lossy()));
        let path = std::path::absolute(&*n.path).map_err(|e| Error::io(&*n.path, e))?;
        let kept = format!("{FOLDER}/{sha256}{}", end.unwrap_or_default());
        Ok(Input { key: n.key, path: path.to_string_lossy().into_owned(), run: n.run, kept, sha256, bytes })
    };
    scenario.named().into_iter().map(input).collect()
}

/// Bytes of all copies together: what is named twice is kept once.
pub fn bytes(inputs: &[Input]) -> u64 {
    let first = |(k, i): &(usize, &Input)| inputs[..*k].iter().all(|other| other.kept != i.kept);
    inputs.iter().enumerate().filter(first).map(|(_, i)| i.bytes).sum()
}

/// Refuses to put a run in the place of what it is made of: the directory itself, or anything in it but the copies that the
/// new run would keep under the same names.
pub fn refuse_replaced(run: &Path, inputs: &[Input]) -> Result<()> {
    let Ok(whole) = run.canonicalize() else { return Ok(()) }; // nothing is there
    let stays = |input: &Input, path: &Path| input.copy(&whole).canonicalize().is_ok_and(|copy| copy == path);
    let is_lost = |input: &&Input| {
        let path = Path::new(&input.path).canonicalize();
        path.is_ok_and(|path| path.starts_with(&whole) && !stays(input, &path))
    };
    let Some(input) = inputs.iter().find(is_lost) else { return Ok(()) };
    Err(Fault::new(format!("belongs to the directory {}, which --overwrite replaces", run.display()))
        .remedy("choose another --out, or keep what the scenario names in another directory")
        .file(input.path.clone())
        .key(input.key.clone())
        .into())
}

/// Keeps them with a run, and no others that a run before may have left.
pub fn keep(run: &Path, inputs: &[Input]) -> Result<()> {
    let folder = run.join(FOLDER);
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        if inputs.iter().all(|i| run.join(&i.kept) != entry.path()) {
            disk::remove(&entry.path())?;
        }
    }
    if !inputs.is_empty() {
        disk::make_folder(&folder)?;
    }
    for input in inputs {
        // named twice, or left by the run before
        if !matches!(input.kept_in(run), Ok(Match::Same)) {
            input.keep(run)?;
        }
    }
    json::write(&run.join(FILE), inputs)
}

/// What a run keeps; `None`: it was put together by hand, or by a version that kept nothing.
pub fn read(run: &Path) -> Result<Option<Vec<Input>>> {
    let path = run.join(FILE);
    let Some(list) = json::read_if_there::<Vec<Input>>(&path)? else { return Ok(None) };
    let is_below = |input: &Input| Path::new(&input.kept).components().all(|c| matches!(c, Component::Normal(_)));
    match list.iter().find(|input| !is_below(input)) {
        Some(out) => Err(Fault::new(format!("the copy {} is not below the run directory", out.kept)).path(path).data()),
        None => Ok(Some(list)),
    }
}

/// The copy of the contact law's file, if the run has one: a scenario cannot be read without it.
pub fn law(run: &Path, inputs: &[Input]) -> Result<Option<PathBuf>> {
    let Some(input) = inputs.iter().find(|input| input.key == LAW) else { return Ok(None) };
    input.refuse_damaged(run)?;
    Ok(Some(input.copy(run)))
}

/// Has a run's scenario name the copies; refuses one that is missing or has changed.
pub fn take(run: &Path, inputs: &[Input], scenario: &mut Scenario) -> Result<()> {
    for named in scenario.named() {
        let Some(input) = inputs.iter().find(|i| i.key == named.key) else {
            return Err(Fault::new(format!("does not list {}, which the scenario names", named.key))
                .remedy(format!("restore {FILE} and scenario.toml"))
                .path(run.join(FILE))
                .data());
        };
        input.refuse_damaged(run)?;
        *named.path = input.copy(run).to_string_lossy().into_owned();
    }
    Ok(())
}

/// Replaces the paths of a scenario by those of the copies, relative to the run directory.
pub fn tell(inputs: &[Input], scenario: &mut Scenario) {
    for named in scenario.named() {
        if let Some(input) = inputs.iter().find(|i| i.key == named.key) {
            *named.path = input.kept.clone();
        }
    }
}

/// Key and sha-256 of each.
pub fn sums(inputs: &[Input]) -> BTreeMap<String, String> {
    inputs.iter().map(|i| (i.key.clone(), i.sha256.clone())).collect()
}

/// Key of each, and what the text of a scenario beside the copies gives it.
pub fn as_typed(inputs: &[Input]) -> Vec<(String, String)> {
    let typed = |i: &Input| if i.key == LAW { format!("{PREFIX}{}", i.kept) } else { i.kept.clone() };
    inputs.iter().map(|i| (i.key.clone(), typed(i))).collect()
}

/// An error if an original has changed since the run began. One that is gone or has moved has not, and one that cannot be read
/// is of no use to the run.
pub fn unchanged(run: &Path, inputs: &[Input]) -> Result<()> {
    let run = run.display();
    let changed = inputs.iter().filter(|i| matches!(i.original(), Ok(Match::Changed)));
    let told: String = changed
        .map(|i| format!("{}: has changed since {run} began ({}; its sha-256 was {})\n", i.path, i.key, i.sha256))
        .collect();
    if told.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{told}restore what has changed; or go on with the copies that the run keeps: `breccia resume {run} --kept-inputs`; or start a new run of what is there now with another --out"
    )))
}
