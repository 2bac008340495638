//! What a run directory tells of its run, also while it goes on, and where files are damaged or missing.

use super::files::directory::need_run;
use super::files::inputs::{self, Input, Match};
use super::files::lock;
use super::files::manifest::Manifest;
use super::files::quantities::Quantities;
use super::files::sessions::{self, Session};
use super::files::settings;
use super::files::status::{RunStatus, Standing};
use super::files::{checkpoint, rows, series};
use crate::base::checksums;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::base::machine;
use crate::model::stored::frame_arrays;
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::{folder_of, list_frames, number_of};
use crate::model::stored::names::FRAMES;
use crate::model::stored::resolved;
use crate::model::stored::shapes;
use crate::physics::measure::outcome::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is known of a run.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// its directory, from the root of the file system
    #[serde(serialize_with = "json::as_text")]
    pub directory: PathBuf,
    /// none without a manifest
    pub status: Option<Standing>,
    /// the process that works in the directory
    pub process: Option<String>,
    /// how far it has come
    pub progress: Option<Progress>,
    /// what it is
    pub manifest: Option<Manifest>,
    /// each process that worked on it, oldest first
    pub sessions: Vec<Session>,
    /// wall time of all sessions, of one that was killed until its last checkpoint (s)
    pub wall_s: f64,
    /// the most that a session held at once (bytes)
    pub peak_memory_bytes: Option<u64>,
    /// of a finished run: what its scenario expects
    pub expect: Vec<Verdict>,
    /// files and runs that the scenario names
    pub inputs: Vec<InputState>,
    /// what is in the directory, by the names in it
    pub files: BTreeMap<String, Size>,
    /// all of it together
    pub size: Size,
    /// frames
    pub frames: usize,
    /// steps of the checkpoints, oldest first
    pub checkpoints: Vec<u64>,
    /// what is missing or cannot be read
    pub faults: Vec<String>,
}

/// How far a run has come, by the last row of its series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Progress {
    /// steps done
    pub step: u64,
    /// steps of the whole run
    pub steps: u64,
    /// simulated time (s)
    pub time_s: f64,
    /// of a run that goes on: wall time left, as fast as it has been in this session (s)
    pub left_s: Option<f64>,
}

/// A file or run that the scenario names.
#[derive(Debug, Serialize)]
pub struct InputState {
    /// as the run lists it
    #[serde(flatten)]
    pub input: Input,
    /// the copy, against the list
    pub copy: Match,
    /// the original, against the list; none if it cannot be read
    pub original: Option<Match>,
}

/// Files, and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// how many
    pub files: usize,
    /// all of them together
    pub bytes: u64,
}

impl Summary {
    /// Looks at a directory; an error if it holds no run.
    pub fn read(run: &Path) -> Result<Summary> {
        need_run(run)?;
        let mut faults = vec![];
        let manifest = note(Manifest::read(run), &mut faults);
        let mut sessions = note(sessions::read(run), &mut faults).unwrap_or_default();
        let (status, process) = manifest.as_ref().map(|m| state(run, m)).unzip();
        let running = status == Some(Standing::Recorded(RunStatus::Running));
        if let Some(present) = sessions.last_mut().filter(|_| running) {
            present.wall_s = present.wall_s.max(age_s(present));
        }
        let last = last_row(run);
        if !running && last.is_ok() {
            faults.extend(rows::fault(run));
        }
        let progress = match (&manifest, note(last, &mut faults).flatten()) {
            (Some(manifest), Some([step, time_s])) => {
                let done = Progress { step: step as u64, steps: manifest.steps, time_s, left_s: None };
                Some(Progress { left_s: sessions.last().filter(|_| running).and_then(|s| left_s(&done, s)), ..done })
            }
            _ => None,
        };
        let quantities =
            (status == Some(Standing::Recorded(RunStatus::Done))).then(|| note(Quantities::read(run), &mut faults));
        let files = sizes(run);
        unreadable(run, &files, &mut faults);
        let frames = list_frames(run).unwrap_or_default();
        missing(run, &files, &frames, &mut faults);
        Ok(Summary {
            directory: std::path::absolute(run).map_err(|e| Error::io(run, e))?,
            status,
            process: process.flatten(),
            progress,
            wall_s: sessions.iter().map(|s| s.wall_s).sum(),
            peak_memory_bytes: sessions.iter().filter_map(|s| s.peak_memory_bytes).max(),
            manifest,
            sessions,
            expect: quantities.flatten().map_or_else(Vec::new, |q| q.expect),
            inputs: input_states(run, &mut faults),
            size: files.values().fold(Size::default(), |sum, size| sum.and(*size)),
            files,
            frames: frames.len(),
            checkpoints: checkpoint::list(run).iter().filter_map(|p| p.file_stem()?.to_str()?.parse().ok()).collect(),
            faults,
        })
    }
}

/// What is wrong with frames, constant arrays and the newest checkpoint: frames that are not there, and files that are not what they
/// were when they were written. It reads them all.
pub fn damaged_arrays(run: &Path) -> Vec<String> {
    let frames = list_frames(run).unwrap_or_default();
    let there: BTreeSet<usize> = frames.iter().filter_map(|frame| number_of(frame)).collect();
    let numbers = 0..there.last().copied().unwrap_or(0);
    let gone = numbers.filter(|k| !there.contains(k)).map(|k| format!("{}: is missing", folder_of(run, k).display()));
    let constants = [frame_arrays::FOLDER, shapes::FOLDER].map(|name| run.join(name));
    let folders = constants.into_iter().filter(|folder| folder.exists()).chain(frames);
    let newest = checkpoint::list(run).pop().filter(|_| !matches!(lock::holder(run), lock::Holder::Process(_)));
    let of_newest = newest.and_then(|path| checkpoint::read(&path).err()).map(|e| e.to_string());
    gone.chain(folders.filter_map(|folder| checksums::fault(&folder))).chain(of_newest).collect()
}

/// Status of a run as [`Summary`] has it, without a look at anything else; none without a manifest.
pub fn status(run: &Path) -> Result<Option<Standing>> {
    Ok(Manifest::read_if_there(run)?.map(|m| state(run, &m).0))
}

/// How fast a run goes, in its present session.
#[derive(Debug, Serialize)]
pub struct Pace {
    /// wall time since it began (s)
    pub passed_s: f64,
    /// step at its start
    pub from_step: u64,
}

/// The pace of the last session of a run; none before there is one.
pub fn pace(run: &Path) -> Result<Option<Pace>> {
    let last = sessions::read(run)?.pop();
    Ok(last.map(|session| Pace { passed_s: age_s(&session), from_step: session.from_step }))
}

/// Status of a run by its manifest and its lock, and the process that works on it.
fn state(run: &Path, manifest: &Manifest) -> (Standing, Option<String>) {
    match manifest.status {
        RunStatus::Running => Standing::held(lock::holder(run)),
        other => (Standing::Recorded(other), None),
    }
}

/// Step and time (s) of the last row of the series.
fn last_row(run: &Path) -> Result<Option<[f64; 2]>> {
    let (columns, rows) = series::read(&run.join(series::FILE))?;
    let value = |name: &str| rows.last()?.get(columns.iter().position(|c| c == name)?).copied();
    Ok(value("step").zip(value("time_s")).map(|(step, time_s)| [step, time_s]))
}

/// What was read; the fault if it could not be.
fn note<T>(read: Result<T>, faults: &mut Vec<String>) -> Option<T> {
    read.map_err(|e| faults.push(e.to_string())).ok()
}

/// What is there and cannot be read, without which the run cannot be resumed, measured or drawn.
fn unreadable(run: &Path, files: &BTreeMap<String, Size>, faults: &mut Vec<String>) {
    let there = [settings::SOURCE_FILE, settings::SETTINGS_FILE].iter().all(|name| files.contains_key(*name));
    if there && inputs::read(run).is_ok() {
        note(settings::Opened::read(run), faults);
    }
    note(resolved::Resolved::read_if_there(run), faults);
    if files.contains_key(inputs::FOLDER) && !files.contains_key(inputs::FILE) {
        faults.push(format!("{}: is missing: the run cannot be resumed", run.join(inputs::FILE).display()));
    }
}

/// What every run has, and this one lacks.
fn missing(run: &Path, files: &BTreeMap<String, Size>, frames: &[PathBuf], faults: &mut Vec<String>) {
    for (name, without) in [
        (settings::SOURCE_FILE, "the run cannot be resumed"),
        (settings::SETTINGS_FILE, "the run cannot be resumed"),
        (resolved::FILE, "nothing is known of materials and walls"),
        (checkpoint::FOLDER, "the run can only begin again, with `breccia resume --restart`"),
    ] {
        if !files.contains_key(name) {
            faults.push(format!("{}: is missing: {without}", run.join(name).display()));
        }
    }
    if frames.is_empty() {
        faults.push(format!("{}: there are no frames", run.join(FRAMES).display()));
    }
    if let Some(Ok(last)) = frames.last().map(|frame| FrameFiles::open(frame)) {
        let constants = run.join(frame_arrays::FOLDER);
        let whole = frame_arrays::CONSTANTS.iter().all(|a| constants.join(format!("{}.npy", a.name)).exists());
        if !last.holds("radius") && !whole {
            faults.push(format!("{}: lacks arrays, without which no frame can be read", constants.display()));
        }
        let shapes = run.join(shapes::FOLDER);
        if last.holds("orientation") && !shapes.exists() {
            faults.push(format!("{}: is missing: no frame can be read", shapes.display()));
        }
    }
}

fn input_states(run: &Path, faults: &mut Vec<String>) -> Vec<InputState> {
    let list = note(inputs::read(run), faults).flatten().unwrap_or_default();
    let state = |input: Input| {
        let copy = note(input.kept_in(run), faults).unwrap_or(Match::Changed);
        if copy != Match::Same {
            let how = if copy == Match::Missing { "is missing" } else { "has changed since the run began" };
            faults.push(format!("{}: {how}", run.join(&input.kept).display()));
        }
        InputState { copy, original: input.original().ok(), input }
    };
    list.into_iter().map(state).collect()
}

/// Wall time since a session began (s); times are recorded to the second.
fn age_s(session: &Session) -> f64 {
    machine::now().as_second().saturating_sub(session.started.as_second()) as f64
}

/// Least age of a session from which it can be told how fast it is (s).
const TELLING_S: f64 = 3.0;

/// Wall time left of a run that goes on, as fast as in this session until now.
fn left_s(done: &Progress, session: &Session) -> Option<f64> {
    let passed_s = Some(session.wall_s).filter(|age| *age >= TELLING_S)?;
    let steps = done.step.checked_sub(session.from_step).filter(|steps| *steps > 0)?;
    Some(done.steps.saturating_sub(done.step) as f64 * passed_s / steps as f64)
}

/// Everything in the directory by its name there, all that is in a folder together.
fn sizes(run: &Path) -> BTreeMap<String, Size> {
    let entries = std::fs::read_dir(run).into_iter().flatten().flatten();
    entries.map(|e| (e.file_name().to_string_lossy().into_owned(), size_of(&e.path()))).collect()
}

fn size_of(path: &Path) -> Size {
    let Ok(of) = std::fs::symlink_metadata(path) else { return Size::default() };
    if !of.is_dir() {
        return Size { files: 1, bytes: of.len() };
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.fold(Size::default(), |sum, e| sum.and(size_of(&e.path())))
}

impl Size {
    fn and(self, other: Size) -> Size {
        Size { files: self.files + other.files, bytes: self.bytes + other.bytes }
    }
}
