//! Net force and torque of the tree's field, and how they are taken out of it.

use super::cloud::{random, vector};
use super::harness::Harness;
use super::trees::{Tree, trees};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants;
use crate::gpu::elements::body::Field;
use crate::gpu::elements::gravity::{Balance, Branch, Imbalance};
use crate::gpu::layout::GravityParams;
use glam::{DMat3, DVec3, UVec4};

/// The family.
pub const FAMILY: Family = Family {
    name: "balance",
    compares: "Net force and torque of the tree's field, and what the correction leaves of them, against f64.",
    bounds: "Short sums at 6e-8; a system of condition 30 multiplies them.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["sum_imbalance"],
        what: "net force and torque, moments of the weights",
        unit: "of the sum of the terms' sizes",
        bound: 2e-6,
        reason: "16 terms one after another and six levels of a tree, each term of up to 8 operations at 6e-8",
        compare: sum_imbalance,
    },
    Check {
        passes: &["solve_imbalance"],
        what: "force and torque that the correction leaves",
        unit: "of the sum of the terms' sizes",
        bound: 2e-5,
        reason: "a 3 x 3 system of condition up to 30, solved in f32: 30 times about 10 operations at 6e-8",
        compare: solve_imbalance,
    },
    Check::exact(
        &["solve_imbalance"],
        "no rotation about the line of all weights, nothing without weights",
        degenerate,
    ),
    Check {
        passes: &["balance_gravity"],
        what: "the corrected field in the order of the bodies",
        unit: "of the field with its correction",
        bound: 1e-6,
        reason: "a cross product and about 6 operations at 6e-8",
        compare: balance_gravity,
    },
];

/// Bodies whose terms make one row.
const SHARE: usize = constants::SHARE as usize;

/// A field of sizes from 1e-3 to 1.
fn field(n: usize) -> Vec<Field> {
    let mut random = random(n as u64);
    let one = |k: usize| Field::rounded(10f64.powi(-(k as i32 % 4)) * vector(&mut random), -2.0);
    (0..n).map(one).collect()
}

fn vec3(row: &[f32]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

/// Nodes of which the root alone is filled: its centre is all that these passes read, and the number of bodies.
fn root(tree: &Tree) -> [Branch; 1] {
    let (centre, _) = tree.encode(tree.moments(0, tree.count() - 1).centre);
    [Branch { centre, count: tree.count() as u32, ..Branch::default() }]
}

/// A body as these passes see it: its arm from the root's centre, its mass and its pull.
type Pulled = (DVec3, f64, DVec3);

/// Middle of the weights of bodies, and the weights' sum.
fn middle(bodies: &[Pulled]) -> (DVec3, f64) {
    let weight = |(_, mass, pull): &Pulled| mass * pull.length_squared();
    let sum: f64 = bodies.iter().map(weight).sum();
    (bodies.iter().map(|b| weight(b) * b.0).sum::<DVec3>() / sum, sum)
}

/// Sums of force, torque, and weight times the arm's products, about a middle.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    force: DVec3,
    force_size: f64,
    torque: DVec3,
    torque_size: f64,
    weight: f64,
    squares: DVec3,
    products: DVec3,
}

impl Sums {
    fn about(middle: DVec3, bodies: &[Pulled]) -> Sums {
        let mut sums = Sums::default();
        for (from_centre, mass, pull) in bodies {
            let arm = *from_centre - middle;
            let (force, weight) = (*mass * *pull, mass * pull.length_squared());
            sums.force += force;
            sums.force_size += force.length();
            sums.torque += arm.cross(force);
            sums.torque_size += arm.length() * force.length();
            sums.weight += weight;
            sums.squares += weight * arm * arm;
            sums.products += weight * DVec3::new(arm.x * arm.y, arm.x * arm.z, arm.y * arm.z);
        }
        sums
    }

    /// As a row of `tree_partial`, about this middle.
    fn row(&self, middle: DVec3) -> [[f32; 4]; 5] {
        let row = |v: DVec3, w: f64| v.extend(w).as_vec4().to_array();
        [
            row(self.force, self.force_size),
            row(self.torque, 0.0),
            row(self.squares, 0.0),
            row(self.products, 0.0),
            row(middle, self.weight),
        ]
    }
}

/// Arm of a sorted body about the root's centre (L), both in whole units.
fn arm(tree: &Tree, root: &Branch, k: usize) -> DVec3 {
    let apart = |axis: usize| f64::from(tree.sorted[k].position[axis]) - f64::from(root.centre[axis]);
    DVec3::new(apart(0), apart(1), apart(2)) * tree.unit()
}

fn fill(h: &mut Harness, tree: &Tree, field: &[Field]) -> Result<()> {
    h.uniform("lbvh_params", &UVec4::new(tree.count() as u32, 0, 0, 0))?;
    h.fill("tree_scale", &tree.sources.scale())?;
    h.fill("tree_source", &tree.sorted)?;
    h.fill("tree_index", &tree.order())?;
    h.fill("tree_branch", &root(tree))?;
    h.fill("tree_field", field)
}

fn sum_imbalance(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let (n, field) = (tree.count(), field(tree.count()));
        fill(h, &tree, &field)?;
        let runs = n.div_ceil(SHARE);
        h.zeros("tree_partial", size_of::<Imbalance>() * (runs + 1))?;
        h.run("sum_imbalance", runs as u32 + 1)?;
        let rows = h.read::<Imbalance>("tree_partial")?;
        t.equal("row beyond", &rows[runs..], &[Imbalance::default()]);
        for (run, Imbalance { sums: row }) in rows[..runs].iter().enumerate() {
            let of =
                |k: usize| (arm(&tree, &root(&tree)[0], k), tree.sorted[k].mass.into(), vec3(&field[k].acceleration));
            let bodies: Vec<Pulled> = (run * SHARE..n.min((run + 1) * SHARE)).map(of).collect();
            let (wanted, weight) = middle(&bodies);
            let farthest = bodies.iter().map(|b| b.0.length()).fold(1e-30, f64::max);
            t.off("middle", run, vec3(&row[4]).distance(wanted) / farthest);
            t.off("weight", run, (f64::from(row[4][3]) / weight - 1.0).abs());
            // about the middle that the device took
            let truth = Sums::about(vec3(&row[4]), &bodies);
            // of arms that are differences, each good to a rounding of the longest
            let [reach, second] = [6e-2 * farthest, truth.squares.element_sum()];
            let rounded = |size: f64, per_arm: f64| (size + reach * per_arm).max(1e-30);
            let spread = 2.0 * (second * weight).sqrt();
            for (part, wanted, size) in [
                (0, truth.force, truth.force_size),
                (1, truth.torque, rounded(truth.torque_size, truth.force_size)),
                (2, truth.squares, rounded(second, spread)),
                (3, truth.products, rounded(second, spread)),
            ] {
                t.off("vector", 5 * run + part, vec3(&row[part]).distance(wanted) / size);
            }
            t.off("sum of forces", run, (f64::from(row[0][3]) / truth.force_size - 1.0).abs());
        }
    }
    Ok(())
}

/// `runs` rows of bodies at random arms, each component stretched by its factor.
fn rows(runs: usize, stretch: DVec3) -> Vec<[[f32; 4]; 5]> {
    let mut random = random(runs as u64);
    let mut row = || {
        let one = |_| (stretch * (vector(&mut random) + 0.1), 1.0, vector(&mut random) + 0.05);
        let bodies: Vec<Pulled> = (0..20).map(one).collect();
        let about = middle(&bodies).0;
        Sums::about(about, &bodies).row(about)
    };
    (0..runs).map(|_| row()).collect()
}

/// What the device makes of partial sums.
fn solve(h: &mut Harness, rows: &[[[f32; 4]; 5]]) -> Result<Balance> {
    let count = (rows.len() * SHARE - 5) as u32;
    h.fill("tree_branch", &[Branch { count, ..Branch::default() }])?;
    h.fill("tree_partial", &[rows, &[[[1e3; 4]; 5]]].concat())?;
    h.zeros("tree_balance", size_of::<Balance>())?;
    h.run("solve_imbalance", 1)?;
    h.read_one("tree_balance")
}

fn solve_imbalance(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (runs, stretch) in [(1, DVec3::ONE), (2, DVec3::splat(1e4)), (64, DVec3::new(3.0, 1.0, 2.0)), (150, DVec3::ONE)]
    {
        t.case(format!("{runs} runs, arms stretched by {stretch}"));
        let rows = rows(runs, stretch);
        let got = solve(h, &rows)?;
        let total = total(&rows, vec3(&got.middle));
        let (force, torque, first, s, p) = (total.force, total.torque, total.first, total.squares, total.products);
        let (b, omega, weight) = (vec3(&got.shift), vec3(&got.turn), total.weight);
        // sum of weight (b + omega x arm), and of arm x that
        let left = weight * b + omega.cross(first) - force;
        let trace = DMat3::from_diagonal(DVec3::splat(s.element_sum()));
        let second = DMat3::from_cols(DVec3::new(s.x, p.x, p.y), DVec3::new(p.x, s.y, p.z), DVec3::new(p.y, p.z, s.z));
        let left_torque = first.cross(b) + (trace - second) * omega - torque;
        let size = force.length() + weight * b.length() + omega.length() * first.length();
        let torque_size = torque.length() + first.length() * b.length() + s.element_sum() * omega.length();
        t.off("force", 0, left.length() / size);
        t.off("torque", 0, left_torque.length() / torque_size);
        t.off("share of the forces", 0, (f64::from(got.share) * total.force_size / force.length() - 1.0).abs());
    }
    Ok(())
}

/// What rows add up to about a middle.
#[derive(Default)]
struct Total {
    force: DVec3,
    force_size: f64,
    torque: DVec3,
    first: DVec3,
    weight: f64,
    squares: DVec3,
    products: DVec3,
}

fn total(rows: &[[[f32; 4]; 5]], middle: DVec3) -> Total {
    let mut sum = Total::default();
    for row in rows {
        let (force, arm, weight) = (vec3(&row[0]), vec3(&row[4]) - middle, f64::from(row[4][3]));
        sum.force += force;
        sum.force_size += f64::from(row[0][3]);
        sum.torque += vec3(&row[1]) + arm.cross(force);
        sum.first += weight * arm;
        sum.weight += weight;
        sum.squares += vec3(&row[2]) + weight * arm * arm;
        sum.products += vec3(&row[3]) + weight * DVec3::new(arm.x * arm.y, arm.x * arm.z, arm.y * arm.z);
    }
    sum
}

fn degenerate(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("arms along x");
    let rows = rows(1, DVec3::X);
    let got = solve(h, &rows)?;
    t.equal("rotation about x", &[got.turn[0]], &[0.0]);
    // a thousandth is added to the moments across
    let across = vec3(&rows[0][1]) / f64::from(rows[0][2][0]) / 1.001;
    t.equal("rotation across", &[(vec3(&got.turn) - across).length() < 1e-5 * across.length()], &[true]);
    t.equal("force is left", &[got.shift[0] == 0.0], &[false]);
    t.case("no field");
    t.equal("correction", &[solve(h, &[[[0.0; 4]; 5]])?], &[Balance::default()]);
    Ok(())
}

fn balance_gravity(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for tree in trees() {
        t.case(&tree.name);
        let (n, constant, field) = (tree.count(), 0.37f32, field(tree.count()));
        let size = (0..n).map(|k| arm(&tree, &root(&tree)[0], k).length()).fold(1e-3, f64::max);
        let (b, omega) = (DVec3::new(0.1, -0.2, 0.3), DVec3::new(-0.3, 0.2, 0.1) / size);
        let [shift, turn] = [b, omega].map(|v| v.as_vec3().to_array());
        let middle = (0.3 * size * DVec3::new(1.0, -2.0, 0.5)).as_vec3().to_array();
        let balance = Balance { shift, share: 9.0, turn, pad0: 9, middle, pad1: 9 };
        fill(h, &tree, &field)?;
        h.uniform(
            "gravity_params",
            &GravityParams { gravity_constant: constant, body_count: n as u32, ..Default::default() },
        )?;
        h.fill("tree_balance", &[balance])?;
        h.zeros("body_gravity", size_of::<Field>() * (n + 1))?;
        h.run("balance_gravity", tree.groups() + 1)?;
        let got = h.read::<Field>("body_gravity")?;
        t.equal("row beyond", &got[n..], &[Field::default()]);
        for (k, body) in tree.tree.order.iter().enumerate() {
            let pull = vec3(&field[k].acceleration);
            let turn = vec3(&balance.turn).cross(arm(&tree, &root(&tree)[0], k) - vec3(&middle));
            let truth = (pull - pull.length_squared() * (vec3(&balance.shift) + turn)) * f64::from(constant);
            let size = f64::from(constant) * (pull.length() + pull.length_squared() * (b.length() + turn.length()));
            t.off("acceleration of body", *body, vec3(&got[*body].acceleration).distance(truth) / size);
            let potential = f64::from(field[k].potential) * f64::from(constant);
            t.off("potential of body", *body, (f64::from(got[*body].potential) / potential - 1.0).abs());
        }
    }
    Ok(())
}
