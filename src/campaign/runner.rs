//! Does what is left of a campaign: one process a case, several at once, until all are done or a flag says stop.

use super::analysis::Measured;
use super::model::{Campaign, Case};
use super::paths::{log_of, run_of};
use super::process::{Ending, Process};
use super::status::{Failure, Found, Status, look, unmeasured};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::exit_code::{DONE, INTERRUPTED, MISSED, STOPPED, USAGE};
use crate::gpu::threads::crowded;
use crate::model::stored::names::ANALYSIS;
use crate::record::files::checkpoint::{is_tidy, keep_newest};
use crate::record::files::lock::{self, Hold, Holder, Lock};
use crate::record::files::recover;
use crate::record::files::settings::Opened;
use crate::record::files::status::RunStatus;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a process that lost its campaign may need to end: one batch of steps and a checkpoint.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long to wait for a process that measures the same case, before a look at the signals.
const TURN: Duration = Duration::from_secs(1);

/// How a campaign is to be run.
pub struct Runner<'a> {
    /// the program, which has `run`, `resume` and `analyze`
    pub program: PathBuf,
    /// what to run
    pub campaign: &'a Campaign,
    /// its directory
    pub directory: &'a Path,
    /// fingerprint of the scenario of each case
    pub hashes: &'a [String],
    /// cases at once
    pub jobs: usize,
    /// adapters, dealt to the jobs in turn; none: each run chooses
    pub gpus: Vec<String>,
    /// runs may compute on a software adapter where a GPU has a driver
    pub software: bool,
    /// run failed cases again
    pub retry: bool,
    /// the first failure stops all
    pub stop_at_failure: bool,
    /// set by a signal: every run writes a checkpoint and ends
    pub stop: &'a AtomicBool,
    /// called as cases begin and end
    pub report: &'a (dyn Fn(&Event) + Sync),
}

/// True if the run of a case, whose scenario has this fingerprint, goes on from a checkpoint with the inputs that it keeps.
pub fn goes_on(run: &Path, hash: &str) -> bool {
    let ours = look(run).manifest.is_some_and(|m| m.scenario_hash == hash && m.status != RunStatus::Replaced);
    // what cannot be read today may be there tomorrow: the case fails, and nothing is lost
    let opens = |opened: Result<Opened>| match opened {
        Err(Error::Io { source, .. }) => source.kind() != std::io::ErrorKind::NotFound,
        other => other.is_ok(),
    };
    ours && opens(Opened::read(run)) && recover::point(run, false).is_ok()
}

fn is_held(run: &Path) -> bool {
    matches!(lock::holder(run), Holder::Process(_))
}

/// What happens to a case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// its process starts
    Begun {
        /// of the case
        name: String,
        /// goes on from a checkpoint
        resumed: bool,
    },
    /// its process has ended
    Ended {
        /// of the case
        name: String,
        /// how far it has come
        status: Status,
        /// why it failed, or could not be measured
        error: Option<String>,
        /// wall time of this process (s)
        wall_s: f64,
        /// cases that are looked after, of all that this call takes on
        settled: usize,
        /// all of them
        of: usize,
    },
}

impl Runner<'_> {
    /// True if anything is left to do for a case.
    pub fn is_left(&self, case: &Case) -> bool {
        let run = run_of(self.directory, case);
        match look(&run).status {
            Status::Waiting | Status::Begun => true,
            Status::Failed => self.retry,
            Status::Kept => false,
            Status::Done => {
                !is_tidy(&run) || self.campaign.analysis.as_ref().is_some_and(|a| !a.is_done(&run, self.retry))
            }
        }
    }

    /// Runs what is left of these cases. An error of the files of a case is its failure, on disk; others are of the campaign.
    pub fn run(&self, cases: &[&Case]) -> Result<()> {
        let (next, settled, halt) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let work = |job: usize| -> Result<()> {
            let gpu = (!self.gpus.is_empty()).then(|| self.gpus[job % self.gpus.len()].as_str());
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                if self.stop.load(Ordering::SeqCst) || halt.load(Ordering::SeqCst) {
                    break;
                }
                let count = |begun: Instant, found: Found| self.tell(case, begun, found, &settled, cases.len());
                let status = self.settle(case, gpu, &halt, &count).or_else(|e| self.fail(case, &e, &count))?;
                if status == Status::Failed && self.stop_at_failure {
                    halt.store(true, Ordering::SeqCst);
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let jobs: Vec<_> = (0..self.jobs.max(1)).map(|job| scope.spawn(move || work(job))).collect();
            let ended = jobs
                .into_iter()
                .map(|j| j.join().unwrap_or_else(|_| Err(Error::Data("a thread of the campaign has panicked".into()))));
            ended.collect::<Vec<_>>().into_iter().collect()
        })
    }

    /// Notes an error of the files of one case as its failure, so that the others go on. A run that is done stays done: what was
    /// to be measured or removed there is left for the next call.
    fn fail(&self, case: &Case, error: &Error, count: &dyn Fn(Instant, Found)) -> Result<Status> {
        let run = run_of(self.directory, case);
        let found = look(&run);
        if found.status == Status::Done {
            tracing::warn!("case {}: {error}", case.name);
            count(Instant::now(), found);
            return Ok(Status::Done);
        }
        Failure { exit_code: Some(error.exit_code().into()), error: error.to_string() }.write(&run)?;
        count(Instant::now(), look(&run));
        Ok(Status::Failed)
    }

    fn tell(&self, case: &Case, begun: Instant, found: Found, settled: &AtomicUsize, of: usize) {
        let done = settled.fetch_add(1, Ordering::SeqCst) + 1;
        (self.report)(&Event::Ended {
            name: case.name.clone(),
            status: found.status,
            error: found.failure.map(|f| f.error).or_else(|| unmeasured(self.campaign, self.directory, case)),
            wall_s: begun.elapsed().as_secs_f64(),
            settled: done,
            of,
        });
    }

    /// Brings a case as far as it goes.
    fn settle(
        &self,
        case: &Case,
        gpu: Option<&str>,
        halt: &AtomicBool,
        count: &dyn Fn(Instant, Found),
    ) -> Result<Status> {
        let run = run_of(self.directory, case);
        let begun = Instant::now();
        let before = look(&run).status;
        if before == Status::Waiting || before == Status::Begun || (before == Status::Failed && self.retry) {
            self.advance(case, &run, gpu, halt)?;
        }
        if look(&run).status == Status::Done {
            keep_newest(&run)?;
            self.analyze(case, &run, halt)?;
        }
        let found = look(&run);
        let status = found.status;
        count(begun, found);
        Ok(status)
    }

    /// One process of a case, from its start or from its newest checkpoint.
    fn advance(&self, case: &Case, run: &Path, gpu: Option<&str>, halt: &AtomicBool) -> Result<()> {
        if run.exists() {
            // A run that lost its campaign to a kill is about to stop. One that goes on belongs to another process, which
            // says how it ended; nothing is written into its directory.
            match Lock::take(run, Hold::Alone, PATIENCE) {
                Ok(_) => {}
                Err(e) if is_held(run) => {
                    tracing::warn!("case {} is left to the process that runs it: {e}", case.name);
                    return Ok(());
                }
                Err(e) => return Err(e),
            }
            Failure::forget(run)?;
        }
        let resumed = goes_on(run, &self.hashes[case.index]);
        let path = run.to_string_lossy().into_owned();
        let mut arguments: Vec<String> = if resumed {
            vec!["resume".into(), path]
        } else {
            let start =
                ["run", &self.campaign.scenario, "--engine", &self.campaign.engine, "--out", &path, "--overwrite"];
            let set = case.set.iter().flat_map(|s| ["--set".to_owned(), s.clone()]);
            start.map(str::to_owned).into_iter().chain(set).collect()
        };
        arguments.push("--stop-at-eof".into());
        arguments.extend(self.campaign.timing.then(|| "--timing".to_owned()));
        arguments.extend(gpu.into_iter().flat_map(|g| ["--gpu".to_owned(), g.to_owned()]));
        arguments.extend(self.software.then(|| "--software".to_owned()));
        (self.report)(&Event::Begun { name: case.name.clone(), resumed });
        let ending = self.process(case, &arguments, halt)?;
        let failure = match (ending.code.and_then(|c| u8::try_from(c).ok()), look(run)) {
            (Some(DONE | MISSED), found) if found.status == Status::Done => self.foreign(case, &found),
            (Some(STOPPED | INTERRUPTED), _) => None,
            // Another process began the case since the lock was free here, and says how it ends.
            (Some(USAGE), found) if found.status == Status::Done || is_held(run) => {
                tracing::warn!("case {} is left to another process: {}", case.name, ending.error);
                if is_held(run) { None } else { self.foreign(case, &found) }
            }
            // Stopped before it could write anything, or by a second signal.
            _ if self.stopping(halt) => None,
            _ => Some(Failure { exit_code: ending.code, error: ending.error }),
        };
        failure.map_or(Ok(()), |f| f.write(run))
    }

    /// The failure of a run whose scenario is not the one that was checked.
    fn foreign(&self, case: &Case, found: &Found) -> Option<Failure> {
        let hash = &found.manifest.as_ref()?.scenario_hash;
        (*hash != self.hashes[case.index]).then(|| Failure {
            exit_code: Some(USAGE.into()),
            error: format!(
                "{}: it or what it names has changed since the campaign began; restore it",
                self.campaign.scenario
            ),
        })
    }

    /// Measures a finished case, once.
    fn analyze(&self, case: &Case, run: &Path, halt: &AtomicBool) -> Result<()> {
        let left = || self.campaign.analysis.as_ref().filter(|a| !a.is_done(run, self.retry));
        if left().is_none() {
            return Ok(());
        }
        // another process that came to this case may be at it
        let folder = run.join(ANALYSIS);
        disk::make_folder(&folder)?;
        let _held = loop {
            match Lock::take(&folder, Hold::Alone, TURN) {
                Err(_) if is_held(&folder) && !self.stopping(halt) => {}
                end => break end?,
            }
        };
        let Some(analysis) = left() else { return Ok(()) };
        let arguments = analysis.arguments();
        let command = ["analyze".to_owned(), run.to_string_lossy().into_owned()];
        let ending = self.process(case, &[&command[..], &arguments].concat(), halt)?;
        match ending.code {
            Some(0) => Measured::now(run, arguments, None).write(run),
            _ if self.stopping(halt) => Ok(()),
            _ => Measured::now(run, arguments, Some(ending.error)).write(run),
        }
    }

    fn stopping(&self, halt: &AtomicBool) -> bool {
        self.stop.load(Ordering::SeqCst) || halt.load(Ordering::SeqCst)
    }

    fn process(&self, case: &Case, arguments: &[String], halt: &AtomicBool) -> Result<Ending> {
        let begun = Instant::now();
        let process = Process::start(&self.program, arguments, crowded(self.jobs), &log_of(self.directory, case))?;
        let ending = process.wait(&|| self.stopping(halt))?;
        super::times::note(self.directory, case, &arguments[0], ending.code, begun.elapsed().as_secs_f64())?;
        Ok(ending)
    }
}
