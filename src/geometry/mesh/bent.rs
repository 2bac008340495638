//! Faces of more than three corners that are not flat: what they bound depends on the corner at which they are cut into triangles.

use super::Mesh;
use crate::geometry::loops::area_vector;
use glam::DVec3;

/// A face is flat if no corner is farther from its plane than this part of its length: files have about six decimals.
const FLAT: f64 = 1e-5;

/// How many there are, and the most that a corner is off the plane of its face, over the length of the face.
pub(super) fn bent(mesh: &Mesh) -> (usize, f64) {
    let off = mesh.faces.iter().filter(|face| face.len() > 3).map(|face| off_plane(&mesh.vertices_m, face));
    off.filter(|share| *share > FLAT).fold((0, 0.0), |(count, most), share| (count + 1, share.max(most)))
}

/// The most that a corner is off the plane through the middle, along the mean normal, over the distance from the first corner to
/// the farthest.
fn off_plane(points: &[DVec3], face: &[u32]) -> f64 {
    let corners = || face.iter().map(|c| points[*c as usize]);
    let normal = area_vector(points, face).normalize_or_zero();
    let (first, middle) = (points[face[0] as usize], corners().sum::<DVec3>() / face.len() as f64);
    let length = corners().map(|c| c.distance(first)).fold(0.0, f64::max);
    let height = corners().map(|c| normal.dot(c - middle).abs()).fold(0.0, f64::max);
    if length > 0.0 { height / length } else { 0.0 }
}
