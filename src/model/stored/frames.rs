//! One directory per frame, one .npy per quantity or all in one .npz: `numpy.load` reads them without any package of ours.

use super::arrays::{Saver, save_all};
use super::frame_arrays::{BODIES, CONSTANTS, CONTACTS, FOLDER, PART, WALL_CONTACTS, columns};
use super::frame_files::{FrameFiles, PACKED};
use super::names::{ANALYSIS, FRAMES, TIME};
pub use super::npy::read_f64;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::{checksums, disk, json};
use crate::model::body::Bodies;
use crate::model::output::{Compression, Constants, FrameEvent, FrameForm, Precision};
use crate::model::snapshot::{FrameState, Snapshot};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Writes `frames/NNNNNN/`: arrays of bodies, with `contacts` also those of contacts, time.json with the `events` that it shows,
/// and last the checksums of all these files.
pub fn write_frame(
    run: &Path,
    index: usize,
    s: &Snapshot,
    contacts: bool,
    form: &FrameForm,
    events: &[FrameEvent],
) -> Result<()> {
    disk::replace_folder(&folder_of(run, index), |t| {
        let offsets = write_arrays(t, s, contacts, form)?;
        let mut time = serde_json::json!({ "step": s.step, "time_s": s.time_s });
        if !events.is_empty() {
            time["events"] = serde_json::json!(events);
        }
        if !offsets.is_empty() {
            time["offset"] = serde_json::json!(offsets);
        }
        if let Some(frame) = &s.frame {
            time["frame"] = serde_json::json!(FramePose::of(frame));
        }
        let path = t.join(TIME);
        std::fs::write(&path, time.to_string()).map_err(|e| Error::io(path, e))?;
        checksums::write(t)
    })
}

/// Writes the arrays; gives what was taken off those that are about something.
fn write_arrays(t: &Path, s: &Snapshot, contacts: bool, form: &FrameForm) -> Result<BTreeMap<&'static str, DVec3>> {
    let rows = form.is_part().then(|| part(s, form));
    let mut to = match form.compression {
        Compression::None => Saver::folder(t),
        Compression::Deflate => Saver::packed(&t.join(PACKED))?,
    };
    if rows.is_some() {
        to = to.with(false, rows.as_deref());
        to.save_all(s, PART, |_| true)?;
    }
    if form.constants == Constants::EveryFrame {
        to = to.with(false, rows.as_deref());
        to.save_all(s, CONSTANTS, |_| true)?;
    }
    to = to.with(form.precision == Precision::F32, rows.as_deref());
    to.save_all(s, BODIES, |name| form.has(name) || !columns().any(|c| c == name))?;
    if contacts {
        to.save_all(s, CONTACTS, |_| true)?;
        to.save_all(s, WALL_CONTACTS, |_| true)?;
    }
    to.finish()
}

/// Rows of the bodies that are written.
fn part(s: &Snapshot, form: &FrameForm) -> Vec<usize> {
    let inside = |k: &usize| form.region.as_ref().is_none_or(|r| r.holds(s.bodies.position_m[*k]));
    (0..s.bodies.len()).step_by(form.stride.0).filter(inside).collect()
}

/// Writes the folder `bodies/` of a run: what never changes, and the checksums.
pub fn write_constants(run: &Path, s: &Snapshot) -> Result<()> {
    disk::replace_folder(&run.join(FOLDER), |t| {
        save_all(t, s, CONSTANTS)?;
        checksums::write(t)
    })
}

/// The folder of a frame.
pub fn folder_of(run: &Path, index: usize) -> PathBuf {
    run.join(FRAMES).join(format!("{index:06}"))
}

/// The folder of what `breccia analyze` measures of a frame.
pub fn analysis_of(run: &Path, index: usize) -> PathBuf {
    run.join(ANALYSIS).join(format!("{index:06}"))
}

/// Whether a directory has frames, as that of a run does.
pub fn has_frames(path: &Path) -> bool {
    path.join(FRAMES).is_dir()
}

/// The frame directories of a run, in order.
pub fn list_frames(run: &Path) -> Result<Vec<PathBuf>> {
    let dir = run.join(FRAMES);
    let no_run = |e: std::io::Error| Fault::new(e.to_string()).remedy("a run directory has frames").path(&dir).data();
    let entries = std::fs::read_dir(&dir).map_err(no_run)?;
    let mut list: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| number_of(p).is_some() && p.is_dir()).collect();
    // by number: beyond a million names have seven digits
    list.sort_by_key(|path| (number_of(path), path.clone()));
    Ok(list)
}

/// Number of a frame, from its directory's name.
pub fn number_of(frame: &Path) -> Option<usize> {
    frame.file_name()?.to_str()?.parse().ok()
}

/// Step and simulated time (s) of a frame.
pub fn read_time(frame: &Path) -> Result<(u64, f64)> {
    let path = frame.join(TIME);
    let bad = |what: &str| Fault::new(what).path(&path).data();
    let time: serde_json::Value = json::read(&path)?;
    let step = time["step"].as_u64().ok_or_else(|| bad("has no whole number `step`"))?;
    Ok((step, time["time_s"].as_f64().ok_or_else(|| bad("has no number `time_s`"))?))
}

/// Where the coordinates of a frame are in inertial space, in `time.json`.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
struct FramePose {
    origin_m: DVec3,
    orientation: DQuat,
    velocity_m_s: DVec3,
    spin_rad_s: DVec3,
}

impl FramePose {
    fn of(f: &FrameState) -> FramePose {
        let FrameState { origin_m, orientation, velocity_m_s, spin_rad_s, .. } = *f;
        FramePose { origin_m, orientation, velocity_m_s, spin_rad_s }
    }
}

/// The pose of a frame's coordinates; `None`: they are inertial.
pub fn read_pose(frame: &Path) -> Result<Option<FrameState>> {
    let path = frame.join(TIME);
    let bad = |e: serde_json::Error| Fault::new(e.to_string()).path(&path).data();
    let time: serde_json::Value = json::read(&path)?;
    let Some(pose) = time.get("frame") else { return Ok(None) };
    let FramePose { origin_m, orientation, velocity_m_s, spin_rad_s } =
        serde_json::from_value(pose.clone()).map_err(bad)?;
    Ok(Some(FrameState { origin_m, orientation, velocity_m_s, spin_rad_s, asteroid: None }))
}

/// The last frame of a run.
pub fn last_frame(run: &Path) -> Result<PathBuf> {
    list_frames(run)?.pop().ok_or_else(|| Fault::new("has no frames").path(run).data())
}

/// All bodies of a frame, for `what`. Of `velocity` and `spin` those that are not `needed` are NaN if they are missing.
pub fn read_frame(frame: &Path, what: &str, needed: &[&str]) -> Result<Bodies> {
    let files = FrameFiles::open(frame)?;
    files.need_all(what)?;
    files.bodies(needed)
}
