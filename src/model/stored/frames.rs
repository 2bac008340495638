//! One directory per frame, one .npy per quantity: `numpy.load` reads them without any package of ours.

use super::shapes;
use crate::base::error::{Error, Result};
use crate::base::{checksums, disk, input, json};
use crate::model::body::{Bodies, Polyhedra};
use crate::model::snapshot::{Contact, FrameState, Snapshot};
use glam::{DQuat, DVec3};
use npyz::WriterBuilder;
use std::path::{Path, PathBuf};

/// Writes `dir`/`name`.npy.
pub fn save<T: npyz::AutoSerialize>(dir: &Path, name: &str, shape: &[u64], data: Vec<T>) -> Result<()> {
    let mut bytes = vec![];
    let write = |bytes: &mut Vec<u8>| -> std::io::Result<()> {
        let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(bytes).begin_nd()?;
        writer.extend(data)?;
        writer.finish()
    };
    let path = dir.join(format!("{name}.npy"));
    write(&mut bytes).and_then(|()| std::fs::write(&path, bytes)).map_err(|e| Error::io(path, e))
}

/// Coordinates one after another, as [`save`] takes them for a shape (n, 3).
pub fn flat(v: &[DVec3]) -> Vec<f64> {
    v.iter().flat_map(|p| p.to_array()).collect()
}

/// Writes `frames/NNNNNN/`: position (n, 3) m, velocity (n, 3) m/s, spin (n, 3) rad/s, radius (n) m, mass (n) kg, id,
/// material, orientation (n, 4) of polyhedra, coordination (n), pressure (n) Pa (trace of the contact stress over the body's own volume), time.json; where walls answer to force, wall_travel (w) m along the normals.
/// With `contacts` also pair (m, 2), contact_force (m, 3) N, contact_normal (m, 3), contact_overlap (m) m,
/// contact_normal_force (m) N, contact_tangential_force (m, 3) N, contact_torque (m, 6) N m; for walls wall_pair (w, 2),
/// wall_force (w, 3) N, wall_overlap (w) m; of polyhedra also contact_point (m, 3) m and wall_point (w, 3) m. Last their
/// checksums.
pub fn write_frame(run: &Path, index: usize, s: &Snapshot, contacts: bool) -> Result<()> {
    disk::replace_folder(&folder_of(run, index), |t| {
        write_arrays(t, s, contacts)?;
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

fn write_arrays(t: &Path, s: &Snapshot, contacts: bool) -> Result<()> {
    let (n, b) = (s.bodies.len() as u64, &s.bodies);
    save(t, "position", &[n, 3], flat(&b.position_m))?;
    save(t, "velocity", &[n, 3], flat(&b.velocity_m_s))?;
    save(t, "spin", &[n, 3], flat(&b.spin_rad_s))?;
    save(t, "radius", &[n], b.radius_m.clone())?;
    save(t, "mass", &[n], b.mass_kg.clone())?;
    save(t, "id", &[n], b.id.clone())?;
    save(t, "material", &[n], b.material.clone())?;
    if let Some(polyhedra) = &b.polyhedra {
        save(t, "orientation", &[n, 4], polyhedra.orientation.iter().flat_map(|q| q.to_array()).collect())?;
    }
    if !s.wall_motion.is_empty() {
        save(t, "wall_travel", &[s.wall_motion.len() as u64], s.wall_motion.iter().map(|w| w.travel_m).collect())?;
    }
    let (coordination, pressure) = per_body(s);
    save(t, "coordination", &[n], coordination)?;
    save(t, "pressure", &[n], pressure)?;
    if contacts { write_contacts(t, s) } else { Ok(()) }
}

fn write_contacts(dir: &Path, s: &Snapshot) -> Result<()> {
    let (c, m) = (&s.contacts, s.contacts.len() as u64);
    let vectors = |of: fn(&Contact) -> DVec3| c.iter().flat_map(|c| of(c).to_array()).collect();
    let numbers = |of: fn(&Contact) -> f64| c.iter().map(of).collect();
    save(dir, "pair", &[m, 2], c.iter().flat_map(|c| [c.i, c.j]).collect())?;
    save(dir, "contact_force", &[m, 3], vectors(|c| c.force_n))?;
    save(dir, "contact_normal", &[m, 3], vectors(|c| c.normal))?;
    save(dir, "contact_overlap", &[m], numbers(|c| c.overlap_m))?;
    save(dir, "contact_normal_force", &[m], numbers(Contact::normal_force_n))?;
    save(dir, "contact_tangential_force", &[m, 3], vectors(Contact::tangential_force_n))?;
    if s.bodies.polyhedra.is_some() {
        save(dir, "contact_point", &[m, 3], vectors(|c| c.at_m.unwrap_or(DVec3::NAN)))?;
    }
    let torques = c.iter().flat_map(|c| [c.torque_i_n_m, c.torque_j_n_m]).flat_map(|t| t.to_array());
    save(dir, "contact_torque", &[m, 6], torques.collect())?;
    let (c, w) = (&s.wall_contacts, s.wall_contacts.len() as u64);
    save(dir, "wall_pair", &[w, 2], c.iter().flat_map(|c| [c.body, c.wall]).collect())?;
    save(dir, "wall_force", &[w, 3], c.iter().flat_map(|c| c.force_n.to_array()).collect())?;
    if s.bodies.polyhedra.is_some() || c.iter().any(|c| c.at_m.is_some()) {
        let points = c.iter().flat_map(|c| c.at_m.unwrap_or(DVec3::NAN).to_array());
        save(dir, "wall_point", &[w, 3], points.collect())?;
    }
    save(dir, "wall_overlap", &[w], c.iter().map(|c| c.overlap_m).collect())
}

/// Contacts of every body that touch, and its pressure: -tr(sum f l) / (3 V) with l from the centre to the point of contact.
fn per_body(s: &Snapshot) -> (Vec<u32>, Vec<f32>) {
    let n = s.bodies.len();
    let (mut count, mut trace) = (vec![0u32; n], vec![0.0f64; n]);
    for c in &s.contacts {
        let normal = c.force_n.dot(c.normal); // negative when pushing
        for (k, force) in [(c.i as usize, c.force_n), (c.j as usize, -c.force_n)] {
            count[k] += u32::from(c.touches(&s.bodies));
            trace[k] -= match c.at_m {
                Some(point) => force.dot(point - s.bodies.position_m[k]),
                None => normal * (s.bodies.radius_m[k] - 0.5 * c.overlap_m),
            };
        }
    }
    for c in &s.wall_contacts {
        let k = c.body as usize;
        count[k] += u32::from(c.touches(&s.bodies));
        trace[k] += match c.at_m {
            Some(point) => c.force_n.dot(s.bodies.position_m[k] - point),
            None => c.force_n.length() * s.bodies.radius_m[k],
        };
    }
    (count, (0..n).map(|k| (trace[k] / (3.0 * s.bodies.volume_m3(k))) as f32).collect())
}

/// Numbers and shape of an .npy file, converted to f64.
pub fn read_f64(path: &Path) -> Result<(Vec<f64>, Vec<usize>)> {
    let bytes = input::read(path)?;
    let bad = |e: String| {
        Error::Data(format!("{}: {e}; an array of float64, float32, uint32 or int64 is wanted", path.display()))
    };
    if !has_header(&bytes) {
        return Err(bad("is not an .npy file, or its header is cut off".into()));
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

/// True if the file holds all of its header and the header is no longer than that of a plain array. A reader allocates
/// memory for it and reads nested parts by recursion.
fn has_header(bytes: &[u8]) -> bool {
    let (size, start) = match bytes.get(..12) {
        Some(b) if b[6] == 1 => (u32::from(u16::from_le_bytes([b[8], b[9]])), 10),
        Some(b) => (u32::from_le_bytes([b[8], b[9], b[10], b[11]]), 12),
        None => return false,
    };
    size as usize <= HEADER_MAX.min(bytes.len() - start)
}

/// All elements, one by one, so that there is no second copy of them.
fn each<T: npyz::Deserialize>(bytes: &[u8], number: fn(T) -> f64) -> std::io::Result<Vec<f64>> {
    let reader = npyz::NpyFile::new(bytes)?.data::<T>().map_err(std::io::Error::other)?;
    reader.map(|element| element.map(number)).collect()
}

/// The frame directories of a run, in order.
pub fn list_frames(run: &Path) -> Result<Vec<PathBuf>> {
    let dir = run.join("frames");
    let no_run = |e| Error::Data(format!("{}: {e}; a run directory has frames", dir.display()));
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
    let bad = |what: &str| Error::Data(format!("{}: {what}", path.display()));
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
    let bad = |e: serde_json::Error| Error::Data(format!("{}: {e}", path.display()));
    let time: serde_json::Value = json::read(&path)?;
    let Some(pose) = time.get("frame") else { return Ok(None) };
    let FramePose { origin_m, orientation, velocity_m_s, spin_rad_s } =
        serde_json::from_value(pose.clone()).map_err(bad)?;
    Ok(Some(FrameState { origin_m, orientation, velocity_m_s, spin_rad_s, asteroid: None }))
}

/// The last frame of a run.
pub fn last_frame(run: &Path) -> Result<PathBuf> {
    list_frames(run)?.pop().ok_or_else(|| Error::Data(format!("{}: holds no frames", run.display())))
}

/// Polyhedra of a frame that holds orientations.
fn read_polyhedra(frame: &Path) -> Result<Option<Polyhedra>> {
    let path = frame.join("orientation.npy");
    if !path.exists() {
        return Ok(None);
    }
    let turns: Vec<DQuat> = read_f64(&path)?.0.chunks_exact(4).map(DQuat::from_slice).collect();
    if turns.iter().any(|q| (q.length() - 1.0).abs() > 1e-6 || !q.is_finite()) {
        return Err(Error::Data(format!("{}: holds a quaternion that is not of length 1", path.display())));
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
        return Err(Error::Data(format!("{}: arrays of different lengths", frame.display())));
    }
    Ok(bodies)
}
