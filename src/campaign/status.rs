//! How far a case has come, by what is on disk.

use super::kept::KeptRow;
use super::model::{Campaign, Case};
use super::paths::run_of;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::record::files::manifest::Manifest;
use crate::record::files::parts::FAILURE;
use crate::record::files::quantities::Quantities;
use crate::record::files::status::RunStatus;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How far a case has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// nothing is there
    Waiting,
    /// it was stopped or cut off, or runs at this moment
    Begun,
    /// all steps are done
    Done,
    /// a row of a kept table stands for it
    Kept,
    /// it ended with an error
    Failed,
}

impl Status {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Begun => "begun",
            Status::Done => "done",
            Status::Kept => "kept",
            Status::Failed => "failed",
        }
    }
}

/// `failure.json`: why a case failed, also where the run came to no manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// of its process; none if a signal ended it
    pub exit_code: Option<i32>,
    /// what it said last
    pub error: String,
}

impl Failure {
    fn path(run: &Path) -> PathBuf {
        run.join(FAILURE)
    }

    /// Notes it in a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        std::fs::create_dir_all(run).map_err(|e| Error::io(run, e))?;
        json::write(&Failure::path(run), self)
    }

    /// What a run directory has noted.
    pub fn read(run: &Path) -> Result<Option<Failure>> {
        json::read_if_there(&Failure::path(run))
    }

    /// The failure of a case whose files are there and say nothing.
    fn unreadable(e: &Error) -> Failure {
        let remedy = "restore the file, or run the case again from its start with --retry";
        Failure { exit_code: None, error: format!("{e}; {remedy}") }
    }

    /// Takes the note away.
    pub fn forget(run: &Path) -> Result<()> {
        let path = Failure::path(run);
        if path.exists() { std::fs::remove_file(&path).map_err(|e| Error::io(path, e)) } else { Ok(()) }
    }
}

/// A case on disk.
#[derive(Debug, Clone)]
pub struct Found {
    /// how far it has come
    pub status: Status,
    /// of its run, if there is one
    pub manifest: Option<Manifest>,
    /// why it failed
    pub failure: Option<Failure>,
}

/// Looks into a run directory. What is there and cannot be read is a failure: a case that may be done must not run again unasked.
pub fn look(run: &Path) -> Found {
    read(run).unwrap_or_else(|e| Found {
        status: Status::Failed,
        manifest: None,
        failure: Some(Failure::unreadable(&e)),
    })
}

/// Why a finished case could not be measured as its campaign says; none of a case that is measured, or is not finished.
pub fn unmeasured(campaign: &Campaign, directory: &Path, case: &Case) -> Option<String> {
    let run = run_of(directory, case);
    let analysis = campaign.analysis.as_ref().filter(|_| look(&run).status == Status::Done)?;
    analysis.error(&run)
}

fn read(run: &Path) -> Result<Found> {
    let (manifest, failure) = (Manifest::read_if_there(run)?, Failure::read(run)?);
    let done = failure.is_none() && manifest.as_ref().is_some_and(|m| m.status == RunStatus::Done);
    if done {
        // the table needs them, and they can be made again only with the run
        Quantities::read(run)?;
    }
    let status = match (&manifest, &failure) {
        _ if done => Status::Done,
        _ if KeptRow::read(run)?.is_some() => Status::Kept,
        (_, Some(_)) => Status::Failed,
        (Some(_), None) => Status::Begun,
        (None, None) => Status::Waiting,
    };
    Ok(Found { status, manifest, failure })
}
