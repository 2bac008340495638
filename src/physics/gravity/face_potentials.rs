//! Potentials at many points by the tree over faces, in f64, for rows of a series. Points that lie together walk as one: a
//! node acts as a whole for all of them or for none, by the nearest point of their box. Where they are many, what nodes
//! give that are far from the box is summed at the points of a grid, and taken from there.

use super::box_grid::{BoxGrid, POINTS};
use super::face_tree::FaceTree;
use super::face_walk::{REACH_MAX, Whole, multipole};
use crate::base::cores::on_all_cores_from;
use crate::geometry::lbvh::morton63;
use glam::{DVec3, DVec4};

/// Points of a group at most, so that cores share a small heap.
const GROUP: usize = 256;
/// Points of a group from which on it has a grid, which then has half as many or fewer.
const GRID_FROM: usize = 2 * POINTS;
/// Longest edge of a group's box, in radii of the body. Where points are far apart, a box of many would open nodes that
/// each of them could take as a whole.
const EDGE_MAX: f64 = 0.01;

/// Points that walk together, by their numbers.
struct Group {
    members: Vec<usize>,
    low: DVec3,
    high: DVec3,
}

impl Group {
    /// Takes one more, if there is room for it; true if so.
    fn takes(&mut self, k: usize, at: DVec3) -> bool {
        let (low, high) = (self.low.min(at), self.high.max(at));
        let fits = self.members.len() < GROUP && (high - low).max_element() <= EDGE_MAX;
        if fits {
            self.members.push(k);
            (self.low, self.high) = (low, high);
        }
        fits
    }
}

impl FaceTree {
    /// Potentials at points in radii of the body, over G and density: what [`FaceTree::walk`] gives, or nearer to the sum
    /// over all faces, since nodes are judged by the nearest and the farthest of the points.
    pub fn potentials(&self, points: &[DVec3], accuracy: f64) -> Vec<f64> {
        let groups = groups(points);
        let found = on_all_cores_from(&groups, 1, |group| self.walk_together(group, points, accuracy));
        let mut potentials = vec![0.0; points.len()];
        for (group, of_group) in groups.iter().zip(found) {
            group.members.iter().zip(of_group).for_each(|(k, potential)| potentials[*k] = potential);
        }
        potentials
    }

    fn walk_together(&self, group: &Group, points: &[DVec3], accuracy: f64) -> Vec<f64> {
        let at: Vec<DVec3> = group.members.iter().map(|k| points[*k]).collect();
        let mut potentials = vec![0.0; at.len()];
        let mut grid = (at.len() >= GRID_FROM).then(|| BoxGrid::new(group.low, group.high));
        let farthest = at.iter().map(|p| p.length_squared()).fold(self.round_squared(), f64::max);
        let strictness = accuracy * self.volume / farthest;
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            let centre = DVec3::from_array(node.centre.map(f64::from));
            let square = centre.distance_squared(centre.clamp(group.low, group.high));
            let far = f64::from(node.third) < strictness * square * square;
            if far && f64::from(node.reach) < REACH_MAX * square.sqrt() {
                let whole = self.whole(k);
                match grid.as_mut().filter(|g| g.takes(centre)) {
                    Some(g) => whole.add_to(centre, &g.points, &mut g.values),
                    None => whole.add_to(centre, &at, &mut potentials),
                }
            } else if node.count > 0 {
                for f in node.first..node.first + node.count {
                    let face = self.face(f as usize);
                    at.iter().zip(&mut potentials).for_each(|(p, sum)| *sum += face.term(*p).potential());
                }
            } else {
                k += 1;
                continue;
            }
            k = node.next as usize;
        }
        if let Some(grid) = grid {
            at.iter().zip(&mut potentials).for_each(|(p, sum)| *sum += grid.at(*p));
        }
        potentials
    }
}

impl Whole {
    /// Adds what it gives at each of the points; `centre` is its own.
    fn add_to(&self, centre: DVec3, at: &[DVec3], sums: &mut [f64]) {
        at.iter().zip(sums).for_each(|(p, sum)| *sum += self.potential(centre - *p));
    }

    /// Potential at the distance `d` from a point to the centre: of charges n.(s + d) dA / 2, whose moments are sums of these.
    /// One multipole where [`Whole::add`] takes four.
    fn potential(&self, d: DVec3) -> f64 {
        let along = |of: &[DVec4; 3]| d.x * of[0] + d.y * of[1] + d.z * of[2];
        let (charge, first, second) = self.scalar;
        -0.5 * multipole(d.dot(self.charge) + charge, along(&self.first) + first, along(&self.second) + second, d)
    }
}

/// Points in groups of neighbours along a Morton curve through their box.
fn groups(points: &[DVec3]) -> Vec<Group> {
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let edge = points.iter().map(|p| (*p - low).max_element()).fold(f64::MIN_POSITIVE, f64::max);
    let key = |p: &DVec3| morton63(((*p - low) / edge * 2_097_151.0).to_array().map(|c| c as u32));
    let mut order: Vec<(u64, usize)> = points.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut groups: Vec<Group> = vec![];
    for (_, k) in order {
        if !groups.last_mut().is_some_and(|group| group.takes(k, points[k])) {
            groups.push(Group { members: vec![k], low: points[k], high: points[k] });
        }
    }
    groups
}
