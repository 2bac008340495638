//! Whether a point lies in a body: how often more a ray leaves its surface than it enters.

use super::facet_tree::FacetTree;
use super::ray::crossings;
use glam::DVec3;

/// Directions of rays, none along an axis or a diagonal; a ray through an edge may count wrongly, two of three do not.
const RAYS: [DVec3; 3] =
    [DVec3::new(0.836, 0.127, 0.534), DVec3::new(-0.218, 0.917, 0.334), DVec3::new(0.349, -0.571, 0.743)];

/// True if `p` (m) lies in the body whose facets the tree holds.
pub fn inside(tree: &FacetTree, p: DVec3) -> bool {
    RAYS.iter().filter(|ray| windings(tree, p, **ray) > 0).count() >= 2
}

/// Times that a ray leaves less times that it enters.
fn windings(tree: &FacetTree, p: DVec3, ray: DVec3) -> i32 {
    let mut count = 0;
    crossings(tree, p, ray, |_, leaves| count += if leaves { 1 } else { -1 });
    count
}
