//! Moments and the walk of a gravity tree in f64: what the GPU tree must give for the same tree and the same criterion
//! (Barnes and Hut 1986; relative criterion after Springel 2005, with the quadrupole's error term).

use super::face_walk::REACH_MAX;
use crate::base::eigen::outer;
use crate::geometry::box_tree::{Bounds, bounds};
use crate::geometry::lbvh::{Child, Lbvh};
use glam::{DMat3, DVec3};

/// Mass, centre and second moments of some bodies, and their box.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// total
    pub mass: f64,
    /// of mass
    pub centre: DVec3,
    /// sum of m d d^T about the centre
    pub second: DMat3,
    /// box
    pub low: DVec3,
    /// box
    pub high: DVec3,
}

impl Moments {
    /// The moments of bodies, given as position and mass.
    pub fn of(bodies: &[(DVec3, f64)]) -> Moments {
        let mass = bodies.iter().map(|b| b.1).sum::<f64>();
        Moments::about(bodies, bodies.iter().map(|b| b.1 * b.0).sum::<DVec3>() / mass)
    }

    /// The moments about a position near the centre of mass, which replaces it.
    pub fn about(bodies: &[(DVec3, f64)], centre: DVec3) -> Moments {
        let mass = bodies.iter().map(|b| b.1).sum();
        let about = |at: DVec3| outer(at - centre, at - centre);
        let second = bodies.iter().fold(DMat3::ZERO, |sum, b| sum + about(b.0) * b.1);
        let [low, high] = bounds(bodies.iter().map(|b| b.0));
        Moments { mass, centre, second, low, high }
    }

    /// Traceless quadrupole, sum of m (3 d d^T - d^2).
    pub fn quadrupole(&self) -> DMat3 {
        let s = self.second;
        s * 3.0 - DMat3::from_diagonal(DVec3::splat(s.x_axis.x + s.y_axis.y + s.z_axis.z))
    }

    /// Distance from the centre that holds the whole box.
    pub fn reach(&self) -> f64 {
        (self.high - self.centre).max(self.centre - self.low).length()
    }

    /// Acceleration and potential over G at the distance `d` from the target to the centre.
    pub fn field(&self, d: DVec3) -> (DVec3, f64) {
        let r = d.length();
        let u = d / r;
        let q = self.quadrupole() * u;
        let quu = q.dot(u);
        let pull = (self.mass * u + (2.5 * quu * u - q) / (r * r)) / (r * r);
        (pull, -(self.mass + 0.5 * quu / (r * r)) / r)
    }
}

/// A group's two boxes: of the targets before its widest jump and of those after it.
pub type Boxes = [Bounds; 2];

/// The boxes of targets in the order of the tree.
pub fn boxes(targets: &[DVec3]) -> Boxes {
    let jump = |k: &usize| (targets[*k] - targets[*k - 1]).abs().max_element();
    let after = (1..targets.len()).rev().max_by(|a, b| jump(a).total_cmp(&jump(b))).unwrap_or(0);
    [&targets[..after.max(1)], &targets[after..]].map(|run| bounds(run.iter().copied()))
}

/// When a node may act as a whole on a group.
#[derive(Debug, Clone, Copy)]
pub struct Opening {
    /// accuracy times the group's last acceleration over G, [`pull_of_group`]; 0: geometric criterion
    pub strictness: f64,
    /// of the geometric criterion
    pub angle: f64,
    /// how far lengths may be off where another walk is compared with this one
    pub slack: f64,
}

impl Opening {
    /// True if the moments may act as a whole on targets in these boxes.
    pub fn accepts(&self, m: &Moments, boxes: &Boxes) -> bool {
        self.decides(m, boxes, 0.0)
    }

    /// True if lengths off by the slack, and by 4e-6 of themselves, may decide otherwise.
    pub fn doubts(&self, m: &Moments, boxes: &Boxes) -> bool {
        self.decides(m, boxes, 1.0) != self.decides(m, boxes, -1.0)
    }

    /// The node made larger and nearer by `worse` times what lengths may be off.
    fn decides(&self, m: &Moments, boxes: &Boxes, worse: f64) -> bool {
        // No length at all is exact: the same integers.
        let slack = |length: f64| if length == 0.0 { 0.0 } else { self.slack + 4e-6 * length };
        let off = |length: f64, sign: f64| (length + sign * worse * slack(length)).max(0.0);
        let gap = |[low, high]: &Bounds| (*low - m.centre).max(m.centre - *high).max(DVec3::ZERO).length();
        let nearest = boxes.iter().map(gap).fold(f64::INFINITY, f64::min);
        let (r, reach) = (off(nearest, -1.0), off(m.reach(), 1.0));
        let far = if self.strictness == 0.0 {
            off((m.high - m.low).max_element(), 1.0) < self.angle * r
        } else {
            m.mass * reach.powi(3) < self.strictness * r.powi(5)
        };
        far && reach < REACH_MAX * r
    }
}

/// Size of a group's acceleration that its errors are measured by, of each body as mass and size: the mean by mass, if it is
/// between the mean by number and 1/32 of that.
pub fn pull_of_group(members: &[(f64, f64)]) -> f64 {
    let mean = members.iter().map(|m| m.1).sum::<f64>() / members.len() as f64;
    let mass: f64 = members.iter().map(|m| m.0).sum();
    let by_mass = members.iter().map(|m| m.0 * m.1).sum::<f64>() / mass;
    by_mass.clamp(mean / 32.0, mean)
}

/// A tree with the moments of its nodes; bodies as position and mass in the order of the tree.
pub struct MomentTree {
    tree: Lbvh,
    bodies: Vec<(DVec3, f64)>,
    moments: Vec<Moments>,
}

/// Field over G at a target and what it took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Walk {
    /// acceleration over G
    pub acceleration: DVec3,
    /// potential over G
    pub potential: f64,
    /// bodies summed one by one
    pub near: u32,
    /// nodes that acted as a whole
    pub far: u32,
    /// a node on the way was in doubt
    pub doubt: bool,
}

impl MomentTree {
    /// Moments of every node of `tree`; `bodies` in the order in which the tree was built.
    pub fn new(tree: Lbvh, bodies: &[(DVec3, f64)]) -> MomentTree {
        MomentTree::about(tree, bodies, |centre| centre)
    }

    /// As [`MomentTree::new`], about the positions that `near` gives for centres of mass.
    pub fn about(tree: Lbvh, bodies: &[(DVec3, f64)], near: impl Fn(DVec3) -> DVec3) -> MomentTree {
        let bodies: Vec<_> = tree.order.iter().map(|k| bodies[*k]).collect();
        let of = |run: &[(DVec3, f64)]| Moments::about(run, near(Moments::of(run).centre));
        let moments = tree.nodes.iter().map(|n| of(&bodies[n.first..=n.last])).collect();
        MomentTree { tree, bodies, moments }
    }

    /// The tree itself.
    pub fn tree(&self) -> &Lbvh {
        &self.tree
    }

    /// Bodies as position and mass, in the order of the tree.
    pub fn bodies(&self) -> &[(DVec3, f64)] {
        &self.bodies
    }

    /// Moments of a node.
    pub fn moments(&self, node: usize) -> &Moments {
        &self.moments[node]
    }

    /// Field at `target` for a group in these boxes; nodes of at most `summed` bodies are summed one by one.
    pub fn walk(&self, target: DVec3, boxes: &Boxes, opening: Opening, summed: usize) -> Walk {
        let mut out = Walk::default();
        let mut stack = vec![Child::Node(0)];
        while let Some(child) = stack.pop() {
            let (first, last) = match child {
                Child::Leaf(index) => (index, index),
                Child::Node(k) => {
                    let (node, m) = (&self.tree.nodes[k], &self.moments[k]);
                    out.doubt |= opening.doubts(m, boxes);
                    if opening.accepts(m, boxes) {
                        let (a, p) = m.field(m.centre - target);
                        (out.acceleration, out.potential) = (out.acceleration + a, out.potential + p);
                        out.far += 1;
                        continue;
                    }
                    if node.last - node.first >= summed {
                        stack.extend(node.children);
                        continue;
                    }
                    (node.first, node.last)
                }
            };
            for (position, mass) in &self.bodies[first..=last] {
                let d = *position - target;
                if d != DVec3::ZERO {
                    let inverse = d.length_recip();
                    out.acceleration += mass * inverse.powi(3) * d;
                    out.potential -= mass * inverse;
                }
                out.near += 1;
            }
        }
        out
    }
}
