//! A tree of boxes, split at the median, in the order of a walk without a stack: a node that is left alone names the node that
//! follows its subtree.

use glam::DVec3;

/// Boxes of a leaf at most.
const LEAF: usize = 4;

/// A box by its lowest and highest corner (m).
pub type Bounds = [DVec3; 2];

/// The box of some points.
pub fn bounds(points: impl IntoIterator<Item = DVec3>) -> Bounds {
    let ends = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.into_iter().fold(ends, |[low, high], p| [low.min(p), high.max(p)])
}

/// A box; its contents are consecutive in [`BoxTree::order`].
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// least coordinates (m)
    pub low: DVec3,
    /// largest coordinates (m)
    pub high: DVec3,
    /// node that follows the subtree
    pub skip: u32,
    /// first box of a leaf, an index in the order
    pub first: u32,
    /// boxes of a leaf; 0: an inner node, its first child comes next
    pub count: u32,
}

impl Node {
    fn indices(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// The tree.
#[derive(Debug, Clone, Default)]
pub struct BoxTree {
    /// in the order of the walk
    pub nodes: Vec<Node>,
    /// boxes by their numbers, in the order of the walk
    pub order: Vec<u32>,
}

impl BoxTree {
    /// Halves boxes at the median of their `middles` along the longest way of these, until few are left.
    pub fn new(boxes: &[Bounds], middles: &[DVec3]) -> BoxTree {
        let mut tree = BoxTree::default();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        tree.split(boxes, middles, &mut order, 0);
        tree.order = order;
        tree
    }

    fn split(&mut self, boxes: &[Bounds], middles: &[DVec3], numbers: &mut [u32], first: usize) {
        let here = self.nodes.len();
        let [low, high] = bounds(numbers.iter().flat_map(|k| boxes[*k as usize]));
        let leaf = numbers.len() <= LEAF;
        let count = if leaf { numbers.len() as u32 } else { 0 };
        self.nodes.push(Node { low, high, skip: 0, first: first as u32, count });
        if !leaf {
            let [least, most] = bounds(numbers.iter().map(|k| middles[*k as usize]));
            let way = most - least;
            let axis = way.to_array().iter().position(|w| *w == way.max_element()).unwrap_or(0);
            let half = numbers.len() / 2;
            let along = |k: &u32| middles[*k as usize][axis];
            numbers.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
            let (left, right) = numbers.split_at_mut(half);
            self.split(boxes, middles, left, first);
            self.split(boxes, middles, right, first + half);
        } else {
            numbers.sort_unstable();
        }
        self.nodes[here].skip = self.nodes.len() as u32;
    }

    /// Calls `found` with the index in the order of every box of a leaf that passes `near`.
    pub fn walk(&self, near: impl Fn(&Node) -> bool, mut found: impl FnMut(usize)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let enter = near(node);
            if enter {
                node.indices().for_each(&mut found);
            }
            at = if enter { at + 1 } else { node.skip as usize };
        }
    }

    /// Indices in the order of the boxes whose leaf comes within `reach` (m) of a point.
    pub fn within(&self, p: DVec3, reach: f64) -> Vec<usize> {
        let mut list = vec![];
        self.walk(|n| p.distance_squared(p.clamp(n.low, n.high)) < reach * reach, |k| list.push(k));
        list
    }

    /// Calls `found` for the numbers of pairs of boxes whose leaves touch, each pair once, until it says `false`.
    pub fn pairs(&self, mut found: impl FnMut(u32, u32) -> bool) {
        let second = |k: usize| self.nodes[k + 1].skip as usize;
        let size = |k: usize| self.nodes[k].skip as usize - k;
        let mut stack = vec![(0, 0)];
        while let Some((a, b)) = stack.pop() {
            let [m, n] = [a, b].map(|k| &self.nodes[k]);
            if m.low.cmpgt(n.high).any() || n.low.cmpgt(m.high).any() {
                continue;
            }
            let [open_a, open_b] = [a, b].map(|k| size(k) > 1);
            if a == b && open_a {
                stack.extend([(a + 1, a + 1), (second(a), second(a)), (a + 1, second(a))]);
            } else if open_a && (!open_b || size(a) >= size(b)) {
                stack.extend([(a + 1, b), (second(a), b)]);
            } else if open_b {
                stack.extend([(a, b + 1), (a, second(b))]);
            } else if !self.leaf_pairs(m, n, a == b, &mut found) {
                return;
            }
        }
    }

    fn leaf_pairs(&self, m: &Node, n: &Node, same: bool, found: &mut impl FnMut(u32, u32) -> bool) -> bool {
        let second = |k: usize| if same { k + 1..m.indices().end } else { n.indices() };
        m.indices().all(|k| second(k).all(|l| found(self.order[k], self.order[l])))
    }
}
