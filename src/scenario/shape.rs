//! Reads the `shape` of a group of bodies that are not spheres, and makes its polyhedra.

use super::common::{TURN, word};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::quantity::Dimension as D;
use crate::base::readable::number;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind, Word};
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

/// Keys of `bodies.shape`.
pub(super) const KEYS: &[Key] = &[
    Key::choice("kind", &[GRAIN, REGULAR, BOX, POINTS, MESH, CLUMP, OBJECTS]).says("the shape").eg("\"grain\""),
    Key::flag("fit_radius").says("makes a shape with a size of its own as large as the sphere of each body").eg("true"),
];

const GRAIN: Word = Word::with(
    "grain",
    "hulls of random points on the sphere of each body, another one for each",
    &[
        Key::count("corners_min", 4, 200).or_count(10).says("fewest corners").eg("10"),
        Key::count("corners_max", 4, 200).or_count(70).says("most corners").eg("70"),
        Key::within("ratio_min", D::Pure, 0.0, 0.95).or(0.5).says("least elongation and platyness").eg("0.5"),
    ],
);
const REGULAR: Word = Word::with("regular", "a regular solid whose corners lie on the sphere of the body", &[SOLID]);
const BOX: Word = Word::with("box", "a box", &[SIZE]);
const POINTS: Word = Word::with("points", "the convex hull of points", &[CORNERS]);
const MESH: Word = Word::with("mesh", "a closed convex surface from a file", &[PATH, UNIT]);
const CLUMP: Word = Word::with(
    "clump",
    "convex parts that are fixed to each other",
    &[Key::tables("parts", PART)
        .required()
        .says("a convex part; parts touch each other and do not overlap")
        .eg("[{ kind = \"box\", size_m = [2, 1, 1] }]")],
);
const OBJECTS: Word = Word::with("objects", "convex parts that are the objects of one OBJ file", &[PATH, UNIT]);

/// Keys of a part of a clump.
const PART: &[Key] = &[
    Key::choice(
        "kind",
        &[
            Word::with(
                "regular",
                "a regular solid",
                &[SOLID, Key::positive("radius_m", D::Length).required().says("radius of its corners").eg("1.0")],
            ),
            BOX,
            POINTS,
            MESH,
        ],
    )
    .says("the shape of the part")
    .eg("\"box\""),
    Key::vector("position_m", D::Length).or_zero().says("shift of the part, after it was turned").eg("[1, 0, 0]"),
    TURN.says("rotation vector that turns the part about its own origin, in degrees"),
];

const SOLID: Key = Key::choice(
    "solid",
    &[
        word("tetrahedron", "4 faces"),
        word("cube", "6 faces"),
        word("octahedron", "8 faces"),
        word("icosahedron", "20 faces"),
    ],
)
.says("the solid")
.eg("\"cube\"");
const CORNERS: Key = Key::with_kind("points_m", Kind::Points(D::Length))
    .required()
    .says("the points")
    .eg("[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
/// Edges of a box.
pub(super) const SIZE: Key = Key::vector("size_m", D::Length).required().says("edges of the box").eg("[2, 1, 1]");
/// A file of a surface.
pub(super) const PATH: Key =
    Key::text("path").required().says("the file, counted from the folder of the scenario").eg("\"bennu.obj\"");
/// Its unit.
pub(super) const UNIT: Key =
    Key::positive("unit_m", D::Length).required().says("length of one unit of the file").eg("1000");

/// `shape = { kind = ... }` of a group of bodies, if it is there.
pub(super) fn shape(group: &Table, folder: &Path) -> Option<ShapeSpec> {
    let t = group.table_if("shape")?;
    let kind = match t.choice("kind") {
        "grain" => grains(&t),
        "clump" => clump(&t, folder),
        "objects" => {
            let (path, unit_m) = file(&t, folder);
            ShapeKind::Objects { path, unit_m }
        }
        kind => convex_part(&t, kind, folder),
    };
    let spec = ShapeSpec { fit_radius: t.flag("fit_radius"), kind };
    if spec.fit_radius && !spec.kind.has_size() {
        let what = "has no effect on grains and regular solids, which are as large as the sphere of the body";
        t.fault("fit_radius", what, "remove it");
    }
    t.close();
    Some(spec)
}

fn clump(t: &Table, folder: &Path) -> ShapeKind {
    let parts: Vec<PartSpec> = t.tables("parts").iter().map(|p| part(p, folder)).collect();
    if parts.len() > PARTS_MAX {
        let what = format!("{} parts are more than {PARTS_MAX}, and each is compared with all others", parts.len());
        t.fault("parts", what, "remove some");
    }
    if parts.is_empty() {
        t.fault("parts", "a clump has no parts", "add convex parts, such as { kind = \"box\", size_m = [2, 1, 1] }");
    }
    ShapeKind::Clump { parts }
}

/// `size_m` of a box.
pub(super) fn edges(t: &Table) -> DVec3 {
    let size_m = t.vector("size_m");
    if t.has("size_m") && size_m.min_element() <= 0.0 {
        t.fault("size_m", "has an edge that is not positive", "give three lengths above 0");
    }
    size_m
}

/// A shape that may also be a part of a clump.
fn convex_part(t: &Table, kind: &str, folder: &Path) -> ShapeKind {
    match kind {
        "regular" => ShapeKind::Regular {
            solid: match t.choice("solid") {
                "tetrahedron" => Solid::Tetrahedron,
                "cube" => Solid::Cube,
                "octahedron" => Solid::Octahedron,
                _ => Solid::Icosahedron,
            },
        },
        "box" => ShapeKind::Box { size_m: edges(t) },
        "points" => ShapeKind::Points { points_m: t.points("points_m") },
        _ => {
            let (path, unit_m) = file(t, folder);
            ShapeKind::Mesh { path, unit_m }
        }
    }
}

/// Path and unit of a file of a surface.
pub(super) fn file(t: &Table, folder: &Path) -> (String, f64) {
    let path = folder.join(t.text("path").unwrap_or_default()).to_string_lossy().into_owned();
    (path, t.value("unit_m"))
}

fn part(t: &Table, folder: &Path) -> PartSpec {
    let kind = t.choice("kind");
    let spec = PartSpec {
        shape: convex_part(t, kind, folder),
        radius_m: if kind == "regular" { t.value("radius_m") } else { 0.0 },
        position_m: t.vector("position_m"),
        orientation: turn(t),
    };
    t.close();
    spec
}

/// `turn_deg`: a rotation vector, of one turn at most.
pub(super) fn turn(t: &Table) -> DQuat {
    let turn_deg: DVec3 = t.vector("turn_deg");
    let length = turn_deg.length().min(f64::MAX);
    if length > 360.0 {
        t.fault(
            "turn_deg",
            format!("is a rotation by {} degrees", number(length)),
            "take whole turns off: 360 at most",
        );
        return DQuat::IDENTITY;
    }
    DQuat::from_scaled_axis(turn_deg * (std::f64::consts::PI / 180.0))
}

fn grains(t: &Table) -> ShapeKind {
    let [corners_min, corners_max] = ["corners_min", "corners_max"].map(|key| t.count(key) as u32);
    if corners_min > corners_max {
        t.fault("corners_min", format!("{corners_min} is above corners_max {corners_max}"), "exchange the two");
    }
    ShapeKind::Grain { corners_min, corners_max, ratio_min: t.value("ratio_min") }
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

/// A body's own: radius about its mass centre, volume, and where that centre is from the position that was given.
pub(super) struct Made {
    pub radius_m: f64,
    pub volume_m3: f64,
    pub offset_m: DVec3,
}

impl Maker {
    /// The next group starts: it shares no shape with the one before.
    pub(super) fn group(&mut self) {
        self.common = None;
    }

    /// Makes one body of the group; `placed`: by a generator, which turns it at random and keeps its sphere free.
    pub(super) fn add(&mut self, spec: &ShapeSpec, item: &ListItem, placed: bool, rng: &mut Pcg64Mcg) -> Result<Made> {
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
    pub(super) fn keep(&mut self, index: u32, orientation: DQuat) -> Made {
        let body = &self.shapes[index as usize];
        self.shape.push(index);
        self.orientation.push(orientation);
        Made { radius_m: body.radius_m, volume_m3: body.volume_m3, offset_m: DVec3::ZERO }
    }

    /// Takes the shapes of another run; the number of the first here.
    pub(super) fn take(&mut self, shapes: &[Clump]) -> u32 {
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
        let (shape, known) = match self.common.take() {
            Some(known) => known,
            None => (own_size(&spec.kind)?, None),
        };
        let index = match known {
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
    pub(super) fn finish(self, scenario: &Scenario, bodies: usize) -> Result<Option<Polyhedra>> {
        if self.shape.is_empty() {
            return Ok(None);
        }
        if self.shape.len() < bodies {
            let (shaped, spheres) = (self.shape.len(), bodies - self.shape.len());
            let what =
                format!("of {bodies} bodies {spheres} are spheres and {shaped} polyhedra, but a run has one kind");
            return Err(scenario.fault("bodies", what, "give every group a shape, or none").into());
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
        _ => Err(Error::Usage("bodies.shape: this kind is not a convex part".into())),
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
            Clump::join(parts).map_err(|e| Fault::new(e.clone()).file(path.clone()).data())
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
