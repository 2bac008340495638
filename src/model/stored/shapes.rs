//! `shapes/`: what the bodies of a run are, kept once; frames hold how they are turned. A body has a shape, a shape convex
//! parts, a part faces, a face corners.

use super::arrays::Numbers::{F64, U32};
use super::arrays::{Array, flat, save_all};
use super::frame_files::checksums_of;
use super::npy::{all_whole, to_f64};
use crate::base::checksums::{self, Checksums};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::clump::Clump;
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::model::body::Polyhedra;
use glam::{DQuat, DVec3};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the folder in a run directory.
pub const FOLDER: &str = "shapes";

/// Shapes, parts, faces and corners one after another, as the folder keeps them.
#[derive(Default)]
pub struct Arrays {
    corner: Vec<DVec3>,
    face_corner: Vec<u32>,
    face_start: Vec<u32>,
    part_start: Vec<u32>,
    shape_start: Vec<u32>,
    part_volume: Vec<f64>,
    part_inertia: Vec<DVec3>,
    volume: Vec<f64>,
    inertia: Vec<DVec3>,
    body_shape: Vec<u32>,
}

impl Arrays {
    fn add(&mut self, shape: &Clump) {
        self.shape_start.push(self.part_start.len() as u32 / 2);
        self.volume.push(shape.volume_m3);
        self.inertia.push(shape.inertia_m5);
        for part in &shape.parts {
            self.part_volume.push(part.volume_m3);
            self.part_inertia.push(part.inertia_m5);
            let first = self.corner.len() as u32;
            self.part_start.extend([first, self.face_start.len() as u32]);
            self.corner.extend(&part.vertices_m);
            for face in &part.faces {
                self.face_start.push(self.face_corner.len() as u32);
                self.face_corner.extend(face.vertices.iter().map(|v| first + v));
            }
        }
    }

    /// Each list of starts ends with the end of the last.
    fn close(&mut self) {
        self.shape_start.push(self.part_start.len() as u32 / 2);
        self.part_start.extend([self.corner.len() as u32, self.face_start.len() as u32]);
        self.face_start.push(self.face_corner.len() as u32);
    }
}

/// The arrays of the folder, as they are written.
pub const TABLE: &[Array<Arrays>] = &[
    Array::new(
        "corner",
        ("corners", 3),
        "m",
        "in the principal axes of the shape about its mass centre",
        F64(|a| flat(&a.corner)),
    ),
    Array::new(
        "face_corner",
        ("sides", 1),
        "",
        "rows of `corner` around each face, counterclockwise from outside",
        U32(|a| a.face_corner.clone()),
    ),
    Array::new(
        "face_start",
        ("faces + 1", 1),
        "",
        "where each face starts in `face_corner`",
        U32(|a| a.face_start.clone()),
    ),
    Array::new(
        "part_start",
        ("parts + 1", 2),
        "",
        "first corner and first face of each part",
        U32(|a| a.part_start.clone()),
    ),
    Array::new("part_volume", ("parts", 1), "m3", "volume of each part", F64(|a| a.part_volume.clone())),
    Array::new(
        "part_inertia",
        ("parts", 3),
        "m5",
        "the part's own principal moments of inertia per unit of density",
        F64(|a| flat(&a.part_inertia)),
    ),
    Array::new("shape_start", ("shapes + 1", 1), "", "first part of each shape", U32(|a| a.shape_start.clone())),
    Array::new("volume", ("shapes", 1), "m3", "volume of each shape", F64(|a| a.volume.clone())),
    Array::new(
        "inertia",
        ("shapes", 3),
        "m5",
        "principal moments of inertia about x, y, z per unit of density",
        F64(|a| flat(&a.inertia)),
    ),
    Array::new(
        "body_shape",
        ("n", 1),
        "",
        "shape of each body, in the order of the frames",
        U32(|a| a.body_shape.clone()),
    ),
];

/// Writes `shapes/` of a run: the arrays of [`TABLE`] and their checksums.
pub fn write(run: &Path, p: &Polyhedra) -> Result<()> {
    let mut a = Arrays { body_shape: p.shape.clone(), ..Arrays::default() };
    for s in p.shapes.iter() {
        a.add(s);
    }
    a.close();
    disk::replace_folder(&run.join(FOLDER), |t| {
        save_all(t, &a, TABLE)?;
        checksums::write(t)
    })
}

/// The polyhedra of a run, turned as a frame of it says; `rows`: those that it holds, if it holds a part.
pub fn read(run: &Path, rows: Option<&[usize]>, orientation: Vec<DQuat>) -> Result<Polyhedra> {
    let path = run.join(FOLDER);
    if !path.exists() {
        return Err(Fault::new(
            "is missing: frames of polyhedra hold how bodies are turned, and this folder of the run what they are",
        )
        .remedy("copy it from where the frames come from, or run again")
        .path(&path)
        .data());
    }
    let folder = Folder { sums: checksums_of(&path, run)?, path };
    let all = folder.whole("body_shape")?;
    let shape = rows.map_or(all.clone(), |rows| rows.iter().filter_map(|k| all.get(*k).copied()).collect());
    let shapes = folder.shapes()?;
    if shape.len() != orientation.len() || shape.iter().any(|s| *s as usize >= shapes.len()) {
        return Err(folder.fault(
            "body_shape",
            format!("{} bodies of {} shapes for {} bodies of a frame", shape.len(), shapes.len(), orientation.len()),
        ));
    }
    Ok(Polyhedra { shapes: Arc::new(shapes), shape, orientation })
}

/// A folder that is read.
struct Folder {
    path: PathBuf,
    sums: Checksums,
}

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.npy"))
    }

    fn fault(&self, name: &str, what: String) -> Error {
        Fault::new(what).path(self.path(name)).data()
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        Ok(to_f64(&self.sums.file(&format!("{name}.npy"))?, &self.path(name))?.0)
    }

    fn vectors(&self, name: &str) -> Result<Vec<DVec3>> {
        let v: Vec<DVec3> = self.numbers(name)?.chunks_exact(3).map(DVec3::from_slice).collect();
        if v.iter().all(|v| v.is_finite()) {
            Ok(v)
        } else {
            Err(self.fault(name, "has values that are not finite".into()))
        }
    }

    fn whole(&self, name: &str) -> Result<Vec<u32>> {
        all_whole(self.numbers(name)?).map_err(|what| self.fault(name, what))
    }

    /// First indices of what follows one after another, and the end of the last, within `count` things.
    fn starts(&self, name: &str, count: usize) -> Result<Vec<usize>> {
        let list: Vec<usize> = self.whole(name)?.into_iter().map(|v| v as usize).collect();
        let rises = list.windows(2).all(|w| w[0] < w[1]);
        if rises && list.first() == Some(&0) && list.last() == Some(&count) {
            Ok(list)
        } else {
            Err(self.fault(name, format!("does not rise from 0 to {count}")))
        }
    }

    fn shapes(&self) -> Result<Vec<Clump>> {
        let parts = self.parts()?;
        let shape_start = self.starts("shape_start", parts.len())?;
        let (volume, inertia) = (self.numbers("volume")?, self.vectors("inertia")?);
        if volume.len() + 1 != shape_start.len() || inertia.len() != volume.len() {
            return Err(self.fault("volume", format!("{} shapes, not {}", volume.len(), shape_start.len() - 1)));
        }
        let shape = |s: usize| Clump::kept(parts[shape_start[s]..shape_start[s + 1]].to_vec(), volume[s], inertia[s]);
        Ok((0..volume.len()).map(shape).collect())
    }

    fn parts(&self) -> Result<Vec<ConvexPolyhedron>> {
        let (corner, face_corner) = (self.vectors("corner")?, self.whole("face_corner")?);
        let (volume, inertia) = (self.numbers("part_volume")?, self.vectors("part_inertia")?);
        let face_start = self.starts("face_start", face_corner.len())?;
        let (part_start, faces) = (self.whole("part_start")?, face_start.len() - 1);
        let parts = (part_start.len() / 2).saturating_sub(1);
        if volume.len() != parts || inertia.len() != parts {
            return Err(self.fault("part_volume", format!("{} parts, not {parts}", volume.len())));
        }
        let part = |p: usize| -> std::result::Result<ConvexPolyhedron, String> {
            let [c, f, c_end, f_end] = [0, 1, 2, 3].map(|k| part_start[2 * p + k] as usize);
            if c > c_end || c_end > corner.len() || f > f_end || f_end > faces {
                return Err("names corners or faces that are not there".into());
            }
            let sides = |f: usize| face_corner[face_start[f]..face_start[f + 1]].iter();
            let local = |v: &u32| (*v as usize).checked_sub(c).filter(|v| c + v < c_end).map(|v| v as u32);
            let loops: Option<Vec<Vec<u32>>> = (f..f_end).map(|f| sides(f).map(local).collect()).collect();
            let loops =
                loops.filter(|l| l.iter().all(|l| l.len() > 2)).ok_or("a face names corners of another part")?;
            ConvexPolyhedron::from_faces(corner[c..c_end].to_vec(), loops, volume[p], inertia[p])
        };
        let fault = |p: usize, e: String| self.fault("part_start", format!("part {p}: {e}"));
        (0..parts).map(|p| part(p).map_err(|e| fault(p, e))).collect()
    }
}
