//! Reads `[asteroid]` and makes its surface.

use super::common::{MATERIAL, material_index, word};
use super::made;
use super::made::body;
use super::shape::{PATH, SIZE, UNIT, edges, file};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::geometry::mesh::Mesh;
use crate::geometry::mesh::format::Format;
use crate::geometry::solids::cuboid_facets;
use crate::geometry::surface::Surface;
use crate::model::asteroid::{AsteroidSpec, Motion, SurfaceKind, SurfaceLaw};
use crate::model::scenario::Material;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::Path;

/// Most steps of a coupling interval: the device holds the sums of four intervals.
const INTERVAL_MAX: u64 = 1024;

/// Keys of `[asteroid]`.
pub(super) const KEYS: &[Key] = &[
    Key::table("shape", SHAPE)
        .required()
        .says("its surface")
        .eg("{ kind = \"mesh\", path = \"bennu.obj\", unit_m = 1000 }"),
    Key::positive("density_kg_m3", D::Density).required().says("density of the body").eg("\"1.19 g/cm^3\""),
    MATERIAL,
    Key::vector("rotation_rad_s", D::AngularSpeed).or_zero().says("rotation at the start").eg("[0, 0, 4e-4]"),
    Key::positive("rotation_period_s", D::Time)
        .says("rotation about +z at the start; instead of rotation_rad_s")
        .eg("\"4.3 h\""),
    Key::choice(
        "contact",
        &[
            word("area_weighted", "all facets within an overlap act, weighted by area"),
            word("closest_feature", "the closest face, edge or corner acts"),
        ],
    )
    .or_word("area_weighted")
    .says("how a sphere touches several facets")
    .eg("\"closest_feature\""),
    Key::choice(
        "motion",
        &[
            Word::with(
                "free",
                "the asteroid answers to contacts and to the gravity of the bodies",
                &[Key::count("coupling_interval", 1, INTERVAL_MAX)
                    .or_count(1)
                    .says("steps from one update of the motion of the asteroid to the next")
                    .eg("16")],
            ),
            word("rotating", "the rotation of the asteroid never changes"),
            word("fixed", "the asteroid does not move"),
        ],
    )
    .or_word("free")
    .says("how the asteroid moves")
    .eg("\"rotating\""),
];

const SHAPE: &[Key] = &[Key::choice("kind", KINDS).says("where the surface comes from").eg("\"mesh\"")];

const KINDS: &[Word] = &[
    Word::with(
        "box",
        "a box",
        &[
            SIZE,
            Key::count("subdivisions", 1, 512)
                .or_count(1)
                .says("each edge is cut into so many; the surface has 12 times the square of it facets")
                .eg("8"),
        ],
    ),
    Word::with("mesh", "a closed surface from a file", &[PATH, UNIT, FORMAT]),
    made::SPHERE,
    made::ELLIPSOID,
    made::TOP,
];

/// Format of a file of a surface.
pub(super) const FORMAT: Key = Key::choice("format", FORMATS)
    .without("from the name or the content of the file")
    .says("format of the file")
    .eg("\"plate\"");

const FORMATS: &[Word] = &[
    word("obj", "Wavefront OBJ"),
    word("ply", "PLY, text or binary"),
    word("stl", "STL, text or binary"),
    word("plate", "plate model of PDS"),
    word("icq", "implicitly connected quadrilaterals"),
];

/// `[asteroid]`, if it is there.
pub(super) fn asteroid(root: &Table, materials: &[Material], folder: &Path, seed: u64) -> Option<AsteroidSpec> {
    let t = root.table_if("asteroid")?;
    let mut spec = AsteroidSpec::new(shape(&t, folder, seed), t.value("density_kg_m3"));
    spec.name = format!("{}: asteroid.shape", t.file());
    spec.material = material_index(&t, materials);
    spec.rotation_rad_s = rotation(&t);
    if t.choice("contact") == "closest_feature" {
        spec.contact = SurfaceLaw::ClosestFeature;
    }
    spec.motion = motion(&t);
    if spec.motion == Motion::Fixed && spec.rotation_rad_s != DVec3::ZERO {
        let remedy = "write \"rotating\" or \"free\", or remove the rotation";
        t.fault("motion", "\"fixed\" conflicts with a rotation", remedy);
    }
    t.close();
    Some(spec)
}

fn shape(asteroid: &Table, folder: &Path, seed: u64) -> SurfaceKind {
    let there = asteroid.table_if("shape");
    if there.is_none() && !asteroid.has("shape") {
        asteroid.missing("shape");
    }
    let Some(t) = there else {
        return SurfaceKind::Box { size_m: DVec3::ONE, subdivisions: 1 };
    };
    let kind = match t.choice("kind") {
        "box" => SurfaceKind::Box { size_m: edges(&t), subdivisions: t.count("subdivisions") as usize },
        "mesh" => mesh(&t, folder),
        made => SurfaceKind::Made { body: body(&t, made, seed) },
    };
    t.close();
    kind
}

/// A surface from a file.
pub(super) fn mesh(t: &Table, folder: &Path) -> SurfaceKind {
    let (path, unit_m) = file(t, folder);
    let format = t.has("format").then(|| t.choice("format"));
    SurfaceKind::Mesh { path, unit_m, format: format.and_then(Format::named) }
}

/// `rotation_rad_s`, or `rotation_period_s` about +z; neither: it does not turn.
fn rotation(t: &Table) -> DVec3 {
    if !t.has("rotation_period_s") {
        return t.vector("rotation_rad_s");
    }
    if t.has("rotation_rad_s") {
        t.fault("rotation_rad_s", "conflicts with rotation_period_s", "remove one of the two");
    }
    DVec3::Z * (TAU / t.value("rotation_period_s"))
}

/// `motion`, and of a free asteroid `coupling_interval`.
fn motion(t: &Table) -> Motion {
    match t.choice("motion") {
        "fixed" => Motion::Fixed,
        "rotating" => Motion::Rotating,
        _ => Motion::Free { coupling_interval: t.count("coupling_interval") as u32 },
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
