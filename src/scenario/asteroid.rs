//! Reads `[asteroid]` and makes its surface.

use super::made::{KINDS, body};
use super::parse::material_index;
use super::shape::{edges, file};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::geometry::mesh::{Format, Mesh};
use crate::geometry::solids::cuboid_facets;
use crate::geometry::surface::Surface;
use crate::model::asteroid::{AsteroidSpec, Motion, SurfaceKind, SurfaceLaw};
use crate::model::scenario::Material;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::Path;

/// Most steps of a coupling interval: the device holds the sums of four intervals.
const INTERVAL_MAX: u64 = 1024;

/// `[asteroid]`, if it is there.
pub(super) fn asteroid(root: &Table, materials: &[Material], folder: &Path, seed: u64) -> Option<AsteroidSpec> {
    let there = root.is_table("asteroid");
    let t = root.table("asteroid");
    let spec = there.then(|| {
        let density_kg_m3 = t.positive("density_kg_m3", t.need("density_kg_m3", D::Density));
        let mut spec = AsteroidSpec::new(shape(&t, folder, seed), density_kg_m3);
        spec.name = format!("{}: asteroid.shape", t.file());
        spec.material = material_index(&t, materials);
        spec.rotation_rad_s = rotation(&t);
        if t.choice("contact", &["area_weighted", "closest_feature"], Some("area_weighted")) == "closest_feature" {
            spec.contact = SurfaceLaw::ClosestFeature;
        }
        spec.motion = motion(&t);
        spec
    });
    if let Some(AsteroidSpec { motion: Motion::Fixed, rotation_rad_s, .. }) = &spec
        && *rotation_rad_s != DVec3::ZERO
    {
        t.fault("motion", "\"fixed\" stands beside a rotation; write \"rotating\" or \"free\", or remove the rotation");
    }
    t.close();
    spec
}

fn shape(asteroid: &Table, folder: &Path, seed: u64) -> SurfaceKind {
    if !asteroid.is_table("shape") {
        asteroid.fault("shape", "is no table; write shape = { kind = \"mesh\", path = \"bennu.obj\", unit_m = 1000 }");
    }
    let t = asteroid.table("shape");
    let kind = t.choice("kind", &[&["box", "mesh"], &KINDS[..]].concat(), None);
    let kind = match kind.as_str() {
        "box" => {
            SurfaceKind::Box { size_m: edges(&t), subdivisions: t.count("subdivisions", Some(1), 1..=512) as usize }
        }
        "mesh" => {
            let (path, unit_m) = file(&t, folder, "a file of a closed surface");
            let format = t.has("format").then(|| t.choice("format", &Format::NAMES, None));
            SurfaceKind::Mesh { path, unit_m, format: format.and_then(|f| Format::named(&f)) }
        }
        made => SurfaceKind::Made { body: body(&t, made, seed) },
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

/// `motion`, and of a free asteroid `coupling_interval`.
fn motion(t: &Table) -> Motion {
    match t.choice("motion", &["free", "rotating", "fixed"], Some("free")).as_str() {
        "fixed" => Motion::Fixed,
        "rotating" => Motion::Rotating,
        _ => Motion::Free { coupling_interval: t.count("coupling_interval", Some(1), 1..=INTERVAL_MAX) as u32 },
    }
}

impl SurfaceKind {
    /// Makes the surface; `Err`: the file cannot be read or does not bound one body, faces are too coarse for the
    /// relief. Messages about generated shapes use `name`.
    pub fn make(&self, name: &str) -> Result<Surface> {
        Ok(match self {
            SurfaceKind::Box { size_m, subdivisions } => {
                let (vertices_m, triangles) = cuboid_facets(*size_m, *subdivisions);
                Surface::new("box", vertices_m, triangles)
            }
            SurfaceKind::Mesh { path, unit_m, format } => {
                Surface::of_mesh(&Mesh::load(Path::new(path), *unit_m, *format)?.sound()?)
            }
            SurfaceKind::Made { body } => Surface::of_mesh(&body.make(name)?),
        })
    }
}
