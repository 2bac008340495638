//! Lines on a surface of triangles, drawn where nothing hides them.

use super::brush::line;
use super::camera::Camera;
use super::picture::Depths;
use crate::geometry::surface::Surface;
use glam::DVec3;
use image::{Rgba, RgbaImage};

/// Lines are lifted by this, that their own facets do not hide them (scene radius).
pub(super) const LIFT: f64 = 0.004;

/// The line on which a quantity, given at the vertices and linear between them, is zero: a piece on each facet that it
/// crosses (m).
pub(super) fn zeros(surface: &Surface, value: impl Fn(u32) -> f64) -> Vec<[DVec3; 2]> {
    let mut found = vec![];
    for (k, triangle) in surface.triangles.iter().enumerate() {
        let corners = surface.corners_m(k);
        let at = triangle.map(&value);
        let crossing = |s: usize| {
            let e = (s + 1) % 3;
            let part = at[s] / (at[s] - at[e]);
            ((at[s] < 0.0) != (at[e] < 0.0)).then(|| corners[s].lerp(corners[e], part))
        };
        let ends: Vec<DVec3> = (0..3).filter_map(crossing).collect();
        found.extend(<[DVec3; 2]>::try_from(ends));
    }
    found
}

/// Draws the pieces (scene radii) that nothing hides; `width` in pixels.
pub(super) fn stroke(
    square: &mut RgbaImage,
    pieces: &[[DVec3; 2]],
    camera: &Camera,
    depths: &Depths,
    width: f64,
    ink: Rgba<u8>,
) {
    let side = square.height();
    for ends in pieces.iter().filter(|[a, b]| depths.sees(camera, 0.5 * (*a + *b), LIFT)) {
        if let [Some(a), Some(b)] = ends.map(|p| camera.project(p, side)) {
            line(square, [a.pixel, b.pixel], width, ink);
        }
    }
}
