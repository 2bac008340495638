//! Gravity trees as the CPU makes them, in the rows that the passes read and write.

use super::cloud::{Cloud, cases, random, uniform, vector};
use super::gravity::{Ahead, Sources};
use crate::geometry::lbvh::{Child, Lbvh, Node};
use crate::gpu::constants::{self, LEAF};
use crate::gpu::elements::gravity::{Branch, Source, SourceMoments, TreeNode};
use crate::physics::gravity::multipole::{Moments, boxes};
use glam::DVec3;

/// Bodies of a block, blocks of the next larger one.
pub const BLOCK: usize = constants::BLOCK as usize;
/// Nodes of at most so many bodies are summed body by body.
pub const SUMMED: usize = constants::SUMMED as usize;

/// A tree over sources, as the CPU builds it.
pub struct Tree {
    /// for people
    pub name: String,
    /// in the order of the bodies
    pub sources: Sources,
    /// over them
    pub tree: Lbvh,
    /// in the order of the tree
    pub sorted: Vec<Source>,
    /// the same: positions (L) and masses
    pub points: Vec<(DVec3, f64)>,
}

/// Two clumps of 128 bodies, so far apart that units of positions are a hundredth of a clump.
fn two_clumps() -> Cloud {
    let mut random = random(21);
    let body =
        |k: usize| (DVec3::splat(if k.is_multiple_of(2) { 0.0 } else { 1.5e7 }) + 2.0 * vector(&mut random), 0.3);
    Cloud::new("two clumps far apart", (0..256).map(body).collect::<Vec<_>>())
}

/// Trees over all clouds of two bodies or more, and at the sizes where blocks and their levels begin.
pub fn trees() -> Vec<Tree> {
    let few = [2, 3, 8, 9, 32, 33, 64, 65, 513].map(|n| uniform(&format!("{n} bodies"), n, 9.0, (0.1, 0.4), n as u64));
    cases().into_iter().chain(few).chain([two_clumps()]).filter(|c| c.len() > 1).map(|c| Tree::of(&c)).collect()
}

impl Tree {
    fn of(cloud: &Cloud) -> Tree {
        let sources = Sources::of(cloud, Ahead::default());
        let tree = Lbvh::build(&sources.list.iter().map(|s| s.position.map(|x| x as u32)).collect::<Vec<_>>());
        let points = sources.points();
        Tree {
            name: cloud.name.clone(),
            sorted: tree.order.iter().map(|b| sources.list[*b]).collect(),
            points: tree.order.iter().map(|b| points[*b]).collect(),
            tree,
            sources,
        }
    }

    /// Number of bodies.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// Workgroups of 64 over the bodies.
    pub fn groups(&self) -> u32 {
        (self.count() as u32).div_ceil(64)
    }

    /// Length of a unit of positions (L).
    pub fn unit(&self) -> f64 {
        self.sources.unit.into()
    }

    /// Contents of `tree_index`.
    pub fn order(&self) -> Vec<u32> {
        self.tree.order.iter().map(|b| *b as u32).collect()
    }

    /// Contents of `tree_node`.
    pub fn nodes(&self) -> Vec<TreeNode> {
        let row = |n: &Node| {
            let [left, right] = n.children.map(code);
            TreeNode { left, right, first: n.first as u32, last: n.last as u32 }
        };
        self.tree.nodes.iter().map(row).collect()
    }

    /// Box of a run of sorted bodies, whole units.
    pub fn bounds(&self, first: usize, last: usize) -> [[i32; 3]; 2] {
        let positions = || self.sorted[first..=last].iter().map(|s| s.position);
        let axis = |k: usize| (positions().map(|p| p[k]).min(), positions().map(|p| p[k]).max());
        let (low, high): (Vec<_>, Vec<_>) = [0, 1, 2].map(axis).into_iter().unzip();
        [low, high].map(|v| [0, 1, 2].map(|k| v[k].unwrap_or(0)))
    }

    /// Boxes of a group of sorted bodies, whole units, which f64 holds exactly.
    pub fn boxes(&self, first: usize, last: usize) -> [[[i32; 3]; 2]; 2] {
        let positions = self.sorted[first..=last].iter().map(|s| DVec3::from_array(s.position.map(f64::from)));
        boxes(&positions.collect::<Vec<_>>()).map(|ends| ends.map(|end| end.to_array().map(|x| x as i32)))
    }

    /// A position as the passes keep a centre: whole units, and 1,024ths packed.
    pub fn encode(&self, position: DVec3) -> ([i32; 3], u32) {
        // Lifted a little: a centre that is already cut keeps its last 1,024th.
        let units = (position / self.unit()).to_array().map(|x| x + 1e-5);
        let rest = units.map(|x| ((x - x.floor()) * 1024.0) as u32);
        (units.map(|x| x.floor() as i32), rest[0] | rest[1] << 10 | rest[2] << 20)
    }

    /// The position of such a centre.
    pub fn decode(&self, centre: [i32; 3], rest: u32) -> DVec3 {
        let axis = |k: usize| f64::from(centre[k]) + f64::from(rest >> (10 * k) & 1023) / 1024.0;
        DVec3::new(axis(0), axis(1), axis(2)) * self.unit()
    }

    /// A centre as the passes keep it.
    pub fn near(&self, centre: DVec3) -> DVec3 {
        let (whole, rest) = self.encode(centre);
        self.decode(whole, rest)
    }

    /// Moments of a run of sorted bodies about what the passes keep of its centre.
    pub fn moments(&self, first: usize, last: usize) -> Moments {
        let run = &self.points[first..=last];
        Moments::about(run, self.near(Moments::of(run).centre))
    }

    /// Levels of the pyramid: its first row, and bodies a block.
    pub fn levels(&self) -> Vec<(usize, usize)> {
        let sizes = std::iter::successors(Some(BLOCK), |s| Some(s * BLOCK)).take_while(|s| *s <= self.count());
        let start = |(first, size): (&mut usize, usize)| {
            let here = *first;
            *first += self.count() / size;
            (here, size)
        };
        let mut first = 0;
        sizes.map(|size| start((&mut first, size))).collect()
    }

    fn moment_row(&self, first: usize, last: usize) -> SourceMoments {
        let (m, [low, high]) = (self.moments(first, last), self.bounds(first, last));
        let (centre, rest) = self.encode(m.centre);
        let (diagonal, cross) = packed(&m.second);
        let (pad0, pad1, pad2) = (0, 0, 0);
        SourceMoments { centre, mass: m.mass as f32, diagonal, rest, cross, pad0, low, pad1, high, pad2 }
    }

    /// Contents of `tree_branch`, from moments of every node.
    pub fn branches(&self, moments: impl Fn(usize) -> Moments) -> Vec<Branch> {
        let row = |(k, node): (usize, &Node)| {
            let m = moments(k);
            let ((centre, rest), (diagonal, cross)) = (self.encode(m.centre), packed(&m.quadrupole()));
            let count = node.last - node.first + 1;
            Branch {
                centre,
                mass: m.mass as f32,
                down: code(node.children[0]),
                first: node.first as u32,
                rest,
                count: count as u32,
                diagonal,
                reach: m.reach() as f32,
                cross,
                size: (m.high - m.low).max_element() as f32,
            }
        };
        self.tree.nodes.iter().enumerate().map(row).collect()
    }

    /// Contents of `tree_block`, and a row beyond.
    pub fn blocks(&self) -> Vec<SourceMoments> {
        let mut rows = vec![];
        for (_, size) in self.levels() {
            rows.extend((0..self.count() / size).map(|b| self.moment_row(b * size, (b + 1) * size - 1)));
        }
        rows.push(SourceMoments::default());
        rows
    }

    /// How far moments of a run may be off: length of a centre, mass, second moment. Bodies are summed about the first;
    /// centres, also those of the blocks summed, are cut to 1,024ths of a unit.
    pub fn allowed(&self, first: usize, last: usize) -> [f64; 3] {
        let m = self.moments(first, last);
        let (size, cut) = ((m.high - m.low).length() + 1e-30, 2.0 * 3f64.sqrt() * self.unit() / 1024.0);
        [1e-6 * size + cut, 1e-6 * m.mass, m.mass * (1e-6 * size * size + 4.0 * size * cut + cut * cut)]
    }
}

/// A child as nodes name it.
pub fn code(child: Child) -> u32 {
    match child {
        Child::Leaf(index) => index as u32 | LEAF,
        Child::Node(k) => k as u32,
    }
}

/// A symmetric matrix as xx, yy, zz and xy, xz, yz.
pub fn packed(m: &glam::DMat3) -> ([f32; 3], [f32; 3]) {
    let diagonal = [m.x_axis.x, m.y_axis.y, m.z_axis.z].map(|x| x as f32);
    (diagonal, [m.x_axis.y, m.x_axis.z, m.y_axis.z].map(|x| x as f32))
}
