//! Reads `[[bodies]]`: groups of bodies, each made by a generator.

use super::common::{COUNT, COUNT_MAX, MATERIAL, TURN, material_index};
use super::paths::run_at;
use super::place::{self, placing};
use super::shape::{self, shape, turn};
use super::site;
use super::sizes::{RADIUS, sizes};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::*;
use glam::DVec3;
use std::path::Path;

/// Keys of `[[bodies]]`.
pub(super) const KEYS: &[Key] = &[
    Key::choice("generator", GENERATORS).says("what makes the bodies").eg("\"lattice\""),
    MATERIAL,
    Key::table("shape", shape::KEYS)
        .without("spheres")
        .says("makes the bodies convex polyhedra or clumps of them, with contact dynamics; then every group needs a shape")
        .eg("{ kind = \"grain\" }"),
    Key::choice("about", place::ABOUT)
        .or_word("origin")
        .says("what coordinates and velocities of the group count from")
        .eg("\"mass_centre\""),
    Key::flag("at_rest").says("sets velocities and spins of the bodies to zero").eg("true"),
    TURN.says("rotation vector that turns the group about its mass centre, in degrees"),
    Key::vector("rotation_rad_s", D::AngularSpeed)
        .or_zero()
        .says("rigid rotation that is added about the mass centre of the group")
        .eg("[0, 0, 1e-4]"),
    Key::table("spin_break_up", place::SPIN_BREAK_UP)
        .says("adds a rotation as a share of the rate at which the equator is weightless")
        .eg("{ fraction = 0.5, axis = [0, 0, 1] }"),
    Key::vector("offset_m", D::Length).or_zero().says("shift of every position").eg("[0, 0, \"1 km\"]"),
    Key::vector("velocity_m_s", D::Speed).or_zero().says("velocity that is added to every body").eg("[0, 0, -1]"),
];

const GENERATORS: &[Word] = &[
    Word::with(
        "lattice",
        "a cube of cells, filled layer by layer from below, centred on the origin; each body is shaken inside its cell",
        &[
            COUNT,
            Key::vector("cells", D::Pure)
                .without("the smallest cube")
                .says("cells of the lattice along x, y and z")
                .eg("[4, 4, 10]"),
            Key::positive("grid_spacing_m", D::Length).required().says("edge of a cell").eg("2.5"),
            RADIUS,
        ],
    ),
    Word::with(
        "sphere",
        "at random without overlap in a sphere, which grows if it must",
        &[
            COUNT,
            Key::positive("container_radius_m", D::Length).required().says("radius of the sphere").eg("\"1 km\""),
            RADIUS,
        ],
    ),
    Word::with(
        "list",
        "bodies written out one by one",
        &[Key::tables("body", BODY)
            .required()
            .says("a body of the list")
            .eg("[{ position_m = [0, 0, 0], radius_m = 1.0 }]")],
    ),
    Word::with(
        "file",
        "rows of a table, a .csv or .npy file with the columns x y z radius [vx vy vz [wx wy wz]]",
        &[Key::text("path").required().says("the table, counted from the folder of the scenario").eg("\"bodies.csv\"")],
    ),
    Word::with(
        "frame",
        "the bodies of the last frame of another run, without the history of their contacts",
        &[
            Key::text("path").required().says("directory of the run").eg("\"runs/rubble_pile\""),
            Key::flag("largest_aggregate").says("takes only the bodies of the heaviest aggregate").eg("true"),
        ],
    ),
    Word::with("site", "at random above a place of the surface of the asteroid", site::KEYS),
];

/// Keys of a body of a list.
const BODY: &[Key] = &[
    Key::vector("position_m", D::Length).required().says("mass centre").eg("[0, 0, 0]"),
    Key::positive("radius_m", D::Length)
        .without("required for spheres")
        .says("radius; a shape with a size of its own has none")
        .eg("1.0"),
    Key::vector("velocity_m_s", D::Speed).or_zero().says("velocity").eg("[0, 0, -1]"),
    Key::vector("spin_rad_s", D::AngularSpeed).or_zero().says("angular velocity").eg("[0, 0, 0.1]"),
    TURN.says("rotation vector that turns the shape, in degrees"),
];

/// One group.
pub(super) fn bodies(t: &Table, materials: &[Material], folder: &Path) -> BodyGroup {
    let shape = shape(t, folder);
    let sized = shape.as_ref().is_some_and(ShapeSpec::sized);
    let generator = match t.choice("generator") {
        "lattice" => on_lattice(t),
        "sphere" => Generator::Sphere {
            count: t.count("count") as usize,
            container_radius_m: t.value("container_radius_m"),
            radius: sizes(t),
        },
        "list" => {
            let items: Vec<ListItem> = t.tables("body").iter().map(|t| item(t, shape.is_some(), sized)).collect();
            if items.is_empty() {
                t.fault("body", "the list is empty", "add a body, such as { position_m = [0, 0, 0], radius_m = 1.0 }");
            }
            Generator::List { items }
        }
        "file" => {
            Generator::File { path: folder.join(t.text("path").unwrap_or_default()).to_string_lossy().into_owned() }
        }
        "site" => Generator::Site(site::read(t)),
        _ => Generator::Frame {
            path: run_at(t, t.text("path").unwrap_or_default(), folder),
            keep_materials: !t.has("material"),
            largest_aggregate: t.flag("largest_aggregate"),
        },
    };
    if !matches!(generator, Generator::List { .. }) && sized {
        t.fault(
            "shape",
            "has a size of its own, which only generator = \"list\" takes",
            "add fit_radius = true, which makes bodies as large as their radii, or take a grain or a regular solid",
        );
    }
    if matches!(generator, Generator::Frame { .. }) && shape.is_some() {
        t.fault("shape", "conflicts with generator = \"frame\", whose bodies have their shapes already", "remove it");
    }
    let keeps = matches!(generator, Generator::Frame { keep_materials: true, .. });
    let group = BodyGroup {
        material: if keeps { 0 } else { material_index(t, materials) },
        generator,
        shape,
        placing: placing(t),
    };
    t.close();
    group
}

fn on_lattice(t: &Table) -> Generator {
    let count = t.count("count") as usize;
    let cells = t.has("cells").then(|| cells(t, count));
    let (grid_spacing_m, radius) = (t.value("grid_spacing_m"), sizes(t));
    let largest = 2.0 * radius.max_m();
    if grid_spacing_m < largest {
        let what = format!("{grid_spacing_m} is below the largest diameter {largest}");
        t.fault("grid_spacing_m", what, "raise it, or make the bodies smaller");
    }
    Generator::Lattice { count, cells, grid_spacing_m, radius }
}

/// Cells of a lattice along x, y, z that hold `count` bodies.
fn cells(t: &Table, count: usize) -> [usize; 3] {
    let typed = t.vector_if("cells").unwrap_or(DVec3::ONE).to_array();
    let together = typed.iter().product::<f64>();
    if typed.iter().any(|n| *n < 1.0 || n.fract() != 0.0 || *n > COUNT_MAX as f64) {
        t.fault("cells", "must be whole numbers of at least 1", "give the cells along x, y and z");
    } else if together < count as f64 {
        t.fault("cells", format!("{together} cells do not hold count = {count} bodies"), "add cells");
    }
    typed.map(|n| n.max(1.0) as usize)
}

/// `shaped`: the body is a polyhedron; `sized`: one whose shape has a size of its own.
fn item(t: &Table, shaped: bool, sized: bool) -> ListItem {
    let item = ListItem {
        position_m: t.vector("position_m"),
        radius_m: if sized { 0.0 } else { t.value("radius_m") },
        velocity_m_s: t.vector("velocity_m_s"),
        spin_rad_s: t.vector("spin_rad_s"),
        orientation: turn(t),
    };
    if sized && t.has("radius_m") {
        t.fault("radius_m", "conflicts with a shape that has a size of its own", "remove it");
    }
    if !shaped && t.has("turn_deg") {
        t.fault("turn_deg", "has no effect on a sphere", "remove it, or give the group a shape");
    }
    t.close();
    item
}
