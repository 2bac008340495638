//! A binary tree of boxes, split at the median, that finds all pairs of boxes with common points.

use glam::DVec3;

/// Boxes of a leaf at most.
const LEAF: usize = 4;

/// A box by its lowest and highest corner.
pub type Bounds = [DVec3; 2];

/// Part of `order`, and the box around it.
struct Node {
    bounds: Bounds,
    start: usize,
    end: usize,
    /// second child, the first is the next node; 0: a leaf
    second: usize,
}

/// The tree.
pub struct BoxTree {
    /// boxes by their numbers, those of a node side by side
    order: Vec<u32>,
    nodes: Vec<Node>,
}

impl BoxTree {
    /// Over boxes.
    pub fn new(boxes: &[Bounds]) -> BoxTree {
        let mut tree = BoxTree { order: (0..boxes.len() as u32).collect(), nodes: vec![] };
        if !boxes.is_empty() {
            tree.split(boxes, 0, boxes.len());
        }
        tree
    }

    /// Makes the nodes of `order[start..end]`.
    fn split(&mut self, boxes: &[Bounds], start: usize, end: usize) {
        let all = self.order[start..end].iter().map(|b| boxes[*b as usize]);
        let bounds = all.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([DVec3::ZERO; 2]);
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, start, end, second: 0 });
        if end - start > LEAF {
            let size = bounds[1] - bounds[0];
            let axis = if size.x >= size.y.max(size.z) { 0 } else { 1 + usize::from(size.z > size.y) };
            let middle = (end - start) / 2;
            let place = |b: &u32| boxes[*b as usize][0][axis] + boxes[*b as usize][1][axis];
            let by_place = |a: &u32, b: &u32| place(a).total_cmp(&place(b)).then(a.cmp(b));
            self.order[start..end].select_nth_unstable_by(middle, by_place);
            self.split(boxes, start, start + middle);
            self.nodes[node].second = self.nodes.len();
            self.split(boxes, start + middle, end);
        }
    }

    /// Calls `found` for pairs of boxes whose leaves touch, each pair once, until it says `false`.
    pub fn pairs(&self, mut found: impl FnMut(u32, u32) -> bool) {
        let mut stack = if self.nodes.is_empty() { vec![] } else { vec![(0, 0)] };
        while let Some((a, b)) = stack.pop() {
            let [m, n] = [a, b].map(|k| &self.nodes[k]);
            if m.bounds[0].cmpgt(n.bounds[1]).any() || n.bounds[0].cmpgt(m.bounds[1]).any() {
                continue;
            }
            if a == b && m.second > 0 {
                stack.extend([(a + 1, a + 1), (m.second, m.second), (a + 1, m.second)]);
            } else if m.second > 0 && (n.second == 0 || m.end - m.start >= n.end - n.start) {
                stack.extend([(a + 1, b), (m.second, b)]);
            } else if n.second > 0 {
                stack.extend([(a, b + 1), (a, n.second)]);
            } else if !self.leaf_pairs(m, n, a == b, &mut found) {
                return;
            }
        }
    }

    fn leaf_pairs(&self, m: &Node, n: &Node, same: bool, found: &mut impl FnMut(u32, u32) -> bool) -> bool {
        let second = |k: usize| if same { k + 1..m.end } else { n.start..n.end };
        (m.start..m.end).all(|k| second(k).all(|l| found(self.order[k], self.order[l])))
    }
}
