//! Reads the `shape` of a group of bodies that are not spheres, and makes its polyhedra.

use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::geometry::clump::Clump;
use crate::geometry::convex;
use crate::geometry::generate::{Grains, direction, grain};
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::geometry::solids::{Regular, cuboid, regular};
use crate::model::body::Polyhedra;
use crate::model::scenario::*;
use glam::{DQuat, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::path::Path;
use std::sync::Arc;

/// Most convex parts of a clump.
const PARTS_MAX: usize = 1000;

/// `shape = { kind = ... }` of a group of bodies, if it is there.
pub(super) fn shape(group: &Table, folder: &Path) -> Option<ShapeSpec> {
    if !group.is_table("shape") {
        if group.has("shape") {
            group.fault("shape", "is no table; write shape = { kind = \"grain\" }, or leave it out for spheres");
        }
        return None;
    }
    let t = group.table("shape");
    let kind = match t.choice("kind", &["grain", "regular", "box", "points", "mesh", "clump", "objects"], None).as_str()
    {
        "grain" => grains(&t),
        "clump" => {
            let parts: Vec<PartSpec> = t.tables("parts").iter().map(|p| part(p, folder)).collect();
            if parts.len() > PARTS_MAX {
                t.fault(
                    "parts",
                    format!(
                        "{} parts; at most {PARTS_MAX} are allowed, because each is compared with all others",
                        parts.len()
                    ),
                );
            }
            if parts.is_empty() {
                t.fault(
                    "parts",
                    "is missing or empty: a clump has convex parts, such as { kind = \"box\", size_m = [2, 1, 1] }",
                );
            }
            ShapeKind::Clump { parts }
        }
        "objects" => {
            let (path, unit_m) = file(&t, folder, "an OBJ file whose objects are closed convex surfaces");
            ShapeKind::Objects { path, unit_m }
        }
        kind => convex_part(&t, kind, folder),
    };
    let spec = ShapeSpec { fit_radius: t.flag("fit_radius", false), kind };
    if spec.fit_radius && !spec.kind.has_size() {
        t.fault(
            "fit_radius",
            "is for shapes with a size of their own; grains and regular solids have the body's radius as it is",
        );
    }
    t.close();
    Some(spec)
}

/// `size_m` of a box.
pub(super) fn edges(t: &Table) -> DVec3 {
    let size_m = t.vector("size_m", D::Length).unwrap_or(DVec3::ONE);
    if !t.has("size_m") {
        t.fault("size_m", "is missing: the three edges of the box");
    } else if size_m.min_element() <= 0.0 {
        t.fault("size_m", "has an edge that is not positive");
    }
    size_m
}

/// A shape that may also be a part of a clump.
fn convex_part(t: &Table, kind: &str, folder: &Path) -> ShapeKind {
    match kind {
        "regular" => ShapeKind::Regular {
            solid: match t.choice("solid", &["tetrahedron", "cube", "octahedron", "icosahedron"], None).as_str() {
                "tetrahedron" => Solid::Tetrahedron,
                "cube" => Solid::Cube,
                "octahedron" => Solid::Octahedron,
                _ => Solid::Icosahedron,
            },
        },
        "box" => ShapeKind::Box { size_m: edges(t) },
        "points" => ShapeKind::Points { points_m: t.vectors("points_m", D::Length) },
        _ => {
            let (path, unit_m) = file(t, folder, "an OBJ file of a closed convex surface");
            ShapeKind::Mesh { path, unit_m }
        }
    }
}

pub(super) fn file(t: &Table, folder: &Path, what: &str) -> (String, f64) {
    if !t.has("path") {
        t.fault("path", format!("is missing: {what}"));
    }
    let path = folder.join(t.text("path").unwrap_or_default()).to_string_lossy().into_owned();
    (path, t.positive("unit_m", t.need("unit_m", D::Length)))
}

fn part(t: &Table, folder: &Path) -> PartSpec {
    let kind = t.choice("kind", &["regular", "box", "points", "mesh"], None);
    let spec = PartSpec {
        shape: convex_part(t, &kind, folder),
        radius_m: if kind == "regular" { t.positive("radius_m", t.need("radius_m", D::Length)) } else { 0.0 },
        position_m: t.vector("position_m", D::Length).unwrap_or_default(),
        orientation: turn(t),
    };
    t.close();
    spec
}

/// `turn_deg`: a rotation vector.
pub(super) fn turn(t: &Table) -> DQuat {
    DQuat::from_scaled_axis(t.vector("turn_deg", D::Pure).unwrap_or_default() * (std::f64::consts::PI / 180.0))
}

fn grains(t: &Table) -> ShapeKind {
    let spec = ShapeKind::Grain {
        corners_min: t.count("corners_min", Some(10), 4..=200) as u32,
        corners_max: t.count("corners_max", Some(70), 4..=200) as u32,
        ratio_min: t.within("ratio_min", t.number("ratio_min", D::Pure).unwrap_or(0.5), 0.0, 0.95),
    };
    if let ShapeKind::Grain { corners_min, corners_max, .. } = spec
        && corners_min > corners_max
    {
        t.fault("corners_min", format!("{corners_min} is above corners_max {corners_max}"));
    }
    spec
}

/// The shapes of the bodies made so far.
#[derive(Default)]
pub(super) struct Maker {
    shapes: Vec<Clump>,
    shape: Vec<u32>,
    orientation: Vec<DQuat>,
    /// the group's shape, if it has one of its own, and its index in `shapes`
    common: Option<(Clump, Option<u32>)>,
}

/// A body's own: radius about its mass centre, volume, and where that centre is from the place it was given.
pub(super) struct Made {
    pub radius_m: f64,
    pub volume_m3: f64,
    pub offset_m: DVec3,
}

impl Maker {
    /// The next group starts: it shares no shape with the one before.
    pub fn group(&mut self) {
        self.common = None;
    }

    /// Makes one body of the group; `placed`: by a generator, which turns it at random and keeps its sphere free.
    pub fn add(&mut self, spec: &ShapeSpec, item: &ListItem, placed: bool, rng: &mut Pcg64Mcg) -> Result<Made> {
        let index = self.shape_of(spec, item.radius_m, rng)?;
        let body = &self.shapes[index as usize];
        let turn = if placed { random_turn(rng) } else { item.orientation };
        self.shape.push(index);
        self.orientation.push((turn * body.axes).normalize());
        // a shape of its own size is placed by its mass centre, whose sphere is the one kept free
        let offset_m = if placed && !spec.kind.has_size() { turn * body.origin_m } else { DVec3::ZERO };
        Ok(Made { radius_m: body.radius_m, volume_m3: body.volume_m3, offset_m })
    }

    /// Takes a body as another run left it; `index`: of its shape among those that [`Maker::take`] took.
    pub fn keep(&mut self, index: u32, orientation: DQuat) -> Made {
        let body = &self.shapes[index as usize];
        self.shape.push(index);
        self.orientation.push(orientation);
        Made { radius_m: body.radius_m, volume_m3: body.volume_m3, offset_m: DVec3::ZERO }
    }

    /// Takes the shapes of another run; the number of the first here.
    pub fn take(&mut self, shapes: &[Clump]) -> u32 {
        self.shapes.extend_from_slice(shapes);
        (self.shapes.len() - shapes.len()) as u32
    }

    fn shape_of(&mut self, spec: &ShapeSpec, radius_m: f64, rng: &mut Pcg64Mcg) -> Result<u32> {
        if !spec.kind.has_size() {
            let body = match &spec.kind {
                ShapeKind::Grain { corners_min, corners_max, ratio_min } => {
                    let grains = Grains { corners: *corners_min..=*corners_max, ratio_min: *ratio_min };
                    grain(&grains, 2.0 * radius_m, rng)?.body
                }
                kind => convex(kind, radius_m)?,
            };
            return Ok(self.push(body.into()));
        }
        let (shape, place) = match self.common.take() {
            Some(known) => known,
            None => (own_size(&spec.kind)?, None),
        };
        let index = match place {
            Some(index) => index,
            None if spec.fit_radius => self.push(shape.scaled(radius_m / shape.radius_m)),
            None => self.push(shape.clone()),
        };
        self.common = Some((shape, (!spec.fit_radius).then_some(index)));
        Ok(index)
    }

    fn push(&mut self, body: Clump) -> u32 {
        self.shapes.push(body);
        self.shapes.len() as u32 - 1
    }

    /// The polyhedra of `bodies` bodies; `None` where all are spheres. A run has the one or the other.
    pub fn finish(self, name: &str, bodies: usize) -> Result<Option<Polyhedra>> {
        if self.shape.is_empty() {
            return Ok(None);
        }
        if self.shape.len() < bodies {
            return Err(Error::Usage(format!(
                "{name}: bodies.shape: {} bodies are polyhedra and {} are spheres; a run takes one kind, give every group a shape or none",
                self.shape.len(),
                bodies - self.shape.len()
            )));
        }
        Ok(Some(Polyhedra { shapes: Arc::new(self.shapes), shape: self.shape, orientation: self.orientation }))
    }
}

/// A convex body; `radius_m`: of a regular solid.
fn convex(kind: &ShapeKind, radius_m: f64) -> Result<ConvexPolyhedron> {
    match kind {
        ShapeKind::Regular { solid } => regular(
            match solid {
                Solid::Tetrahedron => Regular::Tetrahedron,
                Solid::Cube => Regular::Cube,
                Solid::Octahedron => Regular::Octahedron,
                Solid::Icosahedron => Regular::Icosahedron,
            },
            radius_m,
        ),
        ShapeKind::Box { size_m } => cuboid(*size_m),
        ShapeKind::Points { points_m } => ConvexPolyhedron::from_points(points_m),
        ShapeKind::Mesh { path, unit_m } => convex::read(Path::new(path), *unit_m),
        _ => Err(Error::Usage("bodies.shape: this kind is no convex part".into())),
    }
}

/// A shape with a size of its own.
fn own_size(kind: &ShapeKind) -> Result<Clump> {
    match kind {
        ShapeKind::Clump { parts } => {
            let made = parts.iter().map(|p| Ok(convex(&p.shape, p.radius_m)?.moved(p.orientation, p.position_m)));
            Clump::join(made.collect::<Result<_>>()?).map_err(Error::Usage)
        }
        ShapeKind::Objects { path, unit_m } => {
            let parts = convex::read_objects(Path::new(path), *unit_m)?;
            Clump::join(parts).map_err(|e| Error::Data(format!("{path}: {e}")))
        }
        kind => convex(kind, 0.0).map(Clump::from),
    }
}

/// A rotation, all as likely as each other: two unit pairs (Shoemake 1992) from directions in the plane.
fn random_turn(rng: &mut Pcg64Mcg) -> DQuat {
    let share: f64 = rng.random();
    let mut flat = || {
        let d = direction(rng);
        let size = (d.x * d.x + d.y * d.y).sqrt().max(f64::MIN_POSITIVE);
        [d.x / size, d.y / size]
    };
    let ([a, b], [c, d]) = (flat(), flat());
    let (one, other) = ((1.0 - share).sqrt(), share.sqrt());
    DQuat::from_xyzw(one * a, one * b, other * c, other * d).normalize()
}
