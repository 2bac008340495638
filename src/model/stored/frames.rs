//! One directory per frame, one .npy per quantity: `numpy.load` reads them without any package of ours.

use super::arrays::save_all;
use super::frame_arrays::{BODIES, CONTACTS, WALL_CONTACTS};
use super::shapes;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::{checksums, disk, input, json};
use crate::model::body::{Bodies, Polyhedra};
use crate::model::snapshot::{FrameState, Snapshot};
use glam::{DQuat, DVec3};
use std::path::{Path, PathBuf};

/// Writes `frames/NNNNNN/`: the arrays of [`BODIES`], with `contacts` also those of contacts, time.json, and last the
/// checksums of all these files.
pub fn write_frame(run: &Path, index: usize, s: &Snapshot, contacts: bool) -> Result<()> {
    disk::replace_folder(&folder_of(run, index), |t| {
        save_all(t, s, BODIES)?;
        if contacts {
            save_all(t, s, CONTACTS)?;
            save_all(t, s, WALL_CONTACTS)?;
        }
        let mut time = serde_json::json!({ "step": s.step, "time_s": s.time_s });
        if let Some(frame) = &s.frame {
            time["frame"] = serde_json::json!(FramePose::of(frame));
        }
        let path = t.join("time.json");
        std::fs::write(&path, time.to_string()).map_err(|e| Error::io(path, e))?;
        checksums::write(t)
    })
}

/// The folder of a frame.
pub fn folder_of(run: &Path, index: usize) -> PathBuf {
    run.join("frames").join(format!("{index:06}"))
}

/// Numbers and shape of an .npy file, converted to f64.
pub fn read_f64(path: &Path) -> Result<(Vec<f64>, Vec<usize>)> {
    let bytes = input::read(path)?;
    let bad =
        |e: String| Fault::new(e).remedy("an array of float64, float32, uint32 or int64 is wanted").path(path).data();
    if !has_header(&bytes) {
        return Err(bad("is not an .npy file, or its header is cut off or not that of a plain array".into()));
    }
    let open = || npyz::NpyFile::new(&bytes[..]).map_err(|e| bad(e.to_string()));
    let shape: Vec<usize> = open()?.shape().iter().map(|s| *s as usize).collect();
    let data = match open()?.dtype().descr().as_str() {
        d if d.contains("f8") => each(&bytes, |v: f64| v),
        d if d.contains("f4") => each(&bytes, |v: f32| v.into()),
        d if d.contains("u4") => each(&bytes, |v: u32| v.into()),
        d if d.contains("i8") => each(&bytes, |v: i64| v as f64),
        d => return Err(bad(format!("elements of type {d}"))),
    };
    let data = data.map_err(|e| bad(e.to_string()))?;
    let count = shape.iter().try_fold(1usize, |n, side| n.checked_mul(*side));
    if count != Some(data.len()) {
        return Err(bad(format!("{} elements do not fill the shape {shape:?}", data.len())));
    }
    match (open()?.order(), shape.as_slice()) {
        (npyz::Order::Fortran, [rows, columns]) => {
            let at = |k: usize| data[k / columns + rows * (k % columns)];
            Ok(((0..data.len()).map(at).collect(), shape))
        }
        _ => Ok((data, shape)),
    }
}

/// Longest header of a plain array (bytes): it holds a type, an order and a shape.
const HEADER_MAX: usize = 4096;

/// Brackets inside brackets in the header of a plain array: its shape is in a dictionary.
const NESTED_MAX: usize = 2;

/// True if the file holds all of its header and the header is no longer and no deeper than that of a plain array. A reader
/// allocates memory for it, and tries nested parts in several ways, each twice as long as the next one inside.
fn has_header(bytes: &[u8]) -> bool {
    let (size, start) = match bytes.get(..12) {
        Some(b) if b[6] == 1 => (u32::from(u16::from_le_bytes([b[8], b[9]])), 10),
        Some(b) => (u32::from_le_bytes([b[8], b[9], b[10], b[11]]), 12),
        None => return false,
    };
    if size as usize > HEADER_MAX.min(bytes.len() - start) {
        return false;
    }
    let mut open = 0usize;
    bytes[start..start + size as usize].iter().all(|b| {
        match b {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open <= NESTED_MAX
    })
}

/// All elements, one by one, so that there is no second copy of them.
fn each<T: npyz::Deserialize>(bytes: &[u8], number: fn(T) -> f64) -> std::io::Result<Vec<f64>> {
    let reader = npyz::NpyFile::new(bytes)?.data::<T>().map_err(std::io::Error::other)?;
    reader.map(|element| element.map(number)).collect()
}

/// The frame directories of a run, in order.
pub fn list_frames(run: &Path) -> Result<Vec<PathBuf>> {
    let dir = run.join("frames");
    let no_run = |e: std::io::Error| Fault::new(e.to_string()).remedy("a run directory has frames").path(&dir).data();
    let entries = std::fs::read_dir(&dir).map_err(no_run)?;
    let mut list: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.join("time.json").exists() && p.extension().is_none())
        .collect();
    list.sort();
    Ok(list)
}

/// Number of a frame, from its directory's name.
pub fn number_of(frame: &Path) -> Option<usize> {
    frame.file_name()?.to_str()?.parse().ok()
}

/// Step and simulated time (s) of a frame.
pub fn read_time(frame: &Path) -> Result<(u64, f64)> {
    let path = frame.join("time.json");
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
    let path = frame.join("time.json");
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

/// Polyhedra of a frame that holds orientations.
fn read_polyhedra(frame: &Path) -> Result<Option<Polyhedra>> {
    let path = frame.join("orientation.npy");
    if !path.exists() {
        return Ok(None);
    }
    let turns: Vec<DQuat> = read_f64(&path)?.0.chunks_exact(4).map(DQuat::from_slice).collect();
    if turns.iter().any(|q| (q.length() - 1.0).abs() > 1e-6 || !q.is_finite()) {
        return Err(Fault::new("holds a quaternion that is not of length 1").path(&path).data());
    }
    let run = frame.ancestors().nth(2).unwrap_or(frame);
    shapes::read(run, turns).map(Some)
}

/// The bodies of a frame; shapes of polyhedra are those of its run, two folders above it.
pub fn read_frame(frame: &Path) -> Result<Bodies> {
    let read = |name: &str| Ok::<_, Error>(read_f64(&frame.join(format!("{name}.npy")))?.0);
    let vectors = |name: &str| Ok::<_, Error>(read(name)?.chunks_exact(3).map(DVec3::from_slice).collect::<Vec<_>>());
    let whole = |name: &str| Ok::<_, Error>(read(name)?.into_iter().map(|v| v as u32).collect::<Vec<_>>());
    let bodies = Bodies {
        id: whole("id")?,
        position_m: vectors("position")?,
        velocity_m_s: vectors("velocity")?,
        spin_rad_s: vectors("spin")?,
        radius_m: read("radius")?,
        mass_kg: read("mass")?,
        material: whole("material")?,
        polyhedra: read_polyhedra(frame)?,
    };
    let n = bodies.len();
    let lengths = [
        bodies.position_m.len(),
        bodies.velocity_m_s.len(),
        bodies.spin_rad_s.len(),
        bodies.radius_m.len(),
        bodies.mass_kg.len(),
        bodies.material.len(),
        bodies.polyhedra.as_ref().map_or(n, |p| p.orientation.len()),
    ];
    if lengths.iter().any(|l| *l != n) {
        return Err(Fault::new("arrays of different lengths").path(frame).data());
    }
    Ok(bodies)
}

#[cfg(test)]
mod tests {
    use super::has_header;

    /// A header of version 1, which a file of that version holds whole.
    fn file(header: &str) -> Vec<u8> {
        let size = (header.len() as u16).to_le_bytes();
        [&b"\x93NUMPY\x01\x00"[..], &size, header.as_bytes(), &[0; 8]].concat()
    }

    #[test]
    fn headers_of_plain_arrays_alone_are_read() {
        assert!(has_header(&file("{'descr': '<f8', 'fortran_order': False, 'shape': (10, 7), }\n")));
        let deep = format!("{{'descr': {}'<f8', 'shape': (1,)}}\n", "[".repeat(40));
        assert!(!has_header(&file(&deep)), "a reader would take hours");
        assert!(!has_header(&file("{'descr': [('x', '<f8')], 'shape': (1,)}\n")), "a structure");
        assert!(!has_header(&file(&" ".repeat(5000))));
        assert!(!has_header(b"\x93NUMPY\x01\x00\xff\x00{"), "cut off");
    }
}
