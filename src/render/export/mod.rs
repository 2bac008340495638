//! Frames for other programs: bodies, force chains and walls for ParaView, bodies for OVITO.

pub mod vtp;
mod walls;
pub mod xyz;

use crate::analysis::force_chains::{Link, force_chains};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::surface::Surface;
use crate::model::body::Bodies;
use crate::model::placed::placed;
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::{read_pose, read_time};
use crate::model::stored::resolved::Resolved;
use crate::record::files::recorded::Recorded;
use crate::render::export::vtp::{Array, Cells, PolyData, write, write_index};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// ParaView: bodies_NNNNNN.vtp, contacts_NNNNNN.vtp and walls_NNNNNN.vtp, and bodies.pvd and so on over time
    Vtp,
    /// OVITO: bodies.xyz with all frames
    Xyz,
}

/// A frame, as far as it is there: it may hold a part of the bodies and of the arrays.
pub struct Shown {
    /// bodies and contacts in the frame's own axes; missing vectors are NaN
    pub recorded: Recorded,
    /// bodies in inertial space, if they were asked for there
    turned: Option<Bodies>,
    /// contacts of each body
    pub coordination: Option<Vec<u32>>,
    /// of each body (Pa)
    pub pressure_pa: Option<Vec<f64>>,
    /// velocities were written
    pub moves: bool,
    /// spins were written
    pub spins: bool,
    /// numbers have 32 bits
    pub single: bool,
}

impl Shown {
    fn read(path: &Path, inertial: bool) -> Result<Shown> {
        let files = FrameFiles::open(path)?;
        let recorded = Recorded::of(path, &files, &[])?;
        let turned = inertial.then(|| recorded.instant.inertial().into_owned());
        let bodies = recorded.instant.bodies.len();
        let read = |name: &str| {
            let Some((numbers, _)) = files.holds(name).then(|| files.numbers(name)).transpose()? else {
                return Ok(None);
            };
            let count = numbers.len();
            let fits = (count == bodies).then_some(Some(numbers));
            let file = path.join(format!("{name}.npy"));
            fits.ok_or_else(|| Fault::new(format!("{count} numbers for {bodies} bodies")).path(&file).data())
        };
        Ok(Shown {
            coordination: read("coordination")?.map(|list| list.into_iter().map(|v| v as u32).collect()),
            pressure_pa: read("pressure")?,
            moves: files.holds("velocity"),
            spins: files.holds("spin"),
            single: files.is_single(),
            turned,
            recorded,
        })
    }

    /// Bodies in the coordinates asked for.
    fn bodies(&self) -> &Bodies {
        self.turned.as_ref().unwrap_or(&self.recorded.instant.bodies)
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
            let mut done = export_vtp(frames, folder, resolved.as_ref(), inertial)?;
            if let Some(surface) = surface {
                done.files.extend(export_asteroid(frames, folder, surface, inertial)?);
            }
            Ok(done)
        }
        Format::Xyz => export_xyz(frames, folder, resolved.as_ref(), inertial),
    }
}

fn export_vtp(
    frames: &[(usize, PathBuf)],
    folder: &Path,
    resolved: Option<&Resolved>,
    inertial: bool,
) -> Result<Exported> {
    let (mut of_bodies, mut of_contacts, mut of_walls) = (vec![], vec![], vec![]);
    let names: Vec<_> = resolved.map(|r| ("material_names", r.material_names())).into_iter().collect();
    let mut done = Exported::default();
    for (number, path) in frames {
        let frame = Shown::read(path, inertial)?;
        let instant = &frame.recorded.instant;
        let name = |kind: &str| format!("{kind}_{number:06}.vtp");
        let mut put = |list: &mut Vec<(f64, String)>, name: String, data: &PolyData| {
            done.files.push(folder.join(&name));
            write(&folder.join(&name), data)?;
            list.push((instant.time_s, name));
            Ok::<_, Error>(())
        };
        put(&mut of_bodies, name("bodies"), &bodies(&frame, names.clone()))?;
        if frame.recorded.has_contacts {
            let links = force_chains(instant, resolved, inertial)?;
            put(&mut of_contacts, name("contacts"), &contacts(instant.time_s, &links, frame.single))?;
        } else {
            disk::remove(&folder.join(name("contacts")))?;
            done.without_contacts += 1;
        }
        match resolved.map(|r| walls::walls(r, path, inertial)).transpose()?.flatten() {
            Some(walls) => put(&mut of_walls, name("walls"), &walls)?,
            None => disk::remove(&folder.join(name("walls")))?,
        }
    }
    done.files.extend(index(folder, "bodies", &of_bodies)?);
    done.files.extend(index(folder, "contacts", &of_contacts)?);
    done.files.extend(index(folder, "walls", &of_walls)?);
    Ok(done)
}

/// Writes asteroid.vtp, or with `inertial` asteroid_NNNNNN.vtp for each frame, and asteroid.pvd.
fn export_asteroid(
    frames: &[(usize, PathBuf)],
    folder: &Path,
    surface: &Surface,
    inertial: bool,
) -> Result<Vec<PathBuf>> {
    let faces: Vec<Vec<u32>> = surface.triangles.iter().map(|t| t.to_vec()).collect();
    let mut shown = PolyData {
        time_s: 0.0,
        names: vec![],
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
    let (mut files, mut times) = (vec![], vec![]);
    for (number, path) in frames {
        let name = format!("asteroid_{number:06}.vtp");
        let file = folder.join(&name);
        if let Some(pose) = read_pose(path)? {
            shown.points = surface.vertices_m.iter().map(|v| pose.outside_m(*v)).collect();
        }
        shown.time_s = read_time(path)?.1;
        write(&file, &shown)?;
        files.push(file);
        times.push((shown.time_s, name));
    }
    files.extend(index(folder, "asteroid", &times)?);
    Ok(files)
}

/// Writes the index of these files, times (s) and names. Others in `folder` may be of another run, or in other axes. Without
/// files the index of a call before goes.
fn index(folder: &Path, kind: &str, files: &[(f64, String)]) -> Result<Option<PathBuf>> {
    let path = folder.join(format!("{kind}.pvd"));
    if files.is_empty() {
        return disk::remove(&path).map(|()| None);
    }
    write_index(&path, files)?;
    Ok(Some(path))
}

fn export_xyz(
    frames: &[(usize, PathBuf)],
    folder: &Path,
    resolved: Option<&Resolved>,
    inertial: bool,
) -> Result<Exported> {
    let path = folder.join("bodies.xyz");
    let mut lost = None;
    let written = disk::write_new_in_parts(&path, true, |file| {
        frames.iter().try_for_each(|(_, frame)| match Shown::read(frame, inertial) {
            Ok(shown) => file.write_all(xyz::text(&shown, resolved).as_bytes()),
            Err(e) => Err(std::io::Error::other(lost.insert(e).to_string())),
        })
    });
    // what a frame lacks says more than that the file could not be written
    lost.map_or(written, Err)?;
    Ok(Exported { files: vec![path], without_contacts: 0 })
}

/// Spheres as points with radius, which ParaView's Point Gaussian scales by `radius`; polyhedra as the polygons of their
/// faces, each with the quantities of its body.
fn bodies(of: &Shown, names: Vec<(&'static str, Vec<String>)>) -> PolyData {
    let (time_s, b, single) = (of.recorded.instant.time_s, of.bodies(), of.single);
    // what never changes has 64 bits in all frames
    let mut quantities = vec![
        Array::numbers("radius", "m", b.radius_m.clone()),
        Array::counts("id", b.id.iter().copied()),
        Array::counts("material", b.material.iter().copied()),
        Array::numbers("mass", "kg", b.mass_kg.clone()),
    ];
    quantities.extend(of.spins.then(|| Array::vectors("spin", "rad/s", &b.spin_rad_s).with_precision(single)));
    quantities.extend(of.coordination.as_ref().map(|c| Array::counts("coordination", c.iter().copied())));
    // frames hold it with 32 bits whatever the others have
    quantities
        .extend(of.pressure_pa.as_ref().map(|p| Array::numbers("pressure", "Pa", p.clone()).with_precision(true)));
    // far from the origin, or moving fast as a whole, 32 bits would round away what differs
    quantities.extend(of.moves.then(|| Array::vectors("velocity", "m/s", &b.velocity_m_s)));
    let Some(polyhedra) = &b.polyhedra else {
        let (points, point_data) = (b.position_m.clone(), quantities);
        let cells = Cells::Verts;
        return PolyData { time_s, names, points, cells, point_data, cell_data: vec![] };
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
    let cells = Cells::Polys(faces);
    PolyData { time_s, names, points, cells, point_data: vec![], cell_data }
}

/// A line a contact. Its two points have the normal force too, for tubes whose radius follows it.
fn contacts(time_s: f64, links: &[Link], single: bool) -> PolyData {
    let numbers = |name, unit, of: fn(&Link) -> f64| {
        Array::numbers(name, unit, links.iter().map(of).collect()).with_precision(single)
    };
    let vectors = |name, unit, of: fn(&Link) -> glam::DVec3| {
        Array::vectors(name, unit, &links.iter().map(of).collect::<Vec<_>>()).with_precision(single)
    };
    let integers = |name, of: fn(&Link) -> i64| Array::integers(name, links.iter().map(of));
    let of_ends = links.iter().flat_map(|l| [l.normal_force_n; 2]).collect();
    PolyData {
        time_s,
        names: vec![],
        points: links.iter().flat_map(|l| l.ends_m).collect(),
        cells: Cells::Lines,
        point_data: vec![Array::numbers("normal_force", "N", of_ends).with_precision(single)],
        cell_data: vec![
            integers("id_i", |l| l.id_i),
            integers("id_j", |l| l.id_j),
            numbers("normal_force", "N", |l| l.normal_force_n),
            numbers("tangential_force", "N", |l| l.tangential_force_n),
            numbers("gap", "m", |l| l.gap_m),
            integers("tensile", |l| l.tensile().into()),
            integers("sliding", |l| l.sliding().map_or(-1, i64::from)),
            numbers("mobilised_friction", "", |l| l.mobilised.unwrap_or(f64::NAN)),
            vectors("force", "N", |l| l.force_n),
            vectors("normal", "", |l| l.normal),
            vectors("point", "m", |l| l.point_m),
        ],
    }
}
