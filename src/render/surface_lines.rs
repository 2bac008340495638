//! Lines on a surface of triangles, drawn where nothing hides them.

use super::brush::line;
use super::camera::Camera;
use super::picture::Depths;
use crate::geometry::surface::Surface;
use glam::DVec3;
use image::{Rgba, RgbaImage};

/// Lines are lifted by this, that their own facets do not hide them (scene radius).
pub(super) const LIFT: f64 = 0.004;

/// A facet whose sides are longer than this part of their distance from the origin is cut for what is not linear on it.
const SEEN: f64 = 0.05;
/// Parts of a side of a facet at most.
const PARTS_MAX: u32 = 64;
/// Pixels of a line that are seen or hidden together.
const STEP: f64 = 6.0;
/// Parts of a piece of a line at most.
const STEPS_MAX: f64 = 1000.0;

/// The line on which a quantity, given at the vertices and linear between them, is zero: a piece on each facet that it
/// crosses (m).
pub(super) fn zeros(surface: &Surface, value: impl Fn(u32) -> f64) -> Vec<[DVec3; 2]> {
    let of = |(k, triangle): (usize, &[u32; 3])| crossing(surface.corners_m(k), triangle.map(&value));
    surface.triangles.iter().enumerate().filter_map(of).collect()
}

/// Where a quantity is zero that has these values at the corners of a triangle, if it is.
fn crossing(corners: [DVec3; 3], at: [f64; 3]) -> Option<[DVec3; 2]> {
    let end = |s: usize| {
        let e = (s + 1) % 3;
        let part = at[s] / (at[s] - at[e]);
        ((at[s] < 0.0) != (at[e] < 0.0)).then(|| corners[s].lerp(corners[e], part))
    };
    let ends: Vec<DVec3> = (0..3).filter_map(end).collect();
    ends.try_into().ok()
}

/// The same of a quantity that is not linear on a facet: facets that are large as seen from the origin are cut, until no side is
/// longer than [`SEEN`] of its distance.
pub(super) fn zeros_seen(surface: &Surface, value: impl Fn(DVec3) -> f64) -> Vec<[DVec3; 2]> {
    let mut found = vec![];
    for k in 0..surface.triangles.len() {
        let corners = surface.corners_m(k);
        for triangle in cut(corners, parts(corners)) {
            found.extend(crossing(triangle, triangle.map(&value)));
        }
    }
    found
}

/// Into how many parts each side of a facet is cut.
fn parts([a, b, c]: [DVec3; 3]) -> u32 {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let nearest = a.length().min(b.length()).min(c.length()).min((a + b + c).length() / 3.0);
    ((longest / (SEEN * nearest)).ceil()).clamp(1.0, f64::from(PARTS_MAX)) as u32
}

/// A triangle in `n` times `n` of its shape.
fn cut([a, b, c]: [DVec3; 3], n: u32) -> impl Iterator<Item = [DVec3; 3]> {
    let at =
        move |i: u32, j: u32| a + (b - a) * (f64::from(i) / f64::from(n)) + (c - a) * (f64::from(j) / f64::from(n));
    let upright = (0..n).flat_map(move |i| (0..n - i).map(move |j| [at(i, j), at(i + 1, j), at(i, j + 1)]));
    let turned = (1..n).flat_map(move |i| (0..n - i).map(move |j| [at(i, j), at(i, j + 1), at(i - 1, j + 1)]));
    upright.chain(turned)
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
    for [a, b] in pieces {
        let pixels = |ends: [DVec3; 2]| {
            let [a, b] = ends.map(|p| camera.project(p, side));
            Some([a?.pixel, b?.pixel])
        };
        let Some([from, to]) = pixels([*a, *b]) else { continue };
        // a long piece may be hidden in part
        let steps = (from.distance(to) / STEP).ceil().clamp(1.0, STEPS_MAX);
        let at = |k: f64| a.lerp(*b, k / steps);
        for k in (0..steps as u32).map(f64::from) {
            let [begin, end] = [at(k), at(k + 1.0)];
            if depths.sees(camera, 0.5 * (begin + end), LIFT)
                && let Some(ends) = pixels([begin, end])
            {
                line(square, ends, width, ink);
            }
        }
    }
}
