//! `inputs/` and `inputs.json`: what a run's scenario names, kept with the run under names made of what they hold, so that the
//! run can be resumed, drawn and measured wherever it and the originals are.

use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::{disk, json};
use crate::model::scenario::Scenario;
use crate::scenario::inputs::{Found, LAW, MISSING, Sums, parts, path_of};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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

impl Input {
    fn copy(&self, run: &Path) -> PathBuf {
        run.join(&self.kept)
    }

    /// What the original holds now; none where it is not there.
    fn original(&self) -> Result<Option<Found>> {
        let found = Sums::default().look(Path::new(&self.path), self.run)?;
        Ok(Some(found).filter(|f| f.sha256 != MISSING))
    }

    fn is_whole(&self, run: &Path) -> bool {
        Sums::default().look(&self.copy(run), self.run).is_ok_and(|f| f.sha256 == self.sha256)
    }

    /// Copies the original.
    fn keep(&self, run: &Path) -> Result<()> {
        let (from, to) = (Path::new(&self.path), self.copy(run));
        if !self.run {
            write_atomic(&to, &crate::base::input::read(from)?)?;
        } else {
            disk::replace_folder(&to, |folder| {
                for part in parts(from, true)? {
                    let file = path_of(folder, &part);
                    disk::make_folder(file.parent().unwrap_or(folder))?;
                    std::fs::write(&file, crate::base::input::read(&path_of(from, &part))?)
                        .map_err(|e| Error::io(&file, e))?;
                }
                Ok(())
            })?;
            disk::sync_tree(&to)?;
        }
        if self.is_whole(run) {
            return Ok(());
        }
        Err(Error::Data(format!("{}: changed while it was read for {}; run again", self.path, self.key)))
    }
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
    inputs.iter().filter(|i| !i.is_whole(run)).try_for_each(|i| i.keep(run))?;
    json::write(&run.join(FILE), inputs)
}

/// What a run keeps; `None`: it was put together by hand, or by a version that kept nothing.
pub fn read(run: &Path) -> Result<Option<Vec<Input>>> {
    let path = run.join(FILE);
    if path.exists() { json::read(&path).map(Some) } else { Ok(None) }
}

/// The copy of the contact law's file, if the run has one: a scenario cannot be read without it.
pub fn law(run: &Path, inputs: &[Input]) -> Result<Option<PathBuf>> {
    let Some(input) = inputs.iter().find(|input| input.key == LAW) else { return Ok(None) };
    if !input.is_whole(run) {
        mend(run, input)?;
    }
    Ok(Some(input.copy(run)))
}

/// Has a run's scenario name the copies. One that is damaged is made again while the original is as it was.
pub fn take(run: &Path, inputs: &[Input], scenario: &mut Scenario) -> Result<()> {
    for named in scenario.named() {
        let Some(input) = inputs.iter().find(|i| i.key == named.key) else {
            return Err(Fault::new(format!("does not list {}, which the scenario names", named.key))
                .remedy(format!("restore {FILE} and scenario.toml"))
                .path(run.join(FILE))
                .data());
        };
        if !input.is_whole(run) {
            mend(run, input)?;
        }
        *named.path = input.copy(run).to_string_lossy().into_owned();
    }
    Ok(())
}

fn mend(run: &Path, input: &Input) -> Result<()> {
    let copy = input.copy(run).display().to_string();
    if input.original()?.is_some_and(|f| f.sha256 == input.sha256) {
        tracing::warn!("{copy}: was missing or damaged; copied again from {}", input.path);
        return input.keep(run);
    }
    Err(Fault::new(format!("is missing or damaged, and {} has changed (sha-256 was {})", input.path, input.sha256))
        .remedy("restore one of the two files")
        .file(copy.clone())
        .data())
}

/// Replaces the paths of a scenario by those of the copies, relative to the run directory.
pub fn tell(inputs: &[Input], scenario: &mut Scenario) {
    for named in scenario.named() {
        if let Some(input) = inputs.iter().find(|i| i.key == named.key) {
            *named.path = input.kept.clone();
        }
    }
}

/// An error if an original has changed since the run began. One that is gone or has moved has not.
pub fn unchanged(run: &Path, inputs: &[Input]) -> Result<()> {
    let mut changed = String::new();
    for input in inputs {
        if let Some(found) = input.original()?.filter(|f| f.sha256 != input.sha256) {
            changed += &format!(
                "{}: has changed since {} began ({}): sha-256 {} then, {} now\n",
                input.path,
                run.display(),
                input.key,
                input.sha256,
                found.sha256
            );
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    let run = run.display();
    Err(Error::Usage(format!(
        "{changed}restore what has changed; or go on with the copies that the run keeps: `breccia resume {run} --kept-inputs`; or start a new run of what is there now with another --out"
    )))
}
