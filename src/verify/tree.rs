//! The gravity tree: keys, order, links, and the moments of blocks and nodes.

use super::blocks::words64;
use super::harness::Harness;
use super::trees::{BLOCK, Tree, code, packed, trees};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::geometry::hilbert::hilbert63;
use crate::gpu::elements::gravity::{Branch, Source, SourceMoments, TreeNode};
use crate::physics::gravity::multipole::Moments;
use glam::UVec4;

/// The family.
pub const FAMILY: Family = Family {
    name: "tree",
    compares: "Keys, order, links and moments of the gravity tree against a sort and a radix tree on the host.",
    bounds: "Keys and links are integers; moments are short sums at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["lbvh_keys"], "Hilbert keys and indices", lbvh_keys),
    Check::exact(&["sort_sources"], "sources in the order of their keys", sort_sources),
    Check::exact(&["lbvh_link"], "nodes of the radix tree", lbvh_link),
    moments(&["sum_blocks"], "moments and box of every eight bodies", sum_blocks),
    moments(&["merge_blocks"], "moments and box of every eight blocks", merge_blocks),
    moments(&["gather_nodes"], "moments, reach, size and links of every node", gather_nodes),
];

const fn moments(
    passes: &'static [&'static str],
    what: &'static str,
    compare: fn(&mut Harness, &mut Tally) -> Result<()>,
) -> Check {
    let reason = "1e-6 of the box for 16 operations at 6e-8, and the 1,024th of a unit of positions that centres keep";
    Check { passes, what, unit: "of what rounding may give", bound: 1.0, reason, compare }
}

/// Largest difference of two packed matrices.
fn apart(a: ([f32; 3], [f32; 3]), b: ([f32; 3], [f32; 3])) -> f64 {
    let differences = a.0.iter().chain(&a.1).zip(b.0.iter().chain(&b.1)).map(|(a, b)| f64::from((a - b).abs()));
    differences.fold(0.0, |most: f64, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
}

fn fill(h: &mut Harness, tree: &Tree) -> Result<()> {
    h.uniform("lbvh_params", &UVec4::new(tree.count() as u32, 0, 0, 0))?;
    h.fill("tree_position", &tree.sources.list)?;
    h.fill("tree_source", &tree.sorted)?;
    h.fill("tree_index", &tree.order())?;
    h.fill("tree_scale", &tree.sources.scale())
}

/// Hilbert keys in the order of the bodies.
fn keys(tree: &Tree) -> Vec<u64> {
    tree.sources.list.iter().map(|s| hilbert63(s.position.map(|x| x as u32 >> 10))).collect()
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
        let indices: Vec<u32> = (0..tree.count() as u32).chain([3; 3]).collect();
        t.equal("body", &h.read::<u32>("tree_index")?, &indices);
    }
    Ok(())
}

fn sort_sources(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        h.zeros("tree_source", 32 * tree.count() + 96)?;
        h.run("sort_sources", tree.groups() + 1)?;
        t.equal("source", &h.read("tree_source")?, &[&tree.sorted[..], &[Source::default(); 3]].concat());
    }
    Ok(())
}

/// Nodes over sorted keys, as the device links them.
pub fn link_on(h: &mut Harness, keys: &[u64]) -> Result<Vec<TreeNode>> {
    h.uniform("lbvh_params", &UVec4::new(keys.len() as u32, 0, 0, 0))?;
    h.fill("tree_key", &keys.iter().map(|k| [*k as u32, (*k >> 32) as u32]).collect::<Vec<_>>())?;
    h.zeros("tree_node", size_of::<TreeNode>() * (keys.len() - 1))?;
    h.run("lbvh_link", (keys.len() as u32).div_ceil(64) + 1)?;
    h.read("tree_node")
}

fn lbvh_link(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let keys = keys(&tree);
        let nodes = link_on(h, &tree.tree.order.iter().map(|b| keys[*b]).collect::<Vec<_>>())?;
        t.equal("node", &nodes, &tree.nodes());
    }
    Ok(())
}

/// Compares the moments of a run of sorted bodies.
fn compare_moments(t: &mut Tally, tree: &Tree, index: usize, row: &SourceMoments, [first, last]: [usize; 2]) {
    let [length, mass, second] = tree.allowed(first, last);
    let bodies = &tree.points[first..=last];
    let centre = tree.decode(row.centre, row.rest);
    t.equal("box", &[row.low, row.high], &tree.bounds(first, last));
    t.off("centre", index, centre.distance(Moments::of(bodies).centre) / length);
    // About the centre that the pass gives: its own error is not counted twice.
    let truth = Moments::about(bodies, centre);
    t.off("mass", index, (f64::from(row.mass) - truth.mass).abs() / mass);
    t.off("second moment", index, apart((row.diagonal, row.cross), packed(&truth.second)) / second);
}

fn sum_blocks(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        fill(h, &tree)?;
        let blocks = tree.count() / BLOCK;
        h.zeros("tree_block", 80 * (blocks + 1))?;
        h.run_with("sum_blocks", tree.groups(), "block_params", [blocks as u32, 0, 0, 0])?;
        let rows = h.read::<SourceMoments>("tree_block")?;
        for (b, row) in rows[..blocks].iter().enumerate() {
            compare_moments(t, &tree, b, row, [BLOCK * b, BLOCK * b + BLOCK - 1]);
        }
        t.equal("row beyond", &rows[blocks..], &[SourceMoments::default()]);
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
            blocks[here..here + count].fill(SourceMoments::default());
            h.fill("tree_block", &blocks)?;
            h.run_with("merge_blocks", tree.groups(), "block_params", [count as u32, below as u32, here as u32, 0])?;
            let mut rows = h.read::<SourceMoments>("tree_block")?;
            for (b, row) in rows[here..here + count].iter_mut().enumerate() {
                compare_moments(t, &tree, b, row, [size * b, size * b + size - 1]);
                *row = SourceMoments::default();
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
        h.fill("tree_block", &tree.blocks())?;
        h.zeros("tree_branch", 64 * tree.count())?;
        h.run("gather_nodes", tree.groups())?;
        let rows = h.read::<Branch>("tree_branch")?;
        t.equal("row beyond", &rows[tree.count() - 1..], &[Branch::default()]);
        for (k, (row, node)) in rows.iter().zip(&tree.tree.nodes).enumerate() {
            let count = node.last - node.first + 1;
            let links = [code(node.children[0]), node.first as u32, count as u32];
            t.equal("links", &[row.down, row.first, row.count], &links);
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
