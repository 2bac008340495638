//! The directory of a run: one process at a time works in it, and no finished run is replaced unasked.

use super::lock::{Hold, Lock, foreign};
use super::manifest::{self, Manifest};
use super::status::{RunStatus, Standing};
use super::{checkpoint, parts, recover, series};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::stored::names::FRAMES;
use crate::model::stored::resolved;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// File that marks the directory of a campaign, which is not that of a run.
pub const CAMPAIGN: &str = "campaign.json";

/// Folder of a campaign that holds the directories of its runs.
pub const CASES: &str = "cases";

/// Refuses a place for other results that is a file, or the directory of a run or of a campaign.
pub fn refuse_run(folder: &Path) -> Result<()> {
    refuse_file(folder)?;
    refuse_campaign(folder)?;
    if folder.join(manifest::FILE).exists() {
        return Err(misplaced(folder, "is the directory of a run"));
    }
    Ok(())
}

/// Refuses a place for a new campaign that is a file, the directory of a run, or inside of a run or of a campaign.
pub fn refuse_place_of_campaign(path: &Path) -> Result<()> {
    refuse_run(path)?;
    let whole = real(path)?;
    refuse_inside_run(path, &whole)?;
    refuse_inside_campaign(path, whole.ancestors().skip(1))
}

/// Refuses a file in the place of a run's directory, the directory of a campaign, and a place inside another run or a campaign,
/// which might be removed with it. The runs of a campaign are in its folder of cases.
fn refuse_place(path: &Path) -> Result<()> {
    refuse_file(path)?;
    refuse_campaign(path)?;
    let whole = real(path)?;
    refuse_inside_run(path, &whole)?;
    refuse_inside_campaign(path, whole.ancestors().skip(if is_case(&whole) { 3 } else { 1 }))
}

/// Whether a path is that of a case of a campaign.
fn is_case(whole: &Path) -> bool {
    let cases = whole.parent().filter(|above| above.ends_with(CASES));
    cases.and_then(Path::parent).is_some_and(|campaign| campaign.join(CAMPAIGN).is_file())
}

/// The path from the root, without links and steps back as far as it is there.
fn real(path: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(path).map_err(|e| Error::io(path, e))?;
    let mut rest = vec![];
    let mut known = whole.as_path();
    loop {
        if let Ok(found) = known.canonicalize() {
            return Ok(rest.iter().rev().fold(found, |path, part| path.join(part)));
        }
        // of what is not there yet, steps back are left as they are
        let (Some(above), Some(name)) = (known.parent(), known.file_name()) else { return Ok(whole) };
        rest.push(name.to_owned());
        known = above;
    }
}

fn refuse_campaign(path: &Path) -> Result<()> {
    if path.join(CAMPAIGN).exists() { Err(misplaced(path, "is the directory of a campaign")) } else { Ok(()) }
}

fn refuse_inside_run(path: &Path, whole: &Path) -> Result<()> {
    match whole.ancestors().skip(1).find(|above| Manifest::read(above).is_ok()) {
        Some(run) => Err(misplaced(path, &format!("is inside the directory of the run {}", run.display()))),
        None => Ok(()),
    }
}

fn refuse_inside_campaign<'a>(path: &Path, mut above: impl Iterator<Item = &'a Path>) -> Result<()> {
    match above.find(|folder| folder.join(CAMPAIGN).is_file() && folder.join(CASES).is_dir()) {
        Some(of) => Err(misplaced(path, &format!("is inside the directory of the campaign {}", of.display()))),
        None => Ok(()),
    }
}

fn refuse_file(path: &Path) -> Result<()> {
    if path.is_file() { Err(misplaced(path, "is a file and not a directory")) } else { Ok(()) }
}

fn misplaced(path: &Path, what: &str) -> Error {
    Fault::new(what).remedy("choose another --out").path(path).into()
}

/// A run directory that this process holds. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct RunDirectory {
    /// whatever folder the program goes to later
    path: PathBuf,
    typed: PathBuf,
    _lock: Lock,
}

impl RunDirectory {
    /// Opens the directory of a new run. Refuses a directory that another process works in, one that holds a run unless
    /// `overwrite`, one that holds files under the names of a run's files and no run, and one inside a run or a campaign.
    pub fn create(path: &Path, overwrite: bool, patience: Duration) -> Result<RunDirectory> {
        refuse_place(path)?;
        disk::make_folder(path).map_err(|e| e.faults().remove(0).remedy("choose another --out").data())?;
        let manifest = path.join(manifest::FILE);
        let left = parts::left(path);
        if let Some(name) = left {
            refuse_foreign(path, name, overwrite || manifest.exists())?;
        }
        let is_done = || Manifest::read(path).is_ok_and(|m| m.status == RunStatus::Done);
        let was_done = is_done();
        let directory = RunDirectory::hold(path, patience)?;
        if overwrite && is_done() && !was_done {
            return Err(Fault::new("another process has ended the run there meanwhile")
                .remedy("keep it, or give --overwrite again")
                .path(path)
                .into());
        }
        if manifest.exists() && !overwrite {
            let status = match Manifest::read(path) {
                Ok(Manifest { status: RunStatus::Running, .. }) => Standing::CutOff.to_string(),
                Ok(manifest) => manifest.status.to_string(),
                Err(_) => "its manifest is damaged".to_owned(),
            };
            return Err(Fault::new(format!("is the directory of another run ({status})"))
                .remedy("choose another --out, continue it with `breccia resume`, or give --overwrite")
                .path(path)
                .into());
        }
        // Also what is left of a run without its manifest must not mix with the new run.
        let is_used = manifest.exists() || left.is_some();
        if manifest.exists() {
            // Marked first, so that a run cut off here cannot be resumed as a mixture of two runs.
            directory.mark(RunStatus::Replaced).or_else(|_| disk::remove(&manifest))?;
        }
        if overwrite && is_used {
            directory.clear()?;
        }
        recover::tidy(path)?;
        Ok(directory)
    }

    /// Opens the directory of a run that is to be resumed. Refuses a directory that another process works in, after
    /// `patience`.
    pub fn resume(path: &Path, patience: Duration) -> Result<RunDirectory> {
        need_run(path)?;
        let left = |e: Error| e.faults().remove(0).remedy("`breccia info` says what is left of the run").data();
        let manifest = Manifest::read(path).map_err(left)?;
        if manifest.status == RunStatus::Replaced {
            return Err(Fault::new("a new run was cut off while it replaced the run here")
                .remedy("start it again with `breccia run` and --overwrite")
                .path(path)
                .into());
        }
        let directory = RunDirectory::hold(path, patience)?;
        recover::tidy(path)?;
        Ok(directory)
    }

    /// Prepares the directory for a restart with the scenario and the inputs that it keeps.
    pub fn restart(&self) -> Result<()> {
        self.mark(RunStatus::Running)?;
        self.clear()
    }

    /// Its path, from the root.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path as it was typed, for messages.
    pub fn typed(&self) -> &Path {
        &self.typed
    }

    fn mark(&self, status: RunStatus) -> Result<()> {
        let mut manifest = Manifest::read(&self.path)?;
        (manifest.status, manifest.ended) = (status, String::new());
        manifest.write(&self.path)
    }

    fn hold(path: &Path, patience: Duration) -> Result<RunDirectory> {
        let lock = Lock::take(path, Hold::Alone, patience)?;
        let typed = path.to_owned();
        let path = std::path::absolute(path).map_err(|e| Error::io(path, e))?;
        Ok(RunDirectory { path, typed, _lock: lock })
    }

    /// Removes what a run before left and a new one would not replace, with all that was made of it.
    fn clear(&self) -> Result<()> {
        let sync = || disk::sync_folder(&self.path).map_err(|e| Error::io(&self.path, e));
        sync()?;
        for part in parts::outdated() {
            disk::remove(&self.path.join(part))?;
        }
        // Before anything of the new run is there.
        sync()
    }
}

/// Refuses a directory that has something under the name of a part of a run: always where no run has left its marks, for then
/// it is the user's own, and where one has unless that is `known`.
fn refuse_foreign(path: &Path, name: &str, known: bool) -> Result<()> {
    let of_a_run = parts::are_of_a_run(path) || is_case(&real(path)?);
    match of_a_run {
        true if known => Ok(()),
        true => Err(Fault::new(format!("holds `{name}`, of a run without its manifest"))
            .remedy("choose another --out, or give --overwrite, which removes what runs leave")
            .path(path)
            .into()),
        false => Err(foreign(path, name).into()),
    }
}

/// Refuses what is no run directory, or has too little of one to say anything.
pub fn need_run(run: &Path) -> Result<()> {
    let fault = |what: &str, remedy: &str| Err(Fault::new(what).remedy(remedy).path(run).data());
    if run.join(CAMPAIGN).exists() {
        return fault(
            "is the directory of a campaign",
            "name one of its runs, in cases/, or use `breccia sweep --list`",
        );
    }
    let of_run = [manifest::FILE, resolved::FILE, series::FILE, FRAMES, checkpoint::FOLDER];
    if of_run.iter().any(|name| run.join(name).exists()) {
        return Ok(());
    }
    let what = match () {
        () if run.is_dir() => "holds no run",
        () if run.exists() => "is a file",
        () => "there is no such directory",
    };
    fault(what, "name the directory of a run, such as runs/accretion")
}
