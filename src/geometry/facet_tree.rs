//! The facets of a surface in a tree of boxes.

use super::box_tree::{Bounds, BoxTree, bounds};
use super::surface::Surface;
use glam::DVec3;

/// The tree, and its facets.
#[derive(Debug, Clone, Default)]
pub struct FacetTree {
    /// boxes of the facets
    pub boxes: BoxTree,
    /// corners of the facets in the order of the boxes (m)
    pub corners_m: Vec<[DVec3; 3]>,
}

impl FacetTree {
    /// Split at the medians of the facets' middles.
    pub fn new(surface: &Surface) -> FacetTree {
        let facets = 0..surface.triangles.len();
        let around: Vec<Bounds> = facets.clone().map(|f| bounds(surface.corners_m(f))).collect();
        let middles: Vec<DVec3> = facets.map(|f| surface.corners_m(f).iter().sum()).collect();
        let boxes = BoxTree::new(&around, &middles);
        let corners_m = boxes.order.iter().map(|f| surface.corners_m(*f as usize)).collect();
        FacetTree { boxes, corners_m }
    }
}
