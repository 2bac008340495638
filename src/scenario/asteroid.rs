//! Reads `[asteroid]` and makes its surface.

use super::model::Material;
use super::model_asteroid::{AsteroidSpec, SurfaceKind, SurfaceLaw};
use super::parse::material_index;
use super::quantity::Dimension as D;
use super::reader::Table;
use super::shape::{edges, file};
use crate::error::Result;
use crate::shape::mesh::Mesh;
use crate::shape::solids::cuboid_facets;
use crate::shape::surface::Surface;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::Path;

/// `[asteroid]`, if it is there.
pub(super) fn asteroid(root: &Table, materials: &[Material], folder: &Path) -> Option<AsteroidSpec> {
    let there = root.is_table("asteroid");
    let t = root.table("asteroid");
    let spec = there.then(|| AsteroidSpec {
        shape: shape(&t, folder),
        density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
        material: material_index(&t, materials),
        rotation_rad_s: rotation(&t),
        contact: match t.choice("contact", &["area_weighted", "closest_feature"], Some("area_weighted")).as_str() {
            "closest_feature" => SurfaceLaw::ClosestFeature,
            _ => SurfaceLaw::AreaWeighted,
        },
    });
    t.close();
    spec
}

fn shape(asteroid: &Table, folder: &Path) -> SurfaceKind {
    if !asteroid.is_table("shape") {
        asteroid.fault("shape", "is no table; write shape = { kind = \"mesh\", path = \"bennu.obj\", unit_m = 1000 }");
    }
    let t = asteroid.table("shape");
    let kind = match t.choice("kind", &["box", "mesh"], None).as_str() {
        "box" => {
            SurfaceKind::Box { size_m: edges(&t), subdivisions: t.count("subdivisions", Some(1), 1..=512) as usize }
        }
        _ => {
            let (path, unit_m) = file(&t, folder, "a file of a closed surface");
            SurfaceKind::Mesh { path, unit_m }
        }
    };
    t.close();
    kind
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

impl SurfaceKind {
    /// Makes the surface; `Err`: the file cannot be read, or bounds no body.
    pub fn make(&self) -> Result<Surface> {
        match self {
            SurfaceKind::Box { size_m, subdivisions } => {
                let (vertices_m, triangles) = cuboid_facets(*size_m, *subdivisions);
                Ok(Surface::new("box", vertices_m, triangles))
            }
            SurfaceKind::Mesh { path, unit_m } => Ok(Surface::of_mesh(&Mesh::read(Path::new(path), *unit_m)?)),
        }
    }
}
