//! Walls as translucent plates: the part of each plane about the bodies, cut off at other walls, and the faces of
//! blocks.

use super::brush::{line, surface};
use super::camera::{Camera, Field};
use super::clip::cut;
use super::scene::Frame;
use crate::model::stored::resolved::Plane;
use glam::{DVec2, DVec3};
use image::{Rgba, RgbaImage};

/// Half the side of a plate (field radius).
const REACH: f64 = 1.0;
/// Behind bodies, and before them, where their colours must stay what they are.
const OPACITY: [f64; 2] = [0.28, 0.08];
const PLATE: Rgba<u8> = Rgba([128, 146, 166, 255]);

/// Whether plates lie behind all bodies or in front of them. Bodies are on one side of a wall, so a ray meets it after
/// all of them if it comes from that side, else before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// seen from where the bodies are
    Behind,
    /// seen through the wall
    Before,
}

/// The walls where they are in a frame, without those that are gone.
pub fn standing(walls: &[Plane], frame: &Frame) -> Vec<Plane> {
    let at = |(k, wall): (usize, &Plane)| {
        let point_m = wall.point_at_m(frame.time_s, frame.wall_travel_m.get(k).copied());
        let stands = wall.removed_at_s.is_none_or(|at_s| frame.time_s < at_s);
        stands.then(|| Plane { point_m, ..wall.clone() })
    };
    walls.iter().enumerate().filter_map(at).collect()
}

/// Draws the walls of one side.
pub fn draw(picture: &mut RgbaImage, walls: &[Plane], field: Field, camera: &Camera, side: Side) {
    let size = picture.height();
    let seen = walls.iter().flat_map(|wall| outlines(wall, walls, field, camera));
    for (_, corners) in seen.filter(|(of, _)| *of == side) {
        let pixels: Option<Vec<DVec2>> =
            corners.iter().map(|p| Some(camera.project((*p - field.centre_m) / field.radius_m, size)?.pixel)).collect();
        let Some(pixels) = pixels.filter(|p| p.len() > 2) else { continue };
        surface(picture, &pixels, PLATE, OPACITY[side as usize]);
        for (k, from) in pixels.iter().enumerate() {
            line(picture, [*from, pixels[(k + 1) % pixels.len()]], f64::from(size) / 600.0, PLATE);
        }
    }
}

/// Walls as polygons (m), whole, wherever they are seen from: the plate of a plane, the faces of a block.
pub fn polygons(walls: &[Plane], field: Field) -> Vec<(&Plane, Vec<DVec3>)> {
    let of = |wall: &Plane| match wall.block {
        Some(_) => (0..6).filter_map(|k| Some(face(wall, k)?.2)).collect(),
        None => vec![plate(wall, walls, field)],
    };
    walls.iter().flat_map(|w| of(w).into_iter().map(move |c| (w, c))).filter(|(_, c)| c.len() > 2).collect()
}

/// A face of a block: its middle (m), its outward normal and its corners (m), counterclockwise from outside.
fn face(wall: &Plane, k: usize) -> Option<(DVec3, DVec3, Vec<DVec3>)> {
    let block = wall.block.as_ref()?;
    let (axis, sign) = (k / 2, if k.is_multiple_of(2) { 1.0 } else { -1.0 });
    let edge = |a: usize| block.orientation * (DVec3::AXES[a % 3] * block.half_size_m[a % 3]);
    let (middle, b, c) = (wall.point_m + sign * edge(axis), edge(axis + 1), sign * edge(axis + 2));
    let normal = sign * (block.orientation * DVec3::AXES[axis]);
    Some((middle, normal, vec![middle - b - c, middle + b - c, middle + b + c, middle - b + c]))
}

/// Corners (m) of what is seen of a wall. Of a block the faces towards the camera, behind all bodies: they touch it from
/// outside, those behind it are drawn over it.
fn outlines(wall: &Plane, walls: &[Plane], field: Field, camera: &Camera) -> Vec<(Side, Vec<DVec3>)> {
    let above = |point_m: DVec3, normal: DVec3| camera.is_above((point_m - field.centre_m) / field.radius_m, normal);
    if wall.block.is_none() {
        let side = if above(wall.point_m, wall.normal) { Side::Behind } else { Side::Before };
        return vec![(side, plate(wall, walls, field))];
    }
    let faces = (0..6).filter_map(|k| face(wall, k)).filter(|(middle, normal, _)| above(*middle, *normal));
    faces.map(|(.., corners)| (Side::Behind, corners)).collect()
}

/// Corners of a square about the field's centre on the wall, less what lies beyond other walls (m); none if the wall is
/// farther away than the field reaches.
fn plate(wall: &Plane, walls: &[Plane], field: Field) -> Vec<DVec3> {
    let height = (field.centre_m - wall.point_m).dot(wall.normal);
    if height.abs() > 1.5 * field.radius_m {
        return vec![];
    }
    let (foot, half) = (field.centre_m - height * wall.normal, REACH * field.radius_m);
    // Along an axis where the normal leaves one: plates of a floor are square to the axes.
    let start = if wall.normal.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    let across = wall.normal.cross(start).normalize();
    let along = across.cross(wall.normal);
    let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mut corners: Vec<DVec3> = square.map(|(a, b)| foot + half * (a * along + b * across)).to_vec();
    for other in walls.iter().filter(|w| w.block.is_none() && w.normal.dot(wall.normal).abs() < 0.999) {
        corners = cut(&corners, other.point_m, other.normal);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(point_m: DVec3, normal: DVec3) -> Plane {
        Plane {
            name: "wall".into(),
            material: 0,
            point_m,
            normal,
            velocity_m_s: DVec3::ZERO,
            block: None,
            removed_at_s: None,
        }
    }

    #[test]
    fn a_plate_ends_at_other_walls() {
        let field = Field { centre_m: DVec3::new(0.0, 0.0, 0.5), radius_m: 2.0 };
        let floor = plane(DVec3::ZERO, DVec3::Z);
        let alone = plate(&floor, &[], field);
        assert!(alone.len() == 4 && alone.iter().all(|p| p.z.abs() < 1e-12 && p.x.abs() > 1.99 && p.y.abs() > 1.99));
        let walls =
            [floor.clone(), plane(DVec3::new(-1.0, 0.0, 0.0), DVec3::X), plane(DVec3::new(1.0, 0.0, 0.0), -DVec3::X)];
        let between = plate(&floor, &walls, field);
        assert!(between.len() == 4 && between.iter().all(|p| (p.x.abs() - 1.0).abs() < 1e-12), "{between:?}");
        assert!(plate(&plane(DVec3::new(0.0, 0.0, -9.0), DVec3::Z), &[], field).is_empty());
        let rising = Plane { velocity_m_s: DVec3::new(0.0, 0.0, 0.1), ..floor };
        let bodies = Default::default();
        let mut frame = Frame { bodies, time_s: 2.0, values: vec![], wall_travel_m: vec![], pose: None };
        assert!((standing(std::slice::from_ref(&rising), &frame)[0].point_m.z - 0.2).abs() < 1e-12);
        frame.wall_travel_m = vec![0.7];
        assert_eq!(standing(&[rising], &frame)[0].point_m.z, 0.7);
    }
}
