//! The walk of the gravity tree: groups of targets, the field by nodes and bodies, and a walk that finds no end.

use super::cloud::{random, vector};
use super::gravity::{compare_field, pulls};
use super::harness::Harness;
use super::trees::{SUMMED, Tree, trees};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants;
use crate::gpu::elements::body::Field;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::gravity::{Branch, TreeTarget};
use crate::gpu::elements::in_f64;
use crate::gpu::layout::{GravityParams, control};
use crate::physics::gravity::direct::direct;
use crate::physics::gravity::multipole::{MomentTree, Opening, pull_of_group};
use glam::DVec3;

/// The family.
pub const FAMILY: Family = Family {
    name: "walk",
    compares: "The walk of the gravity tree against the same walk in f64.",
    bounds: "Some 1,200 terms are added one after another, each rounded at 3e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["bound_groups"], "box of every group", boxes),
    Check {
        passes: &["bound_groups"],
        what: "strictness of the relative criterion",
        unit: "of the strictness",
        bound: 3e-6,
        reason: "means of up to 32 numbers, summed one by one at 6e-8, and a quotient",
        compare: strictness,
    },
    Check {
        passes: &["measure_pull"],
        what: "size of self-gravity, from sizes whose squares underflow",
        unit: "of the size",
        bound: 1e-6,
        reason: "a quotient and a length, about 5 operations at 6e-8 and what WGSL grants of a division",
        compare: measure_pull,
    },
    Check {
        passes: &["walk_tree"],
        what: "acceleration and potential against the walk in f64",
        unit: "of the sum of the pulls' sizes",
        bound: 2e-5,
        reason: "1,200 terms one after another, half of 3e-8 each: small pulls next to a large one are cut alike",
        compare: walk_tree,
    },
    Check::exact(&["walk_tree"], "a walk without an end is a fault", endless),
];

/// Bodies of a group.
const GROUP: usize = constants::GROUP as usize;

fn fill(h: &mut Harness, tree: &Tree, params: GravityParams) -> Result<()> {
    h.uniform("gravity_params", &GravityParams { body_count: tree.count() as u32, ..params })?;
    h.fill("tree_source", &tree.sorted)?;
    h.fill("tree_scale", &tree.sources.scale())?;
    h.fill("tree_index", &tree.order())
}

/// Sizes of self-gravity over G at the last evaluation.
fn sizes(n: usize) -> Vec<f32> {
    let mut random = random(n as u64);
    (0..n).map(|_| vector(&mut random).length() as f32).collect()
}

/// Accuracy of the relative criterion.
const ACCURACY: f32 = 0.007;

/// Boxes and strictness as the device gives them, of every group.
fn bound(h: &mut Harness, tree: &Tree) -> Result<Vec<TreeTarget>> {
    fill(h, tree, GravityParams { accuracy: ACCURACY, ..Default::default() })?;
    h.fill("body_self_pull", &sizes(tree.count()))?;
    h.zeros("tree_target", size_of::<TreeTarget>() * tree.count().div_ceil(GROUP))?;
    h.run("bound_groups", tree.groups().div_ceil(GROUP as u32) + 1)?;
    h.read("tree_target")
}

fn boxes(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let of = |t: &TreeTarget| [[t.low, t.high], [t.next_low, t.next_high]];
        let got: Vec<_> = bound(h, &tree)?.iter().map(of).collect();
        let wanted: Vec<_> = tree.tree.groups(GROUP).into_iter().map(|(a, b)| tree.boxes(a, b)).collect();
        t.equal("boxes", &got, &wanted);
    }
    Ok(())
}

fn strictness(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let sizes = sizes(tree.count());
        let rows = bound(h, &tree)?;
        for (k, (first, last)) in tree.tree.groups(GROUP).into_iter().enumerate() {
            let members = &tree.tree.order[first..=last];
            let masses = tree.sorted[first..=last].iter().map(|source| f64::from(source.mass));
            let pulls: Vec<_> = masses.zip(members.iter().map(|b| f64::from(sizes[*b]))).collect();
            let truth = f64::from(ACCURACY) * pull_of_group(&pulls);
            t.off("group", k, (f64::from(rows[k].strictness) / truth - 1.0).abs());
        }
    }
    Ok(())
}

/// Sizes of a field whose square underflows f32, over a G as small; bodies beyond the count keep what they have.
fn measure_pull(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let constant = 3e-20;
    for n in [1, 63, 64, 65] {
        t.case(format!("{n} bodies"));
        let mut random = random(n as u64);
        let field: Vec<_> = (0..n + 5).map(|_| Field::rounded(1e-23 * vector(&mut random), 7.0)).collect();
        h.uniform(
            "gravity_params",
            &GravityParams { body_count: n as u32, gravity_constant: constant, ..Default::default() },
        )?;
        h.fill("body_gravity", &field)?;
        h.fill("body_self_pull", &vec![9f32; n + 5])?;
        h.run("measure_pull", (n as u32 + 5).div_ceil(64))?;
        let got = h.read::<f32>("body_self_pull")?;
        for b in 0..n {
            let truth = in_f64(field[b].acceleration).length() / f64::from(constant);
            t.off("size", b, (f64::from(got[b]) / truth - 1.0).abs());
        }
        t.equal("others", &got[n..], &[9.0; 5]);
    }
    Ok(())
}

/// Runs the walk over given nodes; its field and the control words.
fn walk_on(
    h: &mut Harness,
    tree: &Tree,
    angle: f32,
    branches: &[Branch],
    targets: &[TreeTarget],
    rounds: u32,
) -> Result<(Vec<Field>, Control)> {
    fill(h, tree, GravityParams { opening_angle: angle, ..Default::default() })?;
    h.fill("tree_branch", branches)?;
    h.fill("tree_target", targets)?;
    h.zeros("tree_field", size_of::<Field>() * tree.count())?;
    let words = Control { fault_index: u32::MAX, ..Control::default() };
    h.fill("control", &[words])?;
    let (count, groups) = (tree.count() as u32, targets.len() as u32);
    for first in (0..count).step_by(count.div_ceil(rounds) as usize) {
        let end = count.min(first + count.div_ceil(rounds));
        h.run_with("walk_tree", groups + 1, "walk_round", [first, end, 0, 0])?;
    }
    Ok((h.read("tree_field")?, h.read_one("control")?))
}

/// A group of targets, and when nodes may act on it as a whole.
struct Group {
    first: usize,
    last: usize,
    opening: Opening,
    boxes: [[[i32; 3]; 2]; 2],
}

/// All groups of a tree by the geometric criterion, or by the relative one with the field's mean size in each.
fn groups(tree: &Tree, accuracy: Option<f64>, angle: f32) -> Vec<Group> {
    let positions: Vec<_> = tree.points.iter().map(|p| p.0).collect();
    let field = direct(&positions, &tree.points);
    let group = |(first, last): (usize, usize)| {
        let members = first..=last;
        let pulls: Vec<_> = members.map(|k| (tree.points[k].1, field[k].0.length())).collect();
        let strictness = accuracy.map_or(0.0, |a| f64::from((a * pull_of_group(&pulls)) as f32));
        // Passes take centres and boxes in whole units.
        let opening = Opening { strictness, angle: angle.into(), slack: 4.0 * tree.unit() };
        Group { first, last, opening, boxes: tree.boxes(first, last) }
    };
    tree.tree.groups(GROUP).into_iter().map(group).collect()
}

fn targets(groups: &[Group]) -> Vec<TreeTarget> {
    let row = |g: &Group| {
        let ([[low, high], [next_low, next_high]], strictness) = (g.boxes, g.opening.strictness as f32);
        TreeTarget { low, strictness, high, next_low, next_high, ..TreeTarget::default() }
    };
    groups.iter().map(row).collect()
}

fn walk_tree(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let (mut doubts, mut bodies) = (0, 0);
    for tree in trees() {
        let truth = MomentTree::about(tree.tree.clone(), &tree.sources.points(), |centre| tree.near(centre));
        let branches = tree.branches(|k| *truth.moments(k));
        for (accuracy, angle) in [(None, 0.6f32), (None, 0.2), (Some(3e-3), 0.6)] {
            t.case(format!("{}, accuracy {accuracy:?}, angle {angle}", tree.name));
            let groups = groups(&tree, accuracy, angle);
            let walks = h.by_form(|h| walk_on(h, &tree, angle, &branches, &targets(&groups), 1))?;
            walks.iter().for_each(|(_, words)| t.equal("fault", &[words.fault_body], &[0]));
            let field = t.one_of("field", walks.into_iter().map(|(field, _)| field).collect());
            for group in &groups {
                let boxes = group.boxes.map(|b| b.map(|c| DVec3::from_array(c.map(f64::from)) * tree.unit()));
                for (k, row) in field.iter().enumerate().take(group.last + 1).skip(group.first) {
                    let position = tree.points[k].0;
                    let walk = truth.walk(position, &boxes, group.opening, SUMMED);
                    doubts += usize::from(walk.doubt);
                    if !walk.doubt {
                        let size = (pulls(position, &tree.points), -walk.potential);
                        compare_field(t, k, row, (walk.acceleration, walk.potential), size);
                    }
                }
            }
            bodies += tree.count();
        }
    }
    // In clumps that are small against the whole, units of positions are coarse compared with the distances of nodes.
    let many = || Err(format!("rounding decides the walk of {doubts} of {bodies} bodies"));
    t.hold(if 4 * doubts < bodies { Ok(()) } else { many() });
    Ok(())
}

/// Field and control words of one tree's walk at a small opening angle in so many rounds.
pub fn walk_in_rounds(h: &mut Harness, rounds: u32) -> Result<(Vec<Field>, Control)> {
    let trees = trees();
    let tree = &trees[trees.len() - 1];
    let truth = MomentTree::new(tree.tree.clone(), &tree.sources.points());
    let branches = tree.branches(|k| *truth.moments(k));
    walk_on(h, tree, 0.2, &branches, &targets(&groups(tree, None, 0.2)), rounds)
}

/// A node that is its own child, opened by one group. Control words: the lowest body of that group.
fn endless(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let trees = trees();
    let Some(tree) = trees.iter().find(|t| t.count() == 64) else { return Ok(()) };
    t.case("a node below itself");
    let truth = MomentTree::new(tree.tree.clone(), &tree.sources.points());
    let mut branches = tree.branches(|k| *truth.moments(k));
    branches[0].down = 0;
    // Far out the root acts as a whole.
    let out = [-(1 << 30); 3];
    let far = TreeTarget { low: out, high: out, next_low: out, next_high: out, ..TreeTarget::default() };
    let near = TreeTarget { high: [i32::MAX; 3], next_high: [i32::MAX; 3], ..TreeTarget::default() };
    let (_, words) = walk_on(h, tree, 0.6, &branches, &[far, near], 1)?;
    let least = tree.order()[GROUP..].iter().min().copied().unwrap_or(0);
    let wanted = Control { fault_body: control::TREE.0, fault_index: least, ..Control::default() };
    t.equal("control", &[words], &[wanted]);
    Ok(())
}
