//! The surface of an asteroid in a picture: facets with a colour each, and the pixels that each may cover.

use super::camera::{Camera, NEAR, PATCH};
use super::clip::cut;
use crate::geometry::surface::Surface;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::picture::{Facet, PixelPatch, Vertex};
use glam::{DQuat, DVec2, DVec3};

/// Facets of a picture at most: their rows fit the 128 MiB that every device binds.
pub const FACETS_MAX: usize = 8_000_000;
/// Rounding of a device on the picture (pixels).
const SLACK: f64 = 0.02;

/// Facets for the GPU; lengths in radii of the field, origin in its middle.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    /// corners of facets
    pub vertices: Vec<Vertex>,
    /// corners counter-clockwise from outside, and a tint: see [`super::colour::tint`]
    pub facets: Vec<Facet>,
}

/// The pose of a surface in inertial space.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    /// of its mass centre (m)
    pub origin_m: DVec3,
    /// turns its axes into those of inertial space
    pub orientation: DQuat,
}

impl Pose {
    /// The pose of a surface in its own axes.
    pub const OWN: Pose = Pose { origin_m: DVec3::ZERO, orientation: DQuat::IDENTITY };

    /// A point of the surface (m).
    pub fn moved(&self, p: DVec3) -> DVec3 {
        self.origin_m + self.orientation * p
    }
}

impl Facets {
    /// A surface with a tint for each of its facets, in a field about `centre_m` of `radius_m`.
    pub fn of(surface: &Surface, pose: Pose, centre_m: DVec3, radius_m: f64, tint: impl Fn(usize) -> u32) -> Facets {
        let position = |v: &DVec3| ((pose.moved(*v) - centre_m) / radius_m).as_vec3().to_array();
        let vertex = |v: &DVec3| Vertex { position: position(v), pad: 0 };
        let facet = |(k, corners): (usize, &[u32; 3])| Facet { corners: *corners, tint: tint(k) };
        Facets {
            vertices: surface.vertices_m.iter().map(vertex).collect(),
            facets: surface.triangles.iter().enumerate().map(facet).collect(),
        }
    }

    /// Corners of a facet.
    pub fn corners(&self, facet: usize) -> [DVec3; 3] {
        self.facets[facet].corners.map(|v| in_f64(self.vertices[v as usize].position))
    }

    /// Patches that cover all pixels whose middle a facet may show that faces a camera, on a picture of `size` pixels a side.
    pub fn patches(&self, camera: &Camera, size: u32) -> Vec<PixelPatch> {
        let mut list = vec![];
        for facet in 0..self.facets.len() {
            let Some([x, y]) = pixel_box(camera, self.corners(facet), size) else { continue };
            for top in (y.0..y.1).step_by(PATCH as usize) {
                for left in (x.0..x.1).step_by(PATCH as usize) {
                    let (width, height) = (PATCH.min(x.1 - left), PATCH.min(y.1 - top));
                    list.push(PixelPatch::new(facet as u32, [left, top], [width, height]));
                }
            }
        }
        list
    }
}

/// Columns and rows (first, end) of the pixels whose middle the box of a facet holds; `None` if there are none, or it turns
/// its back.
fn pixel_box(camera: &Camera, corners: [DVec3; 3], size: u32) -> Option<[(u32, u32); 2]> {
    let [a, b, c] = corners;
    if !camera.is_above(a, (b - a).cross(c - a)) {
        return None;
    }
    let seen = corners.map(|p| camera.project(p, size));
    let [low, high] = match seen {
        [Some(a), Some(b), Some(c)] => [a.pixel.min(b.pixel).min(c.pixel), a.pixel.max(b.pixel).max(c.pixel)],
        // what of it lies before the eye
        _ => {
            let (point, normal) = camera.near_plane(1.001 * NEAR);
            let points: Vec<DVec2> =
                cut(&corners, point, normal).iter().filter_map(|p| Some(camera.project(*p, size)?.pixel)).collect();
            [
                points.iter().fold(DVec2::INFINITY, |l, p| l.min(*p)),
                points.iter().fold(-DVec2::INFINITY, |h, p| h.max(*p)),
            ]
        }
    };
    let pixels = |low: f64, high: f64| {
        let first = (low - 0.5 - SLACK).ceil().clamp(0.0, f64::from(size)) as u32;
        let end = ((high - 0.5 + SLACK).floor() + 1.0).clamp(0.0, f64::from(size)) as u32;
        (first < end).then_some((first, end))
    };
    Some([pixels(low.x, high.x)?, pixels(low.y, high.y)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::geodesic::geodesic;

    #[test]
    fn patches_of_a_sphere_cover_its_disc_and_a_facet_at_the_eye_is_cut() {
        let camera = Camera::from_direction(DVec3::new(0.0, -1.0, 0.0)).unwrap();
        let ball = geodesic("ball", 8, |_| 1.0);
        let facets = Facets::of(&ball, Pose::OWN, DVec3::ZERO, 1.0, |_| 0);
        let mut covered = vec![false; 200 * 200];
        for patch in facets.patches(&camera, 200) {
            let [columns, rows] = patch.covered();
            assert!(columns.len() <= PATCH as usize && rows.len() <= PATCH as usize);
            for y in rows {
                columns.clone().for_each(|x| covered[(y * 200 + x) as usize] = true);
            }
        }
        let middle =
            |k: usize| DVec2::new((k % 200) as f64 + 0.5, (k / 200) as f64 + 0.5).distance(DVec2::splat(100.0));
        // the disc of radius 100 / 1.05
        assert!((0..covered.len()).all(|k| covered[k] || middle(k) > 93.0));
        // a floor far below and behind the eye covers the lower half
        let floor = Facets {
            vertices: [[-900.0, -900.0, -1.0], [900.0, -900.0, -1.0], [0.0, 900.0, -1.0]]
                .map(|position| Vertex { position, pad: 0 })
                .to_vec(),
            facets: vec![Facet { corners: [0, 1, 2], tint: 0 }],
        };
        let list = floor.patches(&camera, 200);
        let rows: Vec<u32> = list.iter().map(|p| p.covered()[1].start).collect();
        assert!(*rows.iter().min().unwrap() > 95 && *rows.iter().max().unwrap() > 160, "{rows:?}");
    }
}
