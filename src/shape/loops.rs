//! Loops of vertices around faces.

use glam::DVec3;

/// Pairs of neighbouring corners in order.
pub fn sides(face: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]])
}

/// Normal of a face with the length of twice its area (m2): the mean over all corners (Newell).
pub fn area_vector(points: &[DVec3], face: &[u32]) -> DVec3 {
    let corner = |k: usize| points[face[k] as usize];
    (2..face.len()).map(|k| (corner(k - 1) - corner(0)).cross(corner(k) - corner(0))).sum()
}
