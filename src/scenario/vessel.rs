//! Containers of bodies: a closed form, and where it lies.

use super::asteroid::{FORMAT, mesh};
use super::common::TURN;
use super::made::{EQUATOR, POLE, RELIEF, RIDGE, SEED, SEMI_AXES, SPHERE_RADIUS, body};
use super::shape::{PATH, SIZE, UNIT, edges, turn};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::geometry::made::Form as Made;
use crate::geometry::made::body::FACES_MAX;
use crate::geometry::mass::ellipsoid_m3;
use crate::geometry::surface::Surface;
use crate::model::asteroid::SurfaceKind;
use glam::{DQuat, DVec3};
use serde::Serialize;
use std::f64::consts::PI;
use std::path::Path;

/// Times that the quarters of a circle are halved: a cylinder has 256 sides, whose volume is 1e-4 below that of the round one.
const HALVINGS: usize = 6;

/// Keys of a container.
pub(super) const KEYS: &[Key] = &[
    Key::choice("kind", KINDS).says("its form").eg("\"sphere\""),
    Key::vector("centre_m", D::Length)
        .or_zero()
        .says("where the centre of the form lies, or the origin of the file")
        .eg("[0, 0, 100]"),
    TURN.says("rotation vector that turns it about that point, in degrees"),
];

const FACES: Key = Key::count("faces", 20, FACES_MAX)
    .or_count(20_000)
    .says("least number of faces, with corners on the form: 20,000 take 6e-4 of its volume away")
    .eg("50000");

const KINDS: &[Word] = &[
    Word::with("sphere", "a sphere, with a relief or without", &[SPHERE_RADIUS, FACES, SEED, RELIEF]),
    Word::with("ellipsoid", "an ellipsoid, with a relief or without", &[SEMI_AXES, FACES, SEED, RELIEF]),
    Word::with(
        "top",
        "a spinning top with a ridge at the equator, (rho / a)^p + (|z| / c)^p = 1, with a relief or without",
        &[EQUATOR, POLE, RIDGE, FACES, SEED, RELIEF],
    ),
    Word::with("box", "a box", &[SIZE]),
    Word::with(
        "cylinder",
        "a cylinder along z",
        &[
            Key::positive("radius_m", D::Length).required().says("radius").eg("10"),
            Key::positive("height_m", D::Length).required().says("height").eg("20"),
        ],
    ),
    Word::with("mesh", "a closed surface from a file", &[PATH, UNIT, FORMAT]),
];

/// A container.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Vessel {
    form: Form,
    /// (m)
    centre_m: DVec3,
    orientation: DQuat,
}

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Form {
    Surface(Box<SurfaceKind>),
    Cylinder { radius_m: f64, height_m: f64 },
}

/// Reads a container.
pub(super) fn vessel(t: &Table, folder: &Path, seed: u64) -> Vessel {
    let surface = |kind| Form::Surface(Box::new(kind));
    let form = match t.choice("kind") {
        "box" => surface(SurfaceKind::Box { size_m: edges(t), subdivisions: 1 }),
        "cylinder" => Form::Cylinder { radius_m: t.value("radius_m"), height_m: t.value("height_m") },
        "mesh" => surface(mesh(t, folder)),
        made => surface(SurfaceKind::Made { body: body(t, made, seed) }),
    };
    let vessel = Vessel { form, centre_m: t.vector("centre_m"), orientation: turn(t) };
    t.close();
    vessel
}

impl Vessel {
    /// Its file, which may be replaced.
    pub(super) fn path(&mut self) -> Option<&mut String> {
        match &mut self.form {
            Form::Surface(kind) => match &mut **kind {
                SurfaceKind::Mesh { path, .. } => Some(path),
                _ => None,
            },
            Form::Cylinder { .. } => None,
        }
    }

    /// Its volume without relief, near enough to estimate a number of bodies (m3); `None`: a file decides.
    pub(super) fn about_m3(&self) -> Option<f64> {
        let kind = match &self.form {
            Form::Cylinder { radius_m, height_m } => return Some(PI * radius_m * radius_m * height_m),
            Form::Surface(kind) => kind,
        };
        match &**kind {
            SurfaceKind::Box { size_m, .. } => Some(size_m.element_product()),
            SurfaceKind::Mesh { .. } => None,
            SurfaceKind::Made { body } => {
                // a top lies between two cones and an ellipsoid
                let share = if let Made::Top { ridge_exponent, .. } = body.form { 0.5 * ridge_exponent } else { 1.0 };
                Some(share * ellipsoid_m3(body.form.semi_axes_m().to_array()))
            }
        }
    }

    /// Its surface where it lies; `Err`: the file cannot be read or does not bound one body, faces are too coarse for the
    /// relief. Messages about a form use `name`.
    pub(super) fn surface(&self, name: &str) -> Result<Surface> {
        let as_given = match &self.form {
            Form::Surface(kind) => kind.make(name)?,
            Form::Cylinder { radius_m, height_m } => cylinder(*radius_m, *height_m),
        };
        let place = |v: &DVec3| self.orientation * (*v + as_given.origin_m) + self.centre_m;
        let vertices_m = as_given.vertices_m.iter().map(place).collect();
        Ok(Surface::new(&as_given.name, vertices_m, as_given.triangles))
    }
}

/// A copy of a surface, so many times its size about its mass centre.
pub(super) fn scaled(of: &Surface, times: f64) -> Surface {
    let vertices_m = of.vertices_m.iter().map(|v| times * *v + of.origin_m).collect();
    Surface::new(&of.name, vertices_m, of.triangles.clone())
}

/// A cylinder along z about the origin.
fn cylinder(radius_m: f64, height_m: f64) -> Surface {
    // halved arcs need roots alone, which are the same on every machine
    let mut ring = vec![DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y];
    for _ in 0..HALVINGS {
        let next = ring.iter().cycle().skip(1);
        ring = ring.iter().zip(next).flat_map(|(a, b)| [*a, (*a + *b).normalize()]).collect();
    }
    let n = ring.len() as u32;
    let up = 0.5 * height_m * DVec3::Z;
    let rim = |side: f64| ring.iter().map(move |p| radius_m * *p + side * up).collect::<Vec<_>>();
    let mut vertices_m = [rim(-1.0), rim(1.0)].concat();
    vertices_m.extend([-up, up]);
    let triangles = (0..n).flat_map(|a| {
        let b = (a + 1) % n;
        [[a, b, n + b], [a, n + b, n + a], [2 * n, b, a], [2 * n + 1, n + a, n + b]]
    });
    let triangles = triangles.collect();
    Surface::new("cylinder", vertices_m, triangles)
}
