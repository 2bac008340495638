//! Contacts of pairs: geometry from integers, the law against f64, and what a step without contact leaves alone.

use super::cloud::{CODE, Cloud, RADIUS_MAX, direction, random, vector};
use super::{Check, Tally};
use crate::error::Result;
use crate::reference::harness::Harness;
use crate::reference::law::{ContactResult, ContactState, Springs, contact_force, spring_energies};
use crate::scenario::closure::ContactLaw;
use crate::scenario::model::NormalTension;
use crate::solver::layout::{LawRow, control};
use crate::solver::prepare::law_row;
use crate::units::POSITION_BITS;
use glam::DVec3;
use rand::RngExt;

/// The checks of this family; those of walls stand in `walls.rs`.
pub const CHECKS: &[Check] = &[
    Check {
        passes: &["apply_contacts"],
        what: "overlaps of 1e-8 to 1e-4 L",
        unit: "L",
        bound: 4e-11,
        reason: "the square of the coarse distance is an exact integer; the cross term, below 2^-13 L2, rounds at 6e-8",
        compare: overlaps,
    },
    Check {
        passes: &["apply_contacts"],
        what: "force, torques, springs, losses by the law",
        unit: LAW_UNIT,
        bound: LAW_BOUND,
        reason: LAW_REASON,
        compare: law,
    },
    Check {
        passes: &["apply_contacts"],
        what: "energy that springs hold when a contact ends",
        unit: "of the energy",
        bound: SPRINGS_BOUND,
        reason: SPRINGS_REASON,
        compare: ended,
    },
    Check::exact(&["apply_contacts"], "who touches, what is forgotten, faults, pauses", gates),
];

/// Unit of errors of the law.
pub const LAW_UNIT: &str = "of the largest the contact could give";
/// Bound of errors of the law.
pub const LAW_BOUND: f64 = 2e-6;
/// Why.
pub const LAW_REASON: &str = "some 20 operations at 6e-8, divisions and roots at up to 2.5 times that";
/// Bound of the energy of springs.
pub const SPRINGS_BOUND: f64 = 1e-6;
/// Why.
pub const SPRINGS_REASON: &str = "a sum of squares and some 6 products at 6e-8, the effective radius squared";

/// Laws of two materials: tension kept or not, with and without friction, rolling, twisting, cohesion.
pub fn laws() -> Vec<ContactLaw> {
    let law = |k: usize| {
        let pick = |a: f32, b: f32| f64::from(if k == 0 || k == 3 { a } else { b });
        ContactLaw {
            stiffness_normal: f64::from(0.02f32),
            stiffness_sliding: f64::from(0.006f32),
            damping_normal: f64::from(0.05f32),
            damping_sliding: f64::from(0.03f32),
            friction_sliding: pick(0.5, if k == 1 { 0.0 } else { 0.9 }),
            friction_rolling: pick(0.3, 0.0),
            friction_twisting: pick(0.4, 0.8),
            shape_parameter: 0.5,
            cohesion_pa: pick(0.0, 0.001),
            tension: if k < 2 { NormalTension::Kept } else { NormalTension::None },
        }
    };
    (0..4).map(law).collect()
}

/// The table of laws.
pub fn law_rows() -> Vec<LawRow> {
    laws().iter().map(|l| law_row(l, &CODE)).collect()
}

/// Vector of the first three of a row.
pub fn vec3(row: &[f32; 4]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

/// Signed differences of windows, in their unit.
pub fn windows(to: &[u32; 4], from: &[u32; 4], unit_bits: i32) -> DVec3 {
    let d = [0, 1, 2].map(|k| f64::from(to[k].wrapping_sub(from[k]) as i32));
    DVec3::from_array(d) * f64::from(-unit_bits).exp2()
}

/// Largest error of a contact's force, torques, springs and losses, over what the contact could give at most.
pub fn compare_law(t: &mut Tally, place: usize, law: &ContactLaw, s: &ContactState, got: &ContactResult) {
    let truth = contact_force(law, s, 1.0);
    let speed = s.velocity.length() + s.arm_i * s.spin_i.length() + s.spin_j.length() * s.arm_j.min(1.0);
    let cohesion = 4.0 * law.cohesion_pa * law.shape_parameter * s.radius * s.radius;
    let push = law.stiffness_normal * s.overlap + law.damping_normal * s.mass.sqrt() * speed;
    let force = push * (1.0 + law.friction_sliding) + cohesion;
    let (sliding, turning) = (s.springs.sliding.length() + speed, s.springs.rolling.length() + speed / s.radius);
    let twisting = s.springs.twisting.abs() + speed / s.radius;
    let size2 = (law.shape_parameter * s.radius).powi(2);
    let stored = law.stiffness_sliding * sliding * sliding
        + law.stiffness_normal * size2 * turning * turning
        + 2.0 * law.stiffness_sliding * size2 * twisting * twisting;
    let energy = force * speed + stored;
    t.off("force of contact", place, got.force.distance(truth.force) / force);
    let arm = s.arm_i.max(s.arm_j.min(1.0));
    t.off("torque on i of contact", place, got.torque_i.distance(truth.torque_i) / (force * arm));
    t.off("torque on j of contact", place, got.torque_j.distance(truth.torque_j) / (force * s.arm_j.max(arm)));
    t.off("sliding spring of contact", place, got.springs.sliding.distance(truth.springs.sliding) / sliding);
    t.off("rolling spring of contact", place, got.springs.rolling.distance(truth.springs.rolling) / turning);
    t.off("twisting spring of contact", place, (got.springs.twisting - truth.springs.twisting).abs() / twisting);
    for (a, b) in got.dissipated.iter().zip(truth.dissipated) {
        t.off("loss of contact", place, (a - b).abs() / energy);
    }
}

/// The springs in the two rows of a contact's history.
pub fn springs(rows: &[[f32; 4]]) -> Springs {
    Springs { sliding: vec3(&rows[0]), rolling: vec3(&rows[1]), twisting: rows[0][3].into() }
}

/// What a contact that ended has lost: nothing of its normal spring, all of the others.
pub fn compare_springs(t: &mut Tally, place: usize, held: [f64; 3], got: &[f32; 4]) {
    let total: f64 = held.iter().sum();
    for (held, got) in [0.0, held[0], held[1], held[2]].into_iter().zip(got) {
        t.off("loss of contact", place, (f64::from(*got) - held).abs() / total);
    }
}

/// Pairs, one contact each, and what they remember.
struct Pairs {
    cloud: Cloud,
    /// two rows a pair
    history: Vec<[f32; 4]>,
}

impl Pairs {
    /// `n` pairs with radii down to RADIUS_MAX / `ratio` and gaps of -`overlap` L (10 to the power drawn from it).
    fn new(n: usize, ratio: f64, overlap: (f64, f64), seed: u64) -> Pairs {
        let mut random = random(seed);
        let mut places = vec![];
        for _ in 0..n {
            let [a, b] = [0; 2].map(|_: i32| f64::from(CODE.radius(RADIUS_MAX / random.random_range(1.0..=ratio))));
            let here = 3e5 * vector(&mut random);
            let depth = 10f64.powf(random.random_range(overlap.0..=overlap.1));
            places.extend([(here, a), (here + (a + b - depth) * direction(&mut random), b)]);
        }
        let mut cloud = Cloud::new("pairs", places).moving(2e-5, seed);
        for body in &mut cloud.bodies {
            body.spin = (1e-4 * vector(&mut random)).as_vec3().to_array();
            body.material = random.random_range(0..2);
        }
        let mut spring = || (10f64.powf(random.random_range(-8.0..-3.0)) * vector(&mut random)).extend(1e-4);
        let history = (0..2 * n).map(|_| spring().as_vec4().to_array()).collect();
        Pairs { cloud, history }
    }

    fn len(&self) -> usize {
        self.cloud.len() / 2
    }

    fn fill(&self, h: &mut Harness, words: &[u32], result: &[[f32; 4]]) -> Result<()> {
        h.uniform("params", &[crate::solver::layout::Params { material_count: 2, ..self.cloud.params() }])?;
        h.fill("control", words)?;
        h.fill("body_view", &self.cloud.view())?;
        h.fill("pair_body", &(0..self.len() as u32).map(|p| [2 * p, 2 * p + 1]).collect::<Vec<_>>())?;
        h.fill("contact_law", &law_rows())?;
        h.fill("pair_history", &self.history)?;
        h.fill("pair_result", result)?;
        h.zeros("pair_dissipated", 16 * self.len())
    }

    /// What the law is told of pair `p`, the overlap in f64.
    fn state(&self, view: &[[[u32; 4]; 4]], p: usize) -> (ContactLaw, ContactState) {
        let (a, b) = (&self.cloud.bodies[2 * p], &self.cloud.bodies[2 * p + 1]);
        let (i, j) = (&view[2 * p], &view[2 * p + 1]);
        let d = windows(&j[0], &i[0], 30);
        let (ra, rb, distance) = (f64::from(a.radius), f64::from(b.radius), d.length());
        let arm_i = (ra * ra - rb * rb + distance * distance) / (2.0 * distance);
        let spin = |b: &crate::solver::layout::BodyWords| DVec3::from_array(b.spin.map(f64::from));
        let state = ContactState {
            normal: d / distance,
            overlap: ra + rb - distance,
            velocity: windows(&j[1], &i[1], 37),
            spin_i: spin(a),
            spin_j: spin(b),
            arm_i,
            arm_j: distance - arm_i,
            mass: 1.0 / (f64::from(a.inverse_mass) + f64::from(b.inverse_mass)),
            radius: ra * rb / (ra + rb),
            springs: springs(&self.history[2 * p..2 * p + 2]),
        };
        (laws()[(2 * a.material + b.material) as usize], state)
    }
}

fn running(pairs: usize) -> [u32; control::WORDS] {
    let mut words = [0; control::WORDS];
    (words[control::STEP], words[control::STEP_TARGET]) = (5, 10);
    (words[control::GRAVITY_NEXT], words[control::FAULT_INDEX]) = (u32::MAX, u32::MAX);
    words[control::PAIR_COUNT] = pairs as u32;
    words
}

fn groups(pairs: &Pairs) -> u32 {
    (pairs.len() as u32).div_ceil(64).max(1)
}

/// Number of pairs, ratio of sizes, powers of ten of the overlap (L).
const CASES: [(usize, f64, (f64, f64)); 5] = [
    (1, 1.0, (-5.0, -5.0)),
    (64, 1.0, (-8.0, -6.0)),
    (1000, 2.0, (-6.0, -4.0)),
    (999, 30.0, (-7.0, -4.0)),
    (65, 1.2, (-4.0, -2.0)),
];

fn overlaps(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, ratio, overlap) in CASES.into_iter().filter(|c| c.2.1 <= -4.0) {
        t.case(format!("{n} pairs, sizes up to 1:{ratio}"));
        let pairs = Pairs::new(n, ratio, overlap, n as u64);
        pairs.fill(h, &running(n), &vec![[0.0; 4]; 3 * n])?;
        h.run("apply_contacts", groups(&pairs))?;
        let (view, result) = (pairs.cloud.view(), h.read::<[f32; 4]>("pair_result")?);
        for p in 0..n {
            t.off("overlap of pair", p, (f64::from(result[3 * p][3]) - pairs.state(&view, p).1.overlap).abs());
        }
    }
    Ok(())
}

fn law(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, ratio, overlap) in CASES {
        t.case(format!("{n} pairs, sizes up to 1:{ratio}"));
        let pairs = Pairs::new(n, ratio, overlap, n as u64);
        pairs.fill(h, &running(n), &vec![[0.0; 4]; 3 * n])?;
        h.run("apply_contacts", groups(&pairs))?;
        let (view, result) = (pairs.cloud.view(), h.read::<[f32; 4]>("pair_result")?);
        let (history, lost) = (h.read::<[f32; 4]>("pair_history")?, h.read::<[f32; 4]>("pair_dissipated")?);
        for p in 0..n {
            let (law, state) = pairs.state(&view, p);
            let got = ContactResult {
                force: vec3(&result[3 * p]),
                torque_i: vec3(&result[3 * p + 1]),
                torque_j: vec3(&result[3 * p + 2]),
                springs: springs(&history[2 * p..2 * p + 2]),
                dissipated: lost[p].map(f64::from),
            };
            // The overlap as the pass has it: its own error is another check's.
            compare_law(t, p, &law, &ContactState { overlap: result[3 * p][3].into(), ..state }, &got);
        }
    }
    Ok(())
}

/// Pairs at rest in turn: touching, apart but touching before, apart as before, a window apart; the deep one at `deep`.
fn mixed(deep: usize) -> Pairs {
    let gap = |p: usize| match p {
        _ if p == deep => -0.3,
        _ if p % 4 == 0 => -1e-3,
        _ if p % 4 == 3 => 2.0,
        _ => 1e-4,
    };
    let r = 0.25;
    let places = (0..131).flat_map(|p| {
        let x = DVec3::splat(10.0 * p as f64);
        [(x, r), (x + DVec3::Y * (2.0 * r + gap(p)), r)]
    });
    Pairs { cloud: Cloud::new("mixed", places.collect::<Vec<_>>()), history: vec![[0.5; 4]; 262] }
}

fn ended(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("1000 pairs part");
    let pairs = Pairs::new(1000, 3.0, (-4.0, -4.0), 18);
    let mut apart = pairs.cloud.clone();
    for body in apart.bodies.iter_mut().skip(1).step_by(2) {
        body.position[2] += 2 << POSITION_BITS;
    }
    let pairs = Pairs { cloud: apart, ..pairs };
    pairs.fill(h, &running(1000), &vec![[1.0; 4]; 3000])?;
    h.run("apply_contacts", groups(&pairs))?;
    let view = pairs.cloud.view();
    for (p, got) in h.read::<[f32; 4]>("pair_dissipated")?.iter().enumerate() {
        let (law, state) = pairs.state(&view, p);
        compare_springs(t, p, spring_energies(&law, state.radius, &state.springs), got);
    }
    Ok(())
}

fn gates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    use control::*;
    let pairs = mixed(64);
    // Row w: 1 touching before, -1 not, so that untouched rows are seen.
    let before: Vec<[f32; 4]> =
        (0..3 * 131).map(|k| [3.0, 2.0, 1.0, if k / 3 % 2 == 0 { -1.0 } else { 1.0 }]).collect();
    let pauses = [
        ("runs", STEP, 5, 1),
        ("first step", STEP, 0, 2),
        ("target reached", STEP_TARGET, 5, 0),
        ("gravity due", GRAVITY_NEXT, 5, 0),
        ("list due", REQUEST, 1, 0),
        ("fault", FAULT_BODY, 2, 0),
        ("overflow", OVERFLOW, 1, 0),
        ("no pairs", PAIR_COUNT, 0, 1),
    ];
    for (name, word, value, active) in pauses {
        t.case(name);
        let mut words = running(131);
        words[word] = value;
        pairs.fill(h, &words, &before)?;
        h.run("apply_contacts", groups(&pairs))?;
        let runs = active != 0 && words[PAIR_COUNT] != 0;
        words[ACTIVE] = active;
        if runs {
            (words[FAULT_CONTACT], words[FAULT_INDEX]) = (4, 128);
        }
        t.equal("control", &h.read::<u32>("control")?, &words);
        let (result, history) = (h.read::<[f32; 4]>("pair_result")?, h.read::<[f32; 4]>("pair_history")?);
        for p in 0..131 {
            let (rows, springs) = (&result[3 * p..3 * p + 3], &history[2 * p..2 * p + 2]);
            let old = &before[3 * p..3 * p + 3];
            if runs && (p % 4 == 0 || p == 64) {
                t.equal("touch", &[rows[0][3] > 0.0, springs[1][3] == 1.0], &[true; 2]);
            } else if runs && p % 2 == 1 {
                t.equal("forgotten result", rows, &[[0.0; 4], old[1], old[2]]);
                t.equal("forgotten history", springs, &[[0.0; 4]; 2]);
            } else {
                t.equal("result left alone", rows, old);
                t.equal("history left alone", springs, &[[0.5; 4]; 2]);
            }
        }
    }
    Ok(())
}
