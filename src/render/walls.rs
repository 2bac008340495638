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

/// What is drawn of a wall: the plate of a plane, or a face of a block.
#[derive(Debug, Clone)]
pub struct Polygon<'a> {
    /// the wall, in the own axes of the frame
    pub wall: &'a Plane,
    /// unit, outward (towards bodies), in the axes of the picture
    pub normal: DVec3,
    /// in the axes of the picture (m)
    pub corners_m: Vec<DVec3>,
}

impl Polygon<'_> {
    /// The side of it that is seen. Of a block only faces towards the camera are, behind all bodies: they touch it from outside,
    /// those behind it are drawn over it.
    fn side(&self, field: Field, camera: &Camera) -> Option<Side> {
        let is_above = camera.is_above((self.corners_m[0] - field.centre_m) / field.radius_m, self.normal);
        match (is_above, self.wall.block.is_some()) {
            (true, _) => Some(Side::Behind),
            (false, true) => None,
            (false, false) => Some(Side::Before),
        }
    }
}

/// Draws the walls of one side.
pub fn draw(picture: &mut RgbaImage, walls: &[Polygon], field: Field, camera: &Camera, side: Side) {
    let size = picture.height();
    for polygon in walls.iter().filter(|p| p.side(field, camera) == Some(side)) {
        let seen = polygon.corners_m.iter();
        let pixels: Option<Vec<DVec2>> =
            seen.map(|p| Some(camera.project((*p - field.centre_m) / field.radius_m, size)?.pixel)).collect();
        let Some(pixels) = pixels else { continue };
        surface(picture, &pixels, PLATE, OPACITY[side as usize]);
        for (k, from) in pixels.iter().enumerate() {
            line(picture, [*from, pixels[(k + 1) % pixels.len()]], f64::from(size) / 600.0, PLATE);
        }
    }
}

/// Walls as polygons, whole, wherever they are seen from. `field`: in the axes of the frame's bodies, which the polygons have too.
///
/// They are cut in the own axes of the frame, where walls are at rest, and turned afterwards.
pub fn polygons<'a>(walls: &'a [Plane], frame: &Frame, field: Field) -> Vec<Polygon<'a>> {
    let turned_by = frame.turned_by();
    let centre_m = turned_by.map_or(field.centre_m, |pose| pose.inside_m(field.centre_m));
    let own = Field { centre_m, ..field };
    let of = |wall: &'a Plane| -> Vec<Polygon<'a>> {
        match wall.block {
            Some(_) => (0..6).filter_map(|k| face(wall, k)).collect(),
            None => vec![Polygon { wall, normal: wall.normal, corners_m: plate(wall, walls, own) }],
        }
    };
    let mut list: Vec<Polygon> = walls.iter().flat_map(of).filter(|p| p.corners_m.len() > 2).collect();
    if let Some(pose) = turned_by {
        for polygon in &mut list {
            polygon.normal = pose.orientation * polygon.normal;
            polygon.corners_m.iter_mut().for_each(|p| *p = pose.outside_m(*p));
        }
    }
    list
}

/// A face of a block, its corners counterclockwise from outside.
fn face(wall: &Plane, k: usize) -> Option<Polygon<'_>> {
    let block = wall.block.as_ref()?;
    let (axis, sign) = (k / 2, if k.is_multiple_of(2) { 1.0 } else { -1.0 });
    let edge = |a: usize| block.orientation * (DVec3::AXES[a % 3] * block.half_size_m[a % 3]);
    let (middle, b, c) = (wall.point_m + sign * edge(axis), edge(axis + 1), sign * edge(axis + 2));
    let normal = sign * (block.orientation * DVec3::AXES[axis]);
    let corners_m = vec![middle - b - c, middle + b - c, middle + b + c, middle - b + c];
    Some(Polygon { wall, normal, corners_m })
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
    use crate::model::snapshot::FrameState;
    use glam::DQuat;

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
        let mut frame =
            Frame { bodies, time_s: 2.0, values: vec![], wall_travel_m: vec![], pose: None, inertial: false };
        assert!((standing(std::slice::from_ref(&rising), &frame)[0].point_m.z - 0.2).abs() < 1e-12);
        frame.wall_travel_m = vec![0.7];
        assert_eq!(standing(&[rising], &frame)[0].point_m.z, 0.7);
    }

    /// Plates are cut in own axes, and turned whole: a wall of a frame that turns has the same plate at all times.
    #[test]
    fn plates_turn_with_their_frame() {
        let walls = [plane(DVec3::ZERO, DVec3::Z), plane(DVec3::new(-1.0, 0.0, 0.0), DVec3::X)];
        let pose = FrameState {
            origin_m: DVec3::new(5.0, -7.0, 3.0),
            orientation: DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1),
            velocity_m_s: DVec3::ZERO,
            spin_rad_s: DVec3::Z,
            asteroid: None,
        };
        let frame = |inertial: bool| Frame {
            bodies: Default::default(),
            time_s: 0.0,
            values: vec![],
            wall_travel_m: vec![],
            pose: Some(pose),
            inertial,
        };
        let field = Field { centre_m: DVec3::new(0.2, 0.1, 0.5), radius_m: 2.0 };
        let seen = Field { centre_m: pose.outside_m(field.centre_m), ..field };
        let (own, turned) = (frame(false), frame(true));
        let [own, turned] = [polygons(&walls, &own, field), polygons(&walls, &turned, seen)];
        assert_eq!([own.len(), turned.len()], [2, 2]);
        for (a, b) in own.iter().zip(&turned) {
            assert!((pose.orientation * a.normal).distance(b.normal) < 1e-12);
            let near = a.corners_m.iter().zip(&b.corners_m).all(|(p, q)| pose.outside_m(*p).distance(*q) < 1e-12);
            assert!(near && a.corners_m.len() == b.corners_m.len(), "{a:?}, {b:?}");
        }
    }
}
