//! Gravity, spin and slope on the surface of an asteroid, face by face.

use crate::base::cores::on_all_cores;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::base::units::G;
use crate::geometry::loops::Loops;
use crate::geometry::mesh;
use crate::geometry::surface::Surface;
use crate::model::stored::arrays::{flat, save};
use crate::physics::gravity::face_tree::FaceTree;
use crate::physics::gravity::faces::Triangle;
use glam::DVec3;
use serde::Serialize;
use std::path::Path;

/// Accuracy of the walks: errors of about 2e-5.
const ACCURACY: f64 = 1e-5;

/// A quantity over all faces.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spread {
    /// over the faces
    pub mean: f64,
    /// the same, weighted by area
    pub mean_by_area: f64,
    /// least
    pub min: f64,
    /// most
    pub max: f64,
}

/// The field at the middle of every face of a homogeneous body that turns about its mass centre.
pub struct SurfaceField {
    /// middle of the face, from the mass centre (m)
    pub centre_m: Vec<DVec3>,
    /// (m2)
    pub area_m2: Vec<f64>,
    /// unit vector outwards
    pub normal: Vec<DVec3>,
    /// gravity (m/s2)
    pub gravity_m_s2: Vec<DVec3>,
    /// gravity and centrifugal acceleration (m/s2)
    pub effective_m_s2: Vec<DVec3>,
    /// of gravity (J/kg)
    pub potential_j_kg: Vec<f64>,
    /// with the centrifugal one, -|w x r|^2 / 2 (J/kg)
    pub effective_potential_j_kg: Vec<f64>,
    /// angle between the effective acceleration and the inward normal (degrees)
    pub slope_deg: Vec<f64>,
}

/// What a table and `surface.json` show.
#[derive(Debug, Clone, Serialize)]
pub struct SurfaceReport {
    /// faces
    pub faces: usize,
    /// (m3)
    pub volume_m3: f64,
    /// (kg)
    pub mass_kg: f64,
    /// (rad/s)
    pub rotation_rad_s: DVec3,
    /// size of gravity (m/s2)
    pub gravity_m_s2: Spread,
    /// size of the effective acceleration (m/s2)
    pub effective_m_s2: Spread,
    /// of gravity (J/kg)
    pub potential_j_kg: Spread,
    /// with the centrifugal one (J/kg)
    pub effective_potential_j_kg: Spread,
    /// (degrees)
    pub slope_deg: Spread,
}

/// The field on a surface of this density (kg/m3) and rotation (rad/s).
pub fn surface_field(surface: &Surface, density_kg_m3: f64, rotation_rad_s: DVec3) -> SurfaceField {
    let tree = FaceTree::new(surface);
    let faces = Triangle::all(surface);
    let pull = G * density_kg_m3 * tree.unit_m;
    let fields = on_all_cores(&faces, |f| tree.walk(f.centre() / tree.unit_m, ACCURACY).field);
    let mut field = SurfaceField {
        centre_m: faces.iter().map(Triangle::centre).collect(),
        area_m2: faces.iter().map(|f| f.area).collect(),
        normal: faces.iter().map(|f| f.normal).collect(),
        gravity_m_s2: fields.iter().map(|f| pull * f.acceleration).collect(),
        potential_j_kg: fields.iter().map(|f| pull * tree.unit_m * f.potential).collect(),
        effective_m_s2: vec![],
        effective_potential_j_kg: vec![],
        slope_deg: vec![],
    };
    field.turn(rotation_rad_s);
    field
}

impl SurfaceField {
    /// Takes another rotation (rad/s); gravity stays.
    pub fn turn(&mut self, rotation_rad_s: DVec3) {
        let speed: Vec<DVec3> = self.centre_m.iter().map(|c| rotation_rad_s.cross(*c)).collect();
        let lifted = |(g, v): (&DVec3, &DVec3)| *g - rotation_rad_s.cross(*v);
        self.effective_m_s2 = self.gravity_m_s2.iter().zip(&speed).map(lifted).collect();
        let lower = |(p, v): (&f64, &DVec3)| p - 0.5 * v.length_squared();
        self.effective_potential_j_kg = self.potential_j_kg.iter().zip(&speed).map(lower).collect();
        let slope = |(a, n): (&DVec3, &DVec3)| a.angle_between(-*n).to_degrees();
        self.slope_deg = self.effective_m_s2.iter().zip(&self.normal).map(slope).collect();
    }

    /// Means and extremes.
    pub fn report(&self, surface: &Surface, density_kg_m3: f64, rotation_rad_s: DVec3) -> SurfaceReport {
        let sizes = |v: &[DVec3]| self.spread(&v.iter().map(|a| a.length()).collect::<Vec<_>>());
        SurfaceReport {
            faces: self.area_m2.len(),
            volume_m3: surface.volume_m3,
            mass_kg: density_kg_m3 * surface.volume_m3,
            rotation_rad_s,
            gravity_m_s2: sizes(&self.gravity_m_s2),
            effective_m_s2: sizes(&self.effective_m_s2),
            potential_j_kg: self.spread(&self.potential_j_kg),
            effective_potential_j_kg: self.spread(&self.effective_potential_j_kg),
            slope_deg: self.spread(&self.slope_deg),
        }
    }

    fn spread(&self, values: &[f64]) -> Spread {
        let weighed: f64 = values.iter().zip(&self.area_m2).map(|(v, a)| v * a).sum();
        Spread {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            mean_by_area: weighed / self.area_m2.iter().sum::<f64>(),
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Writes an array a quantity, `surface.json` and `surface.obj`, whose faces are in the same order.
    pub fn write(&self, folder: &Path, report: &SurfaceReport, surface: &Surface) -> Result<()> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        let n = self.area_m2.len() as u64;
        self.write_faces(folder)?;
        for (name, vectors) in [("gravity", &self.gravity_m_s2), ("effective_gravity", &self.effective_m_s2)] {
            save(folder, name, &[n, 3], flat(vectors))?;
        }
        for (name, values) in [
            ("potential", &self.potential_j_kg),
            ("effective_potential", &self.effective_potential_j_kg),
            ("slope", &self.slope_deg),
        ] {
            save(folder, name, &[n], values.clone())?;
        }
        write_json(folder, "surface", report)?;
        write_surface(folder, surface)
    }

    /// Writes `centre` (n, 3) m and `area` (n) m2.
    pub fn write_faces(&self, folder: &Path) -> Result<()> {
        let n = self.area_m2.len() as u64;
        save(folder, "centre", &[n, 3], flat(&self.centre_m))?;
        save(folder, "area", &[n], self.area_m2.clone())
    }
}

/// Writes FOLDER/NAME.json.
pub fn write_json(folder: &Path, name: &str, report: &impl Serialize) -> Result<()> {
    json::write(&folder.join(format!("{name}.json")), report)
}

/// Name of the shape in the folder of its arrays.
pub const SURFACE: &str = "surface.obj";

/// Writes FOLDER/surface.obj (m), faces in the order of the arrays.
pub fn write_surface(folder: &Path, surface: &Surface) -> Result<()> {
    let faces: Loops = surface.triangles.iter().map(|t| t.as_slice()).collect();
    let comment = "about its mass centre, in metres";
    mesh::write::write(&folder.join(SURFACE), &surface.vertices_m, &faces, comment, true)
}
