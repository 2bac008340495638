//! The directory of a campaign: what belongs to it, and that it belongs to no other.

use super::former;
use super::identity::Identity;
use super::model::{Campaign, Case};
use super::paths::{COPY, LOGS, run_at, run_of};
use super::status::{Status, look};
use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::fault::{Fault, Faults};
use crate::base::json;
use crate::record::files::directory::{CAMPAIGN, CASES, refuse_place_of_campaign};
use crate::record::files::lock::{self, Hold, Lock};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The directory of a campaign, held while this lives.
#[derive(Debug)]
pub struct CampaignDirectory {
    path: PathBuf,
    _lock: Lock,
}

/// Others that make or open the directory need as long.
const PATIENCE: Duration = Duration::from_secs(5);

impl CampaignDirectory {
    /// Opens or makes it; refuses one that another campaign or process has. Processes that run one case each share it.
    /// `retry`: see [`belongs`].
    pub fn open(
        path: &Path,
        campaign: &Campaign,
        identity: &Identity,
        hold: Hold,
        retry: bool,
    ) -> Result<CampaignDirectory> {
        let fault = |e| Error::io(path, e);
        let is_there = || path.join(CAMPAIGN).exists();
        if !is_there() {
            // another process of the same campaign may make it meanwhile
            refuse_place_of_campaign(path).or_else(|e| if is_there() { Ok(()) } else { Err(e) })?;
            std::fs::create_dir_all(path).map_err(fault)?;
            make(path, campaign, identity)?;
        }
        let belonging = belongs(path, identity, retry)?;
        let lock = Lock::take(path, hold, PATIENCE)?;
        if belonging == Belonging::Grown {
            replace(&path.join(CAMPAIGN), identity)?;
        }
        if hold == Hold::Alone {
            write_atomic(&path.join(COPY), campaign.text.as_bytes())?;
        }
        Ok(CampaignDirectory { path: path.to_owned(), _lock: lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A directory held alone for what one of several processes does that come at once; none if another one has done it, which may
/// then share the directory for hours.
fn alone_unless(path: &Path, is_done: impl Fn() -> bool) -> Result<Option<Lock>> {
    let begun = Instant::now();
    loop {
        if is_done() {
            return Ok(None);
        }
        match Lock::take(path, Hold::Alone, Duration::ZERO) {
            Err(_) if begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(20)),
            end => return Ok(Some(end?).filter(|_| !is_done())),
        }
    }
}

/// Fills a new directory; of several processes that come at once one does it.
fn make(path: &Path, campaign: &Campaign, identity: &Identity) -> Result<()> {
    let fault = |e| Error::io(path, e);
    let Some(_alone) = alone_unless(path, || path.join(CAMPAIGN).exists())? else { return Ok(()) };
    // Files that a killed process may have left here belong to no other process.
    let ours = [lock::FILE, "campaign.tmp", COPY, CASES, LOGS];
    // A campaign that lost its identity is one still: its runs say themselves of which scenarios they are.
    let was_whole = path.join(COPY).is_file() && path.join(CASES).is_dir() && path.join(lock::FILE).is_file();
    let foreign = |e: &std::fs::DirEntry| !was_whole && !ours.iter().any(|name| e.file_name() == *name);
    if let Some(entry) = std::fs::read_dir(path).map_err(fault)?.flatten().find(foreign) {
        let (path, name) = (path.display(), entry.file_name());
        return Err(Fault::new(format!("has `{}`, which does not belong to a campaign", name.to_string_lossy()))
            .remedy("choose another --out")
            .file(path.to_string())
            .into());
    }
    std::fs::create_dir_all(path.join(CASES)).map_err(fault)?;
    std::fs::create_dir_all(path.join(LOGS)).map_err(fault)?;
    write_atomic(&path.join(COPY), campaign.text.as_bytes())?;
    // Last: a directory that has it is whole.
    json::write(&path.join(CAMPAIGN), identity)
}

/// Path and sha-256 of what the scenarios of a directory's campaign name; none without a campaign.
pub fn recorded_inputs(path: &Path) -> BTreeMap<String, String> {
    let inputs = json::read(&path.join(CAMPAIGN)).map(|i: Identity| i.inputs).unwrap_or_default();
    inputs.iter().flat_map(|(path, sum)| [path.clone(), former::path(path)].map(|path| (path, sum.clone()))).collect()
}

/// How a directory belongs to a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belonging {
    /// all its cases are those of the campaign
    Same,
    /// those that have begun are
    Grown,
}

/// An error unless the directory belongs to this campaign; cases with names of an earlier version get those of today. Cases that
/// have not begun may have changed since, as they do when a run that they start from is made, or be new. With `retry` so may those
/// that failed: they begin again.
pub fn belongs(path: &Path, identity: &Identity, retry: bool) -> Result<Belonging> {
    let file = path.join(CAMPAIGN);
    let remade = "restore it, or remove it: it is made again, and cases of the same scenarios stay or go on";
    let there: Identity = json::read(&file).map_err(|e| e.faults().remove(0).remedy(remade).data())?;
    if there.fingerprint == identity.fingerprint {
        return Ok(Belonging::Same);
    }
    if former::is_same(&there, identity) {
        let is_renamed = || json::read(&file).is_ok_and(|i: Identity| i.fingerprint == identity.fingerprint);
        if let Some(_alone) = alone_unless(path, is_renamed)? {
            former::rename(path, &there, identity)?;
        }
        return Ok(Belonging::Same);
    }
    const OTHERS: &str = "choose another --out, or restore the campaign, its scenario and what that names";
    let refused = |difference: String, remedy: String| {
        let what = format!("belongs to another campaign: {difference}");
        Err(Fault::new(what).remedy(remedy).path(path).into())
    };
    let other = |difference: String| refused(difference, OTHERS.to_owned());
    if identity.name != there.name {
        return other(format!("it is called `{}`, this one `{}`", there.name, identity.name));
    }
    if identity.engine != there.engine {
        return other(format!("its engine is `{}`, here it is `{}`", there.engine, identity.engine));
    }
    let status = |name: &str| look(&run_at(path, name)).status;
    if let Some(lost) = identity.lost(&there, |name| matches!(status(name), Status::Begun | Status::Done)) {
        return other(identity.difference(&there, lost));
    }
    match identity.lost(&there, |name| status(name) == Status::Failed).filter(|_| !retry) {
        None => Ok(Belonging::Grown),
        Some(lost) => {
            let remedy =
                format!("that case failed, and with --retry it runs from its start as it is now; else {OTHERS}");
            refused(identity.difference(&there, lost), remedy)
        }
    }
}

/// Writes an identity under a name of this process first: others may do the same at once.
fn replace(file: &Path, identity: &Identity) -> Result<()> {
    let ours = file.with_file_name(format!("campaign-{}.json", std::process::id()));
    json::write(&ours, identity)?;
    std::fs::rename(&ours, file).map_err(|e| Error::io(file, e))
}

/// An error if one of these cases was run of another scenario than is there now: one that changed while the campaign was at
/// work. `hashes`: of the scenarios of all cases.
pub fn own_runs(path: &Path, cases: &[Case], hashes: &[String]) -> Result<()> {
    let other = |case: &Case| {
        let run = run_of(path, case);
        let found = look(&run);
        let is_done = found.status == Status::Done;
        let of = found.manifest.filter(|_| is_done)?.scenario_hash;
        let what = "is the run of another scenario, which the campaign had while it was at work";
        let remedy = "remove this directory, so that the case runs again";
        (of != hashes[case.index]).then(|| Fault::new(what).remedy(remedy).path(run))
    };
    Faults::of(cases.iter().filter_map(other).collect()).check()
}
