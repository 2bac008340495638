//! Convex surfaces cut off at planes.

use glam::DVec3;

/// The part of a convex surface above a plane (Sutherland and Hodgman 1974).
pub(super) fn cut(corners: &[DVec3], point: DVec3, normal: DVec3) -> Vec<DVec3> {
    let height = |p: DVec3| (p - point).dot(normal);
    let mut kept = vec![];
    for (k, &here) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let (a, b) = (height(here), height(next));
        if a >= 0.0 {
            kept.push(here);
        }
        if (a >= 0.0) != (b >= 0.0) {
            kept.push(here + (next - here) * (a / (a - b)));
        }
    }
    kept
}
