//! The gravity tree: keys, order, links, and the moments of blocks and nodes.

use super::blocks::words64;
use super::cloud::{Cloud, cases, random, uniform, vector};
use super::gravity::{Source, Sources};
use super::{Check, Tally};
use crate::error::Result;
use crate::reference::harness::Harness;
use crate::reference::lbvh::{Child, Lbvh, Node, morton63};
use crate::reference::multipole::Moments;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// The checks of this family.
pub const CHECKS: &[Check] = &[
    Check::exact(&["lbvh_keys"], "Morton keys and places", lbvh_keys),
    Check::exact(&["sort_sources"], "sources in the order of their keys", sort_sources),
    Check::exact(&["lbvh_link"], "nodes and ropes of the radix tree", lbvh_link),
    moments(&["sum_blocks"], "moments and box of every eight bodies", sum_blocks),
    moments(&["merge_blocks"], "moments and box of every eight blocks", merge_blocks),
    moments(&["gather_nodes"], "moments, reach, size and links of every node", gather_nodes),
];

const fn moments(
    passes: &'static [&'static str],
    what: &'static str,
    compare: fn(&mut Harness, &mut Tally) -> Result<()>,
) -> Check {
    let reason = "1e-6 of the box for 16 operations at 6e-8, and the 1,024th of a unit of places that centres keep";
    Check { passes, what, unit: "of what rounding may give", bound: 1.0, reason, compare }
}

/// A child that is a single body has this bit, as in `wgsl/shared/multipole.wgsl`.
const LEAF: u32 = 1 << 31;
/// What follows the last body.
pub const END: u32 = u32::MAX;
/// Bodies of a block, blocks of the next larger one.
const BLOCK: usize = 8;
/// Nodes of at most so many bodies are summed body by body.
pub const SUMMED: usize = 8;

/// `Moments` of `wgsl/shared/multipole.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
struct MomentRow {
    centre: [i32; 3],
    mass: f32,
    diagonal: [f32; 3],
    rest: u32,
    cross: [f32; 3],
    pad0: u32,
    low: [i32; 3],
    pad1: u32,
    high: [i32; 3],
    pad2: u32,
}

/// `Branch` of `wgsl/shared/multipole.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct BranchRow {
    /// whole units of the scale
    pub centre: [i32; 3],
    /// (M)
    pub mass: f32,
    /// first child or first body
    pub down: u32,
    /// what follows if it is not opened
    pub next: u32,
    /// of the centre, packed
    pub rest: u32,
    /// bodies
    pub count: u32,
    /// quadrupole: xx, yy, zz (M L2)
    pub diagonal: [f32; 3],
    /// (L)
    pub reach: f32,
    /// xy, xz, yz
    pub cross: [f32; 3],
    /// (L)
    pub size: f32,
}

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
    /// the same: places (L) and masses
    pub points: Vec<(DVec3, f64)>,
}

/// Two clumps of 128 bodies, so far apart that units of places are a hundredth of a clump.
fn two_clumps() -> Cloud {
    let mut random = random(21);
    let place = |k: usize| (DVec3::splat(if k % 2 == 0 { 0.0 } else { 1.5e7 }) + 2.0 * vector(&mut random), 0.3);
    Cloud::new("two clumps far apart", (0..256).map(place).collect::<Vec<_>>())
}

/// Trees over all clouds of two bodies or more, and at the sizes where blocks and their levels begin.
pub fn trees() -> Vec<Tree> {
    let few = [2, 3, 8, 9, 32, 33, 64, 65, 513].map(|n| uniform(&format!("{n} bodies"), n, 9.0, (0.1, 0.4), n as u64));
    cases().into_iter().chain(few).chain([two_clumps()]).filter(|c| c.len() > 1).map(|c| Tree::of(&c)).collect()
}

impl Tree {
    fn of(cloud: &Cloud) -> Tree {
        let sources = Sources::of(cloud, 0);
        let tree = Lbvh::build(&sources.list.iter().map(|s| s.place.map(|x| x as u32)).collect::<Vec<_>>());
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

    /// Length of a unit of places (L).
    pub fn unit(&self) -> f64 {
        self.sources.unit.into()
    }

    /// Contents of `tree_index`.
    pub fn order(&self) -> Vec<u32> {
        self.tree.order.iter().map(|b| *b as u32).collect()
    }

    /// Contents of `tree_node`.
    pub fn nodes(&self) -> Vec<[u32; 4]> {
        let row = |n: &Node| [code(n.children[0]), code(n.children[1]), n.first as u32, n.last as u32];
        self.tree.nodes.iter().map(row).collect()
    }

    /// Contents of `tree_rope`: what follows every subtree that ends at a place.
    pub fn ropes(&self) -> Vec<u32> {
        let mut ropes = vec![END; self.count()];
        for node in &self.tree.nodes {
            let end = match node.children[0] {
                Child::Leaf(place) => place,
                Child::Node(k) => self.tree.nodes[k].last,
            };
            ropes[end] = code(node.children[1]);
        }
        ropes
    }

    /// Box of a run of sorted bodies, whole units.
    pub fn bounds(&self, first: usize, last: usize) -> [[i32; 3]; 2] {
        let places = || self.sorted[first..=last].iter().map(|s| s.place);
        let axis = |k: usize| (places().map(|p| p[k]).min(), places().map(|p| p[k]).max());
        let (low, high): (Vec<_>, Vec<_>) = [0, 1, 2].map(axis).into_iter().unzip();
        [low, high].map(|v| [0, 1, 2].map(|k| v[k].unwrap_or(0)))
    }

    /// A place as the passes keep a centre: whole units, and 1,024ths packed.
    pub fn encode(&self, place: DVec3) -> ([i32; 3], u32) {
        // Lifted a little: a centre that is already cut keeps its last 1,024th.
        let units = (place / self.unit()).to_array().map(|x| x + 1e-5);
        let rest = units.map(|x| ((x - x.floor()) * 1024.0) as u32);
        (units.map(|x| x.floor() as i32), rest[0] | rest[1] << 10 | rest[2] << 20)
    }

    /// The place of such a centre.
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
    fn levels(&self) -> Vec<(usize, usize)> {
        let sizes = std::iter::successors(Some(BLOCK), |s| Some(s * BLOCK)).take_while(|s| *s <= self.count());
        let start = |(first, size): (&mut usize, usize)| {
            let here = *first;
            *first += self.count() / size;
            (here, size)
        };
        let mut first = 0;
        sizes.map(|size| start((&mut first, size))).collect()
    }

    fn moment_row(&self, first: usize, last: usize) -> MomentRow {
        let (m, [low, high]) = (self.moments(first, last), self.bounds(first, last));
        let (centre, rest) = self.encode(m.centre);
        let (diagonal, cross) = packed(&m.second);
        let (pad0, pad1, pad2) = (0, 0, 0);
        MomentRow { centre, mass: m.mass as f32, diagonal, rest, cross, pad0, low, pad1, high, pad2 }
    }

    /// Contents of `tree_branch`, from moments of every node.
    pub fn branches(&self, moments: impl Fn(usize) -> Moments) -> Vec<BranchRow> {
        let ropes = self.ropes();
        let row = |(k, node): (usize, &Node)| {
            let m = moments(k);
            let ((centre, rest), (diagonal, cross)) = (self.encode(m.centre), packed(&m.quadrupole()));
            let count = node.last - node.first + 1;
            BranchRow {
                centre,
                mass: m.mass as f32,
                down: down(node),
                next: ropes[node.last],
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
    fn blocks(&self) -> Vec<MomentRow> {
        let mut rows = vec![];
        for (_, size) in self.levels() {
            rows.extend((0..self.count() / size).map(|b| self.moment_row(b * size, (b + 1) * size - 1)));
        }
        rows.push(MomentRow::zeroed());
        rows
    }

    /// How far moments of a run may be off: length of a centre, mass, second moment. Bodies are summed about the first;
    /// centres, also those of the blocks summed, are cut to 1,024ths of a unit.
    fn allowed(&self, first: usize, last: usize) -> [f64; 3] {
        let m = self.moments(first, last);
        let (size, cut) = ((m.high - m.low).length() + 1e-30, 2.0 * 3f64.sqrt() * self.unit() / 1024.0);
        [1e-6 * size + cut, 1e-6 * m.mass, m.mass * (1e-6 * size * size + 4.0 * size * cut + cut * cut)]
    }
}

fn code(child: Child) -> u32 {
    match child {
        Child::Leaf(place) => place as u32 | LEAF,
        Child::Node(k) => k as u32,
    }
}

/// Where a walk goes on in a node: its first child, or its first body where bodies are summed one by one.
fn down(node: &Node) -> u32 {
    if node.last - node.first < SUMMED { node.first as u32 } else { code(node.children[0]) }
}

/// A symmetric matrix as xx, yy, zz and xy, xz, yz.
fn packed(m: &glam::DMat3) -> ([f32; 3], [f32; 3]) {
    let diagonal = [m.x_axis.x, m.y_axis.y, m.z_axis.z].map(|x| x as f32);
    (diagonal, [m.x_axis.y, m.x_axis.z, m.y_axis.z].map(|x| x as f32))
}

/// Largest difference of two packed matrices.
fn apart(a: ([f32; 3], [f32; 3]), b: ([f32; 3], [f32; 3])) -> f64 {
    let differences = a.0.iter().chain(&a.1).zip(b.0.iter().chain(&b.1)).map(|(a, b)| f64::from((a - b).abs()));
    differences.fold(0.0, |most: f64, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
}

fn fill(h: &mut Harness, tree: &Tree) -> Result<()> {
    h.uniform("lbvh_params", &[tree.count() as u32, 0, 0, 0])?;
    h.fill("tree_position", &tree.sources.list)?;
    h.fill("tree_source", &tree.sorted)?;
    h.fill("tree_index", &tree.order())?;
    h.fill("tree_scale", &tree.sources.scale())
}

/// Morton keys in the order of the bodies.
fn keys(tree: &Tree) -> Vec<u64> {
    tree.sources.list.iter().map(|s| morton63(s.place.map(|x| x as u32 >> 10))).collect()
}

fn lbvh_keys(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        h.fill("tree_key", &vec![[3u32; 2]; tree.count() + 3])?;
        h.fill("tree_index", &vec![3u32; tree.count() + 3])?;
        h.run("lbvh_keys", tree.groups() + 1)?;
        let rest = vec![3 << 32 | 3; 3];
        t.equal("key", &words64(&h.read("tree_key")?), &[keys(&tree), rest].concat());
        let places: Vec<u32> = (0..tree.count() as u32).chain([3; 3]).collect();
        t.equal("body", &h.read::<u32>("tree_index")?, &places);
    }
    Ok(())
}

fn sort_sources(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        h.zeros("tree_source", 32 * tree.count() + 96)?;
        h.run("sort_sources", tree.groups() + 1)?;
        t.equal("source", &h.read("tree_source")?, &[&tree.sorted[..], &[Source::zeroed(); 3]].concat());
    }
    Ok(())
}

/// Nodes and ropes over sorted keys, as the device links them.
pub fn link_on(h: &mut Harness, keys: &[u64]) -> Result<(Vec<[u32; 4]>, Vec<u32>)> {
    h.uniform("lbvh_params", &[keys.len() as u32, 0, 0, 0])?;
    h.fill("tree_key", &keys.iter().map(|k| [*k as u32, (*k >> 32) as u32]).collect::<Vec<_>>())?;
    h.zeros("tree_node", 16 * (keys.len() - 1))?;
    h.zeros("tree_rope", 4 * keys.len())?;
    h.run("lbvh_link", (keys.len() as u32).div_ceil(64) + 1)?;
    Ok((h.read("tree_node")?, h.read("tree_rope")?))
}

fn lbvh_link(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let keys = keys(&tree);
        let (nodes, ropes) = link_on(h, &tree.tree.order.iter().map(|b| keys[*b]).collect::<Vec<_>>())?;
        t.equal("node", &nodes, &tree.nodes());
        t.equal("rope", &ropes, &tree.ropes());
    }
    Ok(())
}

/// Compares the moments of a run of sorted bodies.
fn compare_moments(t: &mut Tally, tree: &Tree, place: usize, row: &MomentRow, [first, last]: [usize; 2]) {
    let [length, mass, second] = tree.allowed(first, last);
    let bodies = &tree.points[first..=last];
    let centre = tree.decode(row.centre, row.rest);
    t.equal("box", &[row.low, row.high], &tree.bounds(first, last));
    t.off("centre", place, centre.distance(Moments::of(bodies).centre) / length);
    // About the centre that the pass gives: its own error is not counted twice.
    let truth = Moments::about(bodies, centre);
    t.off("mass", place, (f64::from(row.mass) - truth.mass).abs() / mass);
    t.off("second moment", place, apart((row.diagonal, row.cross), packed(&truth.second)) / second);
}

fn sum_blocks(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        let blocks = tree.count() / BLOCK;
        h.zeros("tree_block", 80 * (blocks + 1))?;
        h.run_with("sum_blocks", tree.groups(), "block_params", [blocks as u32, 0, 0, 0])?;
        let rows = h.read::<MomentRow>("tree_block")?;
        for (b, row) in rows[..blocks].iter().enumerate() {
            compare_moments(t, &tree, b, row, [BLOCK * b, BLOCK * b + BLOCK - 1]);
        }
        t.equal("row beyond", &rows[blocks..], &[MomentRow::zeroed()]);
    }
    Ok(())
}

fn merge_blocks(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        for pair in tree.levels().windows(2) {
            let ([below, here], size) = ([pair[0].0, pair[1].0], pair[1].1);
            t.case(format!("{}, blocks of {size}", tree.name));
            fill(h, &tree)?;
            let mut blocks = tree.blocks();
            let count = tree.count() / size;
            blocks[here..here + count].fill(MomentRow::zeroed());
            h.fill("tree_block", &blocks)?;
            h.run_with("merge_blocks", tree.groups(), "block_params", [count as u32, below as u32, here as u32, 0])?;
            let mut rows = h.read::<MomentRow>("tree_block")?;
            for (b, row) in rows[here..here + count].iter_mut().enumerate() {
                compare_moments(t, &tree, b, row, [size * b, size * b + size - 1]);
                *row = MomentRow::zeroed();
            }
            t.equal("rows of other levels", &rows, &blocks);
        }
    }
    Ok(())
}

fn gather_nodes(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        h.fill("tree_node", &tree.nodes())?;
        h.fill("tree_rope", &tree.ropes())?;
        h.fill("tree_block", &tree.blocks())?;
        h.zeros("tree_branch", 64 * tree.count())?;
        h.run("gather_nodes", tree.groups())?;
        let rows = h.read::<BranchRow>("tree_branch")?;
        t.equal("row beyond", &rows[tree.count() - 1..], &[BranchRow::zeroed()]);
        for (k, (row, node)) in rows.iter().zip(&tree.tree.nodes).enumerate() {
            let count = node.last - node.first + 1;
            t.equal("links", &[row.down, row.next, row.count], &[down(node), tree.ropes()[node.last], count as u32]);
            let [length, mass, second] = tree.allowed(node.first, node.last);
            let bodies = &tree.points[node.first..=node.last];
            let centre = tree.decode(row.centre, row.rest);
            t.off("centre", k, centre.distance(Moments::of(bodies).centre) / length);
            let truth = Moments::about(bodies, centre);
            t.off("mass", k, (f64::from(row.mass) - truth.mass).abs() / mass);
            let quadrupole = apart((row.diagonal, row.cross), packed(&truth.quadrupole()));
            t.off("quadrupole", k, quadrupole / (4.0 * second));
            // Boxes and centre in whole units.
            let size = (truth.high - truth.low).max_element();
            let coarse = |got: f32, wanted: f64| (f64::from(got) - wanted).abs() / (length + 4.0 * tree.unit());
            t.off("reach", k, coarse(row.reach, truth.reach()));
            t.off("size", k, coarse(row.size, size));
        }
    }
    Ok(())
}
