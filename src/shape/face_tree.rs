//! A tree of boxes over the facets of a surface, in the order of a walk without a stack: a node that is left alone names
//! the node that follows its subtree.

use super::surface::Surface;
use glam::DVec3;

/// Facets of a leaf at most.
const LEAF: usize = 4;

/// A box; facets below it stand next to each other in [`FaceTree::order`].
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// least coordinates (m)
    pub low: DVec3,
    /// largest coordinates (m)
    pub high: DVec3,
    /// node that follows the subtree
    pub skip: u32,
    /// first of a leaf's facets, a place in the order
    pub first: u32,
    /// facets of a leaf; 0: an inner node, its first child comes next
    pub count: u32,
}

/// The tree.
#[derive(Debug, Clone, Default)]
pub struct FaceTree {
    /// in the order of the walk
    pub nodes: Vec<Node>,
    /// facets in the order of the walk
    pub order: Vec<u32>,
    /// their corners in that order (m)
    pub corners_m: Vec<[DVec3; 3]>,
}

impl FaceTree {
    /// Halves the facets at the median of their middles along the longest way, until few are left.
    pub fn new(surface: &Surface) -> FaceTree {
        let middle: Vec<DVec3> = (0..surface.triangles.len()).map(|f| surface.corners_m(f).iter().sum()).collect();
        let mut tree = FaceTree { order: (0..surface.triangles.len() as u32).collect(), ..FaceTree::default() };
        let mut order = std::mem::take(&mut tree.order);
        tree.split(surface, &middle, &mut order, 0);
        tree.corners_m = order.iter().map(|f| surface.corners_m(*f as usize)).collect();
        tree.order = order;
        tree
    }

    fn split(&mut self, surface: &Surface, middle: &[DVec3], facets: &mut [u32], first: usize) {
        let here = self.nodes.len();
        let all = || facets.iter().flat_map(|f| surface.corners_m(*f as usize));
        let low = all().fold(DVec3::INFINITY, DVec3::min);
        let high = all().fold(DVec3::NEG_INFINITY, DVec3::max);
        let leaf = facets.len() <= LEAF;
        let count = if leaf { facets.len() as u32 } else { 0 };
        self.nodes.push(Node { low, high, skip: 0, first: first as u32, count });
        if !leaf {
            let ends = |f: fn(DVec3, DVec3) -> DVec3| facets.iter().map(|k| middle[*k as usize]).reduce(f);
            let way = ends(DVec3::max).zip(ends(DVec3::min)).map_or(DVec3::ONE, |(a, b)| a - b);
            let axis = way.to_array().iter().position(|w| *w == way.max_element()).unwrap_or(0);
            let half = facets.len() / 2;
            let along = |f: &u32| (middle[*f as usize][axis], *f);
            facets.select_nth_unstable_by(half, |a, b| {
                let (a, b) = (along(a), along(b));
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            });
            let (left, right) = facets.split_at_mut(half);
            self.split(surface, middle, left, first);
            self.split(surface, middle, right, first + half);
        } else {
            facets.sort_unstable();
        }
        self.nodes[here].skip = self.nodes.len() as u32;
    }

    /// Calls `found` with the place in the order of every facet of a leaf whose box passes `near`.
    pub fn walk(&self, near: impl Fn(&Node) -> bool, mut found: impl FnMut(usize)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let enter = near(node);
            if enter {
                (node.first..node.first + node.count).for_each(|k| found(k as usize));
            }
            at = if enter { at + 1 } else { node.skip as usize };
        }
    }

    /// Places in the order of the facets whose leaf comes within `reach` (m) of a point.
    pub fn within(&self, p: DVec3, reach: f64) -> Vec<usize> {
        let mut list = vec![];
        self.walk(|n| p.distance_squared(p.clamp(n.low, n.high)) < reach * reach, |k| list.push(k));
        list
    }
}
