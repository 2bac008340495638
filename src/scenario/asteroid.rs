//! Reads `[asteroid]` and makes its surface.

use super::model::Material;
use super::model_asteroid::{AsteroidSpec, Motion, SurfaceKind};
use super::parse::material_index;
use super::quantity::Dimension as D;
use super::reader::Table;
use super::shape::file;
use crate::error::Result;
use crate::shape::mesh::Mesh;
use crate::shape::surface::Surface;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::Path;

/// Steps of a coupling interval at most: sums of four intervals stand on the device.
const INTERVAL_MAX: u64 = 1024;

/// `[asteroid]`, if it is there.
pub(super) fn asteroid(root: &Table, materials: &[Material], folder: &Path) -> Option<AsteroidSpec> {
    let there = root.is_table("asteroid");
    let t = root.table("asteroid");
    let spec = there.then(|| AsteroidSpec {
        shape: shape(&t, folder),
        density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
        material: material_index(&t, materials),
        rotation_rad_s: rotation(&t),
        motion: motion(&t),
    });
    if let Some(AsteroidSpec { motion: Motion::Fixed, rotation_rad_s, .. }) = &spec
        && *rotation_rad_s != DVec3::ZERO
    {
        t.fault("motion", "\"fixed\" stands beside a rotation; write \"rotating\" or \"free\", or remove the rotation");
    }
    t.close();
    spec
}

fn shape(asteroid: &Table, folder: &Path) -> SurfaceKind {
    if !asteroid.is_table("shape") {
        asteroid.fault("shape", "is no table; write shape = { kind = \"mesh\", path = \"bennu.obj\", unit_m = 1000 }");
    }
    let t = asteroid.table("shape");
    t.choice("kind", &["mesh"], None);
    let (path, unit_m) = file(&t, folder, "a file of a closed surface");
    t.close();
    SurfaceKind::Mesh { path, unit_m }
}

/// `rotation_rad_s`, or `rotation_period_s` about +z; neither: it does not turn.
fn rotation(t: &Table) -> DVec3 {
    if !t.has("rotation_period_s") {
        return t.vector("rotation_rad_s", D::AngularSpeed).unwrap_or_default();
    }
    if t.has("rotation_rad_s") {
        t.fault("rotation_rad_s", "stands beside rotation_period_s; keep one");
    }
    DVec3::Z * (TAU / t.positive("rotation_period_s", t.need("rotation_period_s", D::Time)))
}

/// `motion`, and of a free asteroid `coupling_interval`.
fn motion(t: &Table) -> Motion {
    match t.choice("motion", &["free", "rotating", "fixed"], Some("free")).as_str() {
        "fixed" => Motion::Fixed,
        "rotating" => Motion::Rotating,
        _ => Motion::Free { coupling_interval: t.count("coupling_interval", Some(1), 1..=INTERVAL_MAX) as u32 },
    }
}

impl SurfaceKind {
    /// Makes the surface; `Err`: the file cannot be read, or bounds no body.
    pub fn make(&self) -> Result<Surface> {
        match self {
            SurfaceKind::Mesh { path, unit_m } => Ok(Surface::of_mesh(&Mesh::read(Path::new(path), *unit_m)?)),
        }
    }
}
