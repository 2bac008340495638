//! Reads `[[wall]]`: planes, plates that move, boxes, solid blocks.

use super::parse::material_index;
use super::shape::turn;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::{Block, Material, Method, Servo, Wall};
use glam::DVec3;

/// Keys of walls that answer to force.
const SERVO: [&str; 3] = ["servo_force_n", "servo_mass_kg", "servo_speed_max_m_s"];

/// The walls of one table: a box has six.
pub(super) fn walls(t: &Table, materials: &[Material], method: &Method) -> Vec<Wall> {
    let kind = t.choice("kind", &["plane", "plate", "box", "block"], None);
    let name = t.name("name").unwrap_or_else(|| "wall".into());
    let material = material_index(t, materials);
    let removed_at_s = t.number("removed_at_s", D::Time).map(|at| t.positive("removed_at_s", at));
    let at = |name: String, point_m: DVec3, normal: DVec3| Wall {
        material,
        removed_at_s,
        ..Wall::plane(&name, point_m, normal)
    };
    let list = match kind.as_str() {
        "box" => faces(t).into_iter().map(|(end, point, normal)| at(format!("{name}.{end}"), point, normal)).collect(),
        "block" => {
            let ([low, high], orientation) = (corners(t), turn(t));
            let block = Block { half_size_m: 0.5 * (high - low), orientation };
            vec![Wall { block: Some(block), ..at(name, 0.5 * (low + high), orientation * DVec3::Z) }]
        }
        _ => vec![moved(t, &kind, method, at(name, t.vector("point_m", D::Length).unwrap_or_default(), normal(t)))],
    };
    if kind != "plate" {
        for key in SERVO.into_iter().filter(|k| t.has(k)) {
            t.fault(key, "is for kind = \"plate\", the wall that moves");
        }
    }
    t.close();
    list
}

/// Lowest and highest corner.
fn corners(t: &Table) -> [DVec3; 2] {
    let low = t.vector("min_m", D::Length).unwrap_or(-DVec3::ONE);
    let high = t.vector("max_m", D::Length).unwrap_or(DVec3::ONE);
    if !t.has("min_m") || !t.has("max_m") {
        t.fault("min_m", "a box or block needs min_m and max_m");
    } else if low.cmpge(high).any() {
        t.fault("max_m", "must lie above min_m in every component");
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

fn normal(t: &Table) -> DVec3 {
    for key in ["point_m", "normal"].into_iter().filter(|k| !t.has(k)) {
        t.fault(key, "is missing");
    }
    let normal = t.vector("normal", D::Pure).unwrap_or(DVec3::Z);
    if !(1e-100..1e100).contains(&normal.length()) {
        t.fault("normal", "has no direction; a unit vector towards the bodies is wanted");
    }
    normal.normalize_or_zero()
}

/// The wall with what moves it, if it is a plate.
fn moved(t: &Table, kind: &str, method: &Method, wall: Wall) -> Wall {
    if kind != "plate" {
        return wall;
    }
    let servo = servo(t, method);
    match (t.has("velocity_m_s"), servo.is_some()) {
        (true, true) => {
            t.fault("velocity_m_s", "stands beside a servo; a plate has either a velocity or a force that moves it")
        }
        (false, false) => {
            t.fault("velocity_m_s", "is missing, and so is servo_force_n; a wall that stands still is a plane")
        }
        _ => {}
    }
    Wall { velocity_m_s: t.vector("velocity_m_s", D::Speed).unwrap_or_default(), servo, ..wall }
}

/// Force and mass, if one of the keys is given.
fn servo(t: &Table, method: &Method) -> Option<Servo> {
    let first = SERVO.into_iter().find(|k| t.has(k))?;
    if method.contact_dynamics().is_none() {
        t.fault(first, "works with run.method = \"contact_dynamics\" only; soft spheres take plates with velocity_m_s");
    }
    Some(Servo {
        force_n: t.within("servo_force_n", t.need("servo_force_n", D::Force), -1e15, 1e15),
        mass_kg: t.positive("servo_mass_kg", t.need("servo_mass_kg", D::Mass)),
        speed_max_m_s: t.number("servo_speed_max_m_s", D::Speed).map(|v| t.positive("servo_speed_max_m_s", v)),
    })
}
