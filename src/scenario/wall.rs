//! Reads `[[wall]]`: planes, plates that move, boxes, solid blocks.

use super::common::{MATERIAL, TURN, material_index};
use super::shape::turn;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::{Block, Material, Method, Servo, Wall};
use glam::DVec3;

/// Keys of `[[wall]]`.
pub(super) const KEYS: &[Key] = &[
    Key::choice("kind", KINDS).says("what the wall is").eg("\"plane\""),
    Key::name("name").without("wall").says("name in the series").eg("\"floor\""),
    MATERIAL,
    Key::positive("removed_at_s", D::Time)
        .without("never")
        .says("the wall acts in no step that begins at this instant or later")
        .eg("\"1 s\""),
];

const KINDS: &[Word] = &[
    Word::with("plane", "a plane without an end", &[POINT, TOUCHING, NORMAL]),
    Word::with(
        "plate",
        "a plane that moves, at a velocity or, with contact dynamics, by a force",
        &[
            POINT,
            TOUCHING,
            NORMAL,
            Key::vector("velocity_m_s", D::Speed).without("see servo_force_n").says("its velocity").eg("[0, 0, -0.02]"),
            Key::within("servo_force_n", D::Force, -1e15, 1e15)
                .without("see velocity_m_s")
                .says("force on the plate along its normal; towards the bodies if positive")
                .eg("\"1 kN\""),
            Key::positive("servo_mass_kg", D::Mass)
                .without("required with servo_force_n")
                .says("mass of the plate")
                .eg("100"),
            Key::positive("servo_speed_max_m_s", D::Speed).without("any").says("largest speed of the plate").eg("0.1"),
        ],
    ),
    Word::with("box", "six planes around the bodies, NAME.x_min to NAME.z_max in the series", &[MIN, MAX]),
    Word::with(
        "block",
        "a solid box with the bodies on its outside",
        &[MIN, MAX, TURN.says("rotation vector that turns the block about its middle, in degrees")],
    ),
];

const POINT: Key =
    Key::vector("point_m", D::Length).without("see touching").says("a point of the plane").eg("[0, 0, 0]");
const TOUCHING: Key =
    Key::flag("touching").says("the plane starts where it touches the first of the bodies").eg("true");
const NORMAL: Key = Key::vector("normal", D::Pure).required().says("direction towards the bodies").eg("[0, 0, 1]");
const MIN: Key = Key::vector("min_m", D::Length).required().says("lowest corner").eg("[-1, -1, 0]");
const MAX: Key = Key::vector("max_m", D::Length).required().says("highest corner").eg("[1, 1, 2]");

/// Keys of walls that answer to force.
const SERVO: [&str; 3] = ["servo_force_n", "servo_mass_kg", "servo_speed_max_m_s"];

/// The walls of one table: a box has six.
pub(super) fn walls(t: &Table, materials: &[Material], method: &Method) -> Vec<Wall> {
    let kind = t.choice("kind");
    let name = t.name_in_list("name").unwrap_or_else(|| "wall".into());
    let material = material_index(t, materials);
    let removed_at_s = t.value_if("removed_at_s");
    let at = |name: String, point_m: DVec3, normal: DVec3| Wall {
        material,
        removed_at_s,
        ..Wall::plane(&name, point_m, normal)
    };
    let plane = |name| Wall {
        touching: touching(t),
        ..at(name, t.vector("point_m"), t.direction("normal").unwrap_or(DVec3::Z))
    };
    let list = match kind {
        "box" => faces(t).into_iter().map(|(end, point, normal)| at(format!("{name}.{end}"), point, normal)).collect(),
        "block" => {
            let ([low, high], orientation) = (corners(t), turn(t));
            let block = Block { half_size_m: 0.5 * (high - low), orientation };
            vec![Wall { block: Some(block), ..at(name, 0.5 * (low + high), orientation * DVec3::Z) }]
        }
        "plate" => vec![moved(t, method, plane(name))],
        _ => vec![plane(name)],
    };
    t.close();
    list
}

/// True if the plane starts at the bodies; else its point must be there.
fn touching(t: &Table) -> bool {
    let touching = t.flag("touching");
    match (touching, t.has("point_m")) {
        (true, true) => t.fault("point_m", "conflicts with touching", "remove one of the two"),
        (false, false) => t.fault(
            "point_m",
            "is missing",
            "add `point_m = [0, 0, 0]`, for example, or touching = true for a plane that starts at the bodies",
        ),
        _ => {}
    }
    touching
}

/// Lowest and highest corner.
pub(super) fn corners(t: &Table) -> [DVec3; 2] {
    let (low, high) = (t.vector("min_m"), t.vector("max_m"));
    if t.has("min_m") && t.has("max_m") && low.cmpge(high).any() {
        t.fault("max_m", "is not above min_m in every component", "exchange the components that are not");
    }
    [low, high]
}

/// Name, point and normal of the planes of a box.
fn faces(t: &Table) -> Vec<(String, DVec3, DVec3)> {
    let [low, high] = corners(t);
    let face = |(axis, point, sign, end): (usize, DVec3, f64, &str)| {
        let mut normal = DVec3::ZERO;
        normal[axis] = sign;
        (format!("{}_{end}", ["x", "y", "z"][axis]), point, normal)
    };
    (0..3).flat_map(|a| [(a, low, 1.0, "min"), (a, high, -1.0, "max")]).map(face).collect()
}

/// The wall with what moves it.
fn moved(t: &Table, method: &Method, wall: Wall) -> Wall {
    let servo = servo(t, method);
    match (t.has("velocity_m_s"), servo.is_some()) {
        (true, true) => t.fault("velocity_m_s", "conflicts with servo_force_n", "remove one of the two"),
        (false, false) => t.fault(
            "velocity_m_s",
            "is missing, and so is servo_force_n",
            "give one of the two, or write kind = \"plane\" for a wall at rest",
        ),
        _ => {}
    }
    Wall { velocity_m_s: t.vector("velocity_m_s"), servo, ..wall }
}

/// Force and mass, if one of the keys is there.
fn servo(t: &Table, method: &Method) -> Option<Servo> {
    let first = SERVO.into_iter().find(|k| t.has(k))?;
    if method.contact_dynamics().is_none() {
        t.fault(first, "needs run.method = \"contact_dynamics\"", "give the plate a velocity_m_s instead");
    }
    Some(Servo {
        force_n: t.value("servo_force_n"),
        mass_kg: t.value("servo_mass_kg"),
        speed_max_m_s: t.value_if("servo_speed_max_m_s"),
    })
}
