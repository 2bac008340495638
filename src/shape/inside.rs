//! Whether a point lies in a body: how often more a ray leaves its surface than it enters.

use super::box_tree::Node;
use super::face_tree::FaceTree;
use glam::DVec3;

/// Directions of rays, none along an axis or a diagonal; a ray through an edge may count wrongly, two of three do not.
const RAYS: [DVec3; 3] =
    [DVec3::new(0.836, 0.127, 0.534), DVec3::new(-0.218, 0.917, 0.334), DVec3::new(0.349, -0.571, 0.743)];

/// True if `p` (m) lies in the body whose facets the tree holds.
pub fn inside(tree: &FaceTree, p: DVec3) -> bool {
    RAYS.iter().filter(|ray| windings(tree, p, **ray) > 0).count() >= 2
}

/// Times that a ray leaves less times that it enters.
fn windings(tree: &FaceTree, p: DVec3, ray: DVec3) -> i32 {
    let mut count = 0;
    tree.boxes.walk(
        |node| strikes(node, p, ray),
        |k| {
            count += crossing(tree.corners_m[k].map(|c| c - p), ray);
        },
    );
    count
}

/// Whether a ray passes a box.
fn strikes(node: &Node, p: DVec3, ray: DVec3) -> bool {
    let (a, b) = ((node.low - p) / ray, (node.high - p) / ray);
    let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
    leave >= enter.max(0.0)
}

/// 1 if a ray from the origin leaves through a facet, -1 if it enters, 0 if it misses: the tetrahedra over the three
/// sides all turn the same way.
fn crossing(corner: [DVec3; 3], ray: DVec3) -> i32 {
    let side = |k: usize| ray.dot(corner[k].cross(corner[(k + 1) % 3]));
    let sides = [side(0), side(1), side(2)];
    let ahead = corner[0].dot((corner[1] - corner[0]).cross(corner[2] - corner[0]));
    if ahead > 0.0 && sides.iter().all(|s| *s >= 0.0) {
        1
    } else if ahead < 0.0 && sides.iter().all(|s| *s <= 0.0) {
        -1
    } else {
        0
    }
}
