//! Frames for other programs: bodies and force chains for ParaView, bodies for OVITO.

pub mod vtp;
pub mod xyz;

use crate::analysis::force_chains::{Link, force_chains};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::surface::Surface;
use crate::model::placed::placed;
use crate::model::snapshot::Snapshot;
use crate::model::stored::frames::{list_frames, number_of, read_f64, read_pose, read_time};
use crate::model::stored::resolved::Resolved;
use crate::record::files::recorded::Recorded;
use crate::render::export::vtp::{Array, Cells, PolyData, write, write_index};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// ParaView: bodies_NNNNNN.vtp and contacts_NNNNNN.vtp, bodies.pvd and contacts.pvd over time
    Vtp,
    /// OVITO: bodies.xyz with all frames
    Xyz,
}

/// Numbers of a frame that a snapshot does not have.
struct PerBody {
    coordination: Vec<f64>,
    pressure_pa: Vec<f64>,
}

impl PerBody {
    fn read(frame: &Path, bodies: usize) -> Result<PerBody> {
        let read = |name: &str| {
            let path = frame.join(format!("{name}.npy"));
            let (numbers, _) = read_f64(&path)?;
            let count = numbers.len();
            let fits = (count == bodies).then_some(numbers);
            fits.ok_or_else(|| Fault::new(format!("{count} numbers for {bodies} bodies")).path(&path).data())
        };
        Ok(PerBody { coordination: read("coordination")?, pressure_pa: read("pressure")? })
    }
}

/// What an export made.
#[derive(Debug, Default)]
pub struct Exported {
    /// files for the user to open
    pub files: Vec<PathBuf>,
    /// frames without contacts
    pub without_contacts: usize,
}

/// Writes `frames` of `run` into `folder`.
///
/// `inertial`: in the coordinates of inertial space, else in those of the frames. `surface`: of the asteroid; once for
/// frames in its own axes, else with each frame at its pose there.
pub fn export(
    run: &Path,
    frames: &[(usize, PathBuf)],
    format: Format,
    folder: &Path,
    inertial: bool,
    surface: Option<&Surface>,
) -> Result<Exported> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let resolved = Resolved::read_if_there(run)?;
    match format {
        Format::Vtp => {
            let mut done = export_vtp(run, frames, folder, resolved.as_ref(), inertial)?;
            if let Some(surface) = surface {
                done.files.extend(export_asteroid(run, frames, folder, surface, inertial)?);
            }
            Ok(done)
        }
        Format::Xyz => export_xyz(frames, folder, resolved.as_ref(), inertial),
    }
}

/// A frame in the coordinates asked for.
fn placed_frame(path: &Path, inertial: bool) -> Result<Recorded> {
    let mut frame = Recorded::read(path)?;
    if inertial {
        frame.instant = frame.instant.in_inertial_space();
    }
    Ok(frame)
}

fn export_vtp(
    run: &Path,
    frames: &[(usize, PathBuf)],
    folder: &Path,
    resolved: Option<&Resolved>,
    inertial: bool,
) -> Result<Exported> {
    let mut done = Exported::default();
    for (number, path) in frames {
        let frame = placed_frame(path, inertial)?;
        let file = |kind: &str| folder.join(format!("{kind}_{number:06}.vtp"));
        write(&file("bodies"), &bodies(&frame.instant, PerBody::read(path, frame.instant.bodies.len())?))?;
        done.files.push(file("bodies"));
        if frame.has_contacts {
            write(&file("contacts"), &contacts(frame.instant.time_s, &force_chains(&frame.instant, resolved)?))?;
            done.files.push(file("contacts"));
        } else {
            done.without_contacts += 1;
        }
    }
    for kind in ["bodies", "contacts"] {
        done.files.extend(index(run, folder, kind)?);
    }
    Ok(done)
}

/// Writes asteroid.vtp, or with `inertial` asteroid_NNNNNN.vtp for each frame, and asteroid.pvd.
fn export_asteroid(
    run: &Path,
    frames: &[(usize, PathBuf)],
    folder: &Path,
    surface: &Surface,
    inertial: bool,
) -> Result<Vec<PathBuf>> {
    let faces: Vec<Vec<u32>> = surface.triangles.iter().map(|t| t.to_vec()).collect();
    let mut shown = PolyData {
        time_s: 0.0,
        points: surface.vertices_m.clone(),
        cells: Cells::Polys(faces),
        point_data: vec![],
        cell_data: vec![],
    };
    if !inertial {
        let (file, list) = (folder.join("asteroid.vtp"), folder.join("asteroid.pvd"));
        write(&file, &shown)?;
        let times = frames.iter().map(|(_, f)| Ok((read_time(f)?.1, "asteroid.vtp".to_owned())));
        write_index(&list, &times.collect::<Result<Vec<_>>>()?)?;
        return Ok(vec![file, list]);
    }
    let mut files = vec![];
    for (number, path) in frames {
        let file = folder.join(format!("asteroid_{number:06}.vtp"));
        if let Some(pose) = read_pose(path)? {
            shown.points = surface.vertices_m.iter().map(|v| pose.origin_m + pose.orientation * *v).collect();
        }
        shown.time_s = read_time(path)?.1;
        write(&file, &shown)?;
        files.push(file);
    }
    files.extend(index(run, folder, "asteroid")?);
    Ok(files)
}

/// Writes the index of all frames that lie in `folder`, those of earlier exports too.
fn index(run: &Path, folder: &Path, kind: &str) -> Result<Option<PathBuf>> {
    let mut files = vec![];
    for frame in list_frames(run)? {
        let name = number_of(&frame).map(|number| format!("{kind}_{number:06}.vtp"));
        if let Some(name) = name.filter(|name| folder.join(name).exists()) {
            files.push((read_time(&frame)?.1, name));
        }
    }
    let path = folder.join(format!("{kind}.pvd"));
    if files.is_empty() {
        return Ok(None);
    }
    write_index(&path, &files)?;
    Ok(Some(path))
}

fn export_xyz(
    frames: &[(usize, PathBuf)],
    folder: &Path,
    resolved: Option<&Resolved>,
    inertial: bool,
) -> Result<Exported> {
    let path = folder.join("bodies.xyz");
    let mut file = File::create(&path).map_err(|e| Error::io(&path, e))?;
    for (_, frame) in frames {
        let s = placed_frame(frame, inertial)?.instant;
        let of = PerBody::read(frame, s.bodies.len())?;
        let text = xyz::text(&s, &of.coordination, &of.pressure_pa, resolved);
        file.write_all(text.as_bytes()).map_err(|e| Error::io(&path, e))?;
    }
    Ok(Exported { files: vec![path], without_contacts: 0 })
}

/// Spheres as points with radius, which ParaView's Point Gaussian scales by `radius`; polyhedra as the polygons of their
/// faces, each with the quantities of its body.
fn bodies(s: &Snapshot, of: PerBody) -> PolyData {
    let b = &s.bodies;
    let quantities = vec![
        Array::numbers("radius", b.radius_m.clone()),
        Array::integers("id", b.id.iter().map(|k| i64::from(*k))),
        Array::integers("material", b.material.iter().map(|k| i64::from(*k))),
        Array::numbers("mass", b.mass_kg.clone()),
        Array::vectors("velocity", &b.velocity_m_s),
        Array::vectors("spin", &b.spin_rad_s),
        Array::numbers("coordination", of.coordination),
        Array::numbers("pressure", of.pressure_pa),
    ];
    let Some(polyhedra) = &b.polyhedra else {
        let (points, point_data) = (b.position_m.clone(), quantities);
        return PolyData { time_s: s.time_s, points, cells: Cells::Verts, point_data, cell_data: vec![] };
    };
    let (mut points, mut faces, mut of_body) = (vec![], vec![], vec![]);
    for k in 0..b.len() {
        let before = faces.len();
        for part in placed(polyhedra, k, b.position_m[k]) {
            let first = points.len() as u32;
            faces.extend(part.body.faces.iter().map(|f| f.vertices.iter().map(|v| first + v).collect()));
            points.extend(part.vertices_m);
        }
        of_body.push(faces.len() - before);
    }
    let cell_data = quantities.iter().map(|a| a.repeated(&of_body)).collect();
    PolyData { time_s: s.time_s, points, cells: Cells::Polys(faces), point_data: vec![], cell_data }
}

/// A line a contact. Its two points have the normal force too, for tubes whose radius follows it.
fn contacts(time_s: f64, links: &[Link]) -> PolyData {
    let numbers = |name, of: fn(&Link) -> f64| Array::numbers(name, links.iter().map(of).collect());
    let vectors = |name, of: fn(&Link) -> glam::DVec3| Array::vectors(name, &links.iter().map(of).collect::<Vec<_>>());
    let integers = |name, of: fn(&Link) -> i64| Array::integers(name, links.iter().map(of));
    PolyData {
        time_s,
        points: links.iter().flat_map(|l| l.ends_m).collect(),
        cells: Cells::Lines,
        point_data: vec![Array::numbers("normal_force", links.iter().flat_map(|l| [l.normal_force_n; 2]).collect())],
        cell_data: vec![
            integers("id_i", |l| l.id_i),
            integers("id_j", |l| l.id_j),
            numbers("normal_force", |l| l.normal_force_n),
            numbers("tangential_force", |l| l.tangential_force_n),
            numbers("gap", |l| l.gap_m),
            integers("tensile", |l| l.tensile().into()),
            integers("sliding", |l| l.sliding().map_or(-1, i64::from)),
            numbers("mobilised_friction", |l| l.mobilised.unwrap_or(f64::NAN)),
            vectors("force", |l| l.force_n),
            vectors("normal", |l| l.normal),
            vectors("point", |l| l.point_m),
        ],
    }
}
