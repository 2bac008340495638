//! Rays through a surface: which facets they cross, which way, and how far away.

use super::box_tree::Node;
use super::facet_tree::FacetTree;
use glam::DVec3;

/// Calls `found` for every facet that the ray from `from` (m) along `ray` crosses: how far away, in lengths of `ray`, and
/// whether the ray leaves the body there.
pub(super) fn crossings(tree: &FacetTree, from: DVec3, ray: DVec3, mut found: impl FnMut(f64, bool)) {
    // A slope of nothing would make 0 / 0 of a box that begins where the ray is.
    let slope = ray.map(|r| if r == 0.0 { f64::MIN_POSITIVE } else { r });
    tree.boxes.walk(
        |node| strikes(node, from, slope),
        |k| {
            if let Some((far, leaves)) = crossing(tree.corners_m[k].map(|c| c - from), ray) {
                found(far, leaves);
            }
        },
    );
}

/// Distance from `from` (m) to the first facet along `ray`, in lengths of it; `None`: the ray misses the surface.
pub fn first_facet(tree: &FacetTree, from: DVec3, ray: DVec3) -> Option<f64> {
    let mut first = f64::INFINITY;
    crossings(tree, from, ray, |far, _| first = first.min(far));
    first.is_finite().then_some(first)
}

/// Whether a ray passes a box.
fn strikes(node: &Node, p: DVec3, ray: DVec3) -> bool {
    let (a, b) = ((node.low - p) / ray, (node.high - p) / ray);
    let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
    leave >= enter.max(0.0)
}

/// Where a ray from the origin crosses a facet, and whether it leaves there: the tetrahedra over the three sides all turn the
/// same way. What two facets share is decided alike for both, so nothing slips through between them.
fn crossing(corner: [DVec3; 3], ray: DVec3) -> Option<(f64, bool)> {
    let side = |k: usize| ray.dot(corner[k].cross(corner[(k + 1) % 3]));
    let sides = [side(0), side(1), side(2)];
    let normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    let ahead = corner[0].dot(normal);
    let leaves = ahead > 0.0 && sides.iter().all(|s| *s >= 0.0);
    let enters = ahead < 0.0 && sides.iter().all(|s| *s <= 0.0);
    (leaves || enters).then(|| (ahead / ray.dot(normal), leaves))
}
