//! Contacts of pairs: geometry from integers, the law against f64, and what a step without contact leaves alone.

use super::cloud::{CODE, Cloud, pairs, random, vector};
use super::harness::Harness;
use super::laws::{
    END_BOUND, END_REASON, LAW_BOUND, LAW_REASON, LAW_UNIT, compare_end, compare_law, take_in, tried, tried_in, windows,
};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::units::{POSITION_BITS, Units};
use crate::gpu::constants::{OVERFLOW_PAIRS, PHASE_FIRST, PHASE_PAUSED, PHASE_RUNS, ROUNDING_STEP};
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{Dissipation, Pair, PairMemory, PairResult};
use crate::gpu::pipeline::file::{LOSSES_BY_GROUP, LOSSES_BY_PAIR, MANY_MATERIALS, ONE_MATERIAL};
use crate::physics::laws::BuiltIn;
use crate::physics::laws::contact::{ContactResult, ContactState, Twin};
use crate::physics::laws::pairs::Laws;
use crate::physics::laws::registry::{LAWS, all};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "contacts",
    compares: "Overlaps of pairs from integers; forces, torques, springs and losses by every contact law against f64.",
    bounds: "Overlaps are exact up to one division; a law is about ten operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family; those of walls are in `walls.rs`.
const CHECKS: &[Check] = &[
    Check {
        passes: &["apply_contacts"],
        what: "overlaps of 1e-8 to 1e-4 L",
        unit: "L",
        bound: 4e-11,
        reason: "the square of the coarse distance is an exact integer; the cross term, below 2^-13 L2, rounds at 6e-8; 2.5 units of a division of 1e-4 L",
        compare: overlaps,
    },
    Check {
        passes: &["apply_contacts"],
        what: "force, torques, memory, losses by every law",
        unit: LAW_UNIT,
        bound: LAW_BOUND,
        reason: LAW_REASON,
        compare: law,
    },
    Check {
        passes: &["apply_contacts"],
        what: "the same of grains 2^40 times lighter than the unit of mass",
        unit: LAW_UNIT,
        bound: LAW_BOUND,
        reason: LAW_REASON,
        compare: light,
    },
    Check {
        passes: &["apply_contacts"],
        what: "what a contact of every law loses when it ends",
        unit: "of its terms",
        bound: END_BOUND,
        reason: END_REASON,
        compare: ended,
    },
    Check {
        passes: &["apply_contacts"],
        what: "losses of the pairs of a workgroup, or of eight, in one slot",
        unit: "of the sum of their sizes",
        bound: 1.2e-6,
        reason: "17 additions at 6e-8, and one to a slot that holds as much",
        compare: grouped,
    },
    Check::exact(&["apply_contacts"], "who touches, what is forgotten, faults, pauses", gates),
];

/// Pairs, one contact each, and what they remember.
struct Pairs {
    law: &'static dyn BuiltIn,
    units: Units,
    cloud: Cloud,
    history: Vec<PairMemory>,
}

/// What the pass leaves.
struct Left {
    result: Vec<PairResult>,
    history: Vec<PairMemory>,
    lost: Vec<Dissipation>,
}

impl Pairs {
    /// `n` pairs with radii down to RADIUS_MAX / `ratio` and gaps of -`overlap` L (10 to the power drawn from it).
    /// Every third contact begins.
    fn new(law: &'static dyn BuiltIn, n: usize, ratio: f64, overlap: (f64, f64), seed: u64) -> Pairs {
        let cloud = pairs(n, ratio, |random| -10f64.powf(random.random_range(overlap.0..=overlap.1)), seed);
        let mut random = random(seed + 1);
        let mut spring = || 10f64.powf(random.random_range(-8.0..-3.0)) * vector(&mut random);
        let begins = |pair: usize| pair.is_multiple_of(3);
        let springs: Vec<_> = (0..n).map(|_| (spring(), spring())).collect();
        let mut last = || (10f64.powf(overlap.1) * random.random_range(0.5..1.5)) as f32;
        let memory = |(pair, (first, second)): (usize, (DVec3, DVec3))| match begins(pair) {
            true => PairMemory::default(),
            false => PairMemory {
                first: first.extend(1e-4).as_vec4().to_array(),
                second: second.as_vec3().to_array(),
                overlap: last(),
            },
        };
        let history = springs.into_iter().enumerate().map(memory).collect();
        Pairs { law, units: CODE, cloud, history }
    }

    /// The same in a unit of mass that is 2^40 times as large.
    fn light(mut self) -> Pairs {
        let raise = 40f32.exp2();
        self.units.mass_kg *= f64::from(raise);
        self.cloud.bodies.iter_mut().for_each(|body| body.inverse_mass *= raise);
        let law = tried_in(self.law, &self.units);
        let remembers_force = law.of(0, 0).memory([1.0, 0.0, 0.0, 0.0], [0.0; 3]).surplus != 0.0;
        self.history.iter_mut().filter(|_| remembers_force).for_each(|memory| memory.first[0] /= raise);
        self
    }

    fn len(&self) -> usize {
        self.cloud.len() / 2
    }

    fn fill(&self, h: &mut Harness, words: &Control, result: &[PairResult]) -> Result<()> {
        h.uniform("params", &crate::gpu::layout::Params { material_count: 2, ..self.cloud.params() })?;
        h.fill("control", &[*words])?;
        h.fill("body_view", &self.cloud.view())?;
        h.fill("pair_body", &(0..self.len() as u32).map(|p| Pair { i: 2 * p, j: 2 * p + 1 }).collect::<Vec<_>>())?;
        take_in(h, self.law, &self.units)?;
        h.fill("pair_history", &self.history)?;
        h.choose("losses", LOSSES_BY_PAIR.to_owned());
        let one = self.cloud.bodies.iter().all(|body| body.material == 0);
        h.choose("materials", if one { ONE_MATERIAL } else { MANY_MATERIALS }.to_owned());
        h.fill("pair_result", result)?;
        h.zeros("pair_dissipated", 16 * self.len())
    }

    /// Results as a new list leaves them; an even number, as the engine has.
    fn results(&self) -> Vec<PairResult> {
        vec![PairResult::default(); self.len().next_multiple_of(2)]
    }

    /// Results that are seen if they are left alone.
    fn results_before(&self) -> Vec<PairResult> {
        vec![PairResult { force: [3.0, 2.0, 1.0], torque: [[3.0, 2.0, 1.0]; 2] }; self.results().len()]
    }

    /// What the pass leaves, with losses by pair. In its form for software devices all but the losses must be the same.
    fn meet(&self, h: &mut Harness, t: &mut Tally) -> Result<Left> {
        let mut by_form = h.by_form(|h| {
            self.fill(h, &running(self.len()), &self.results())?;
            h.run("apply_contacts", groups(self))?;
            let (result, history) = (h.read("pair_result")?, h.read("pair_history")?);
            Ok(Left { result, history, lost: h.read("pair_dissipated")? })
        })?;
        let left = by_form.swap_remove(0);
        for other in &by_form {
            t.equal("results by form", &other.result, &left.result);
            t.equal("histories by form", &other.history, &left.history);
        }
        Ok(left)
    }

    /// The arguments of the law for pair `p`, the overlap in f64.
    fn state<'a>(&self, laws: &'a Laws, view: &[BodyView], p: usize) -> (&'a dyn Twin, ContactState) {
        let (a, b) = (&self.cloud.bodies[2 * p], &self.cloud.bodies[2 * p + 1]);
        let (i, j) = (&view[2 * p], &view[2 * p + 1]);
        let d = self.cloud.between(2 * p, 2 * p + 1);
        let (ra, rb, distance) = (f64::from(a.radius), f64::from(b.radius), d.length());
        let law = laws.of(a.material as usize, b.material as usize);
        let arm_i = law.arm(ra, rb, distance);
        let spin = crate::gpu::layout::BodyWords::seen_spin;
        let state = ContactState {
            normal: d / distance,
            overlap: ra + rb - distance,
            before: self.history[p].overlap.into(),
            velocity: windows(&j.velocity, &i.velocity, 37),
            spin_i: spin(a),
            spin_j: spin(b),
            arm_i,
            arm_j: distance - arm_i,
            mass: 1.0 / (f64::from(a.inverse_mass) + f64::from(b.inverse_mass)),
            radius: ra * rb / (ra + rb),
            springs: law.memory(self.history[p].first, self.history[p].second),
        };
        (law, state)
    }
}

fn running(pairs: usize) -> Control {
    let (gravity_next, fault_index) = (u32::MAX, u32::MAX);
    Control { step: 5, step_target: 10, gravity_next, fault_index, pair_count: pairs as u32, ..Control::default() }
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
        let (pairs, laws) = (Pairs::new(LAWS[0].law, n, ratio, overlap, n as u64), tried(LAWS[0].law));
        pairs.fill(h, &running(n), &pairs.results())?;
        h.run("apply_contacts", groups(&pairs))?;
        let view = pairs.cloud.view();
        for (p, memory) in h.read::<PairMemory>("pair_history")?.iter().enumerate().take(n) {
            t.off("overlap of pair", p, (f64::from(memory.overlap) - pairs.state(&laws, &view, p).1.overlap).abs());
        }
    }
    Ok(())
}

fn law(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let each = |one: bool| all().flat_map(move |law| CASES.map(|case| (law, case, one)));
    // case by case, since another form of the pass is compiled anew
    for (law, (n, ratio, overlap), one) in each(false).chain(each(true)) {
        let materials = if one { ", one material" } else { "" };
        t.case(format!("{}: {n} pairs, sizes up to 1:{ratio}{materials}", law.name()));
        let (mut pairs, laws) = (Pairs::new(law, n, ratio, overlap, n as u64), tried(law));
        pairs.cloud.bodies.iter_mut().filter(|_| one).for_each(|body| body.material = 0);
        compare_pairs(h, t, &pairs, &laws)?;
    }
    Ok(())
}

fn light(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (law, (n, ratio, overlap)) in all().flat_map(|law| CASES.map(|case| (law, case))) {
        t.case(format!("{}: {n} pairs, sizes up to 1:{ratio}", law.name()));
        let pairs = Pairs::new(law, n, ratio, overlap, n as u64).light();
        compare_pairs(h, t, &pairs, &tried_in(law, &pairs.units))?;
    }
    Ok(())
}

fn compare_pairs(h: &mut Harness, t: &mut Tally, pairs: &Pairs, laws: &Laws) -> Result<()> {
    let Left { result, history, lost } = pairs.meet(h, t)?;
    let view = pairs.cloud.view();
    for p in 0..pairs.len() {
        let (law, state) = pairs.state(laws, &view, p);
        let got = ContactResult {
            force: in_f64(result[p].force),
            torque_i: in_f64(result[p].torque[0]),
            torque_j: in_f64(result[p].torque[1]),
            springs: law.memory(history[p].first, history[p].second),
            dissipated: lost[p].energy.map(f64::from),
        };
        // The overlap as the pass has it: its own error is another check's.
        compare_law(t, p, law, &ContactState { overlap: history[p].overlap.into(), ..state }, &got);
    }
    Ok(())
}

/// Losses summed over workgroups, or over eight lanes, are those of the pairs one by one, added to what the slots held.
fn grouped(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, ratio, overlap) in CASES {
        t.case(format!("{n} pairs, sizes up to 1:{ratio}"));
        let pairs = Pairs::new(LAWS[0].law, n, ratio, overlap, n as u64);
        let each = pairs.meet(h, t)?.lost;
        h.in_forms(|h| {
            let form = if h.sources.cpu_forms { (LOSSES_BY_PAIR, [8, 8]) } else { (LOSSES_BY_GROUP, [64, 1]) };
            compare_slots(h, t, &pairs, &each, form)
        })?;
    }
    Ok(())
}

/// The slots of a form that sums over so many pairs, and has its slots so far apart.
fn compare_slots(
    h: &mut Harness,
    t: &mut Tally,
    pairs: &Pairs,
    each: &[Dissipation],
    (form, [many, apart]): (&str, [usize; 2]),
) -> Result<()> {
    let n = pairs.len();
    let of =
        |g: usize, kind: usize| each[many * g..n.min(many * g + many)].iter().map(move |e| f64::from(e.energy[kind]));
    let used = n.div_ceil(many);
    // as much as the step adds, so that a slot that is not added to shows
    let mut before = vec![Dissipation { energy: [7.0; 4] }; n];
    for g in 0..used {
        before[apart * g].energy = [0, 1, 2, 3].map(|kind| of(g, kind).sum::<f64>() as f32);
    }
    pairs.fill(h, &running(n), &pairs.results())?;
    h.choose("losses", form.to_owned());
    h.fill("pair_dissipated", &before)?;
    h.run("apply_contacts", groups(pairs))?;
    let found = h.read::<Dissipation>("pair_dissipated")?;
    for (g, kind) in (0..used).flat_map(|g| [0, 1, 2, 3].map(|kind| (g, kind))) {
        let size: f64 = of(g, kind).map(f64::abs).sum();
        let wanted = f64::from(before[apart * g].energy[kind]) + of(g, kind).sum::<f64>();
        t.off("losses of slot", g, (f64::from(found[apart * g].energy[kind]) - wanted).abs() / size.max(1e-30));
    }
    let idle = |p: &usize| !p.is_multiple_of(apart) || p / apart >= used;
    let left = |slots: &[Dissipation]| (0..n).filter(idle).map(|p| slots[p]).collect::<Vec<_>>();
    t.equal("slots that take nothing", &left(&found), &left(&before));
    Ok(())
}

/// A memory that no pass leaves.
const HALVES: PairMemory = PairMemory { first: [0.5; 4], second: [0.5; 3], overlap: 0.5 };

/// What a pair of `mixed` does. All neighbours differ somewhere, since software devices write two of them together.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Touches,
    Parts,
    StaysApart,
    FarFromAContact,
}

fn kind(p: usize) -> Kind {
    [Kind::Touches, Kind::Parts, Kind::StaysApart, Kind::FarFromAContact, Kind::Touches][p % 5]
}

/// Pairs at rest of all kinds in turn. That at `deep` has these radii (L), and is deep for the smaller one alone.
fn mixed(deep: usize, radii: [f64; 2]) -> Pairs {
    let gap = |p: usize| match p {
        _ if p == deep => -0.3 * radii[0].min(radii[1]),
        _ if kind(p) == Kind::Touches => -1e-3,
        _ if kind(p) == Kind::FarFromAContact => 2.0,
        _ => 1e-4,
    };
    let bodies = (0..131).flat_map(|p| {
        let x = DVec3::splat(10.0 * p as f64);
        let [a, b] = if p == deep { radii } else { [0.25; 2] };
        [(x, a), (x + DVec3::Y * (a + b + gap(p)), b)]
    });
    let cloud = Cloud::new("mixed", bodies.collect::<Vec<_>>());
    let is_new = |p: usize| matches!(kind(p), Kind::Touches | Kind::StaysApart);
    let memory = |p: usize| PairMemory { overlap: if is_new(p) { 0.0 } else { 0.5 }, ..HALVES };
    Pairs { law: LAWS[0].law, units: CODE, cloud, history: (0..131).map(memory).collect() }
}

fn ended(h: &mut Harness, t: &mut Tally) -> Result<()> {
    all().try_for_each(|law| ended_by(h, t, law))
}

fn ended_by(h: &mut Harness, t: &mut Tally, law: &'static dyn BuiltIn) -> Result<()> {
    t.case(format!("{}: 1000 pairs part", law.name()));
    let (pairs, laws) = (Pairs::new(law, 1000, 3.0, (-4.0, -4.0), 18), tried(law));
    let mut apart = pairs.cloud.clone();
    for p in 0..1000 {
        // farther on, by more than two radii, and within what windows hold
        let way = if apart.between(2 * p, 2 * p + 1).z < 0.0 { -1 } else { 1 };
        apart.bodies[2 * p + 1].position[2] += way << POSITION_BITS;
    }
    let mut pairs = Pairs { cloud: apart, ..pairs };
    pairs.history.iter_mut().for_each(|memory| memory.overlap = 1e-4);
    let lost = pairs.meet(h, t)?.lost;
    let view = pairs.cloud.view();
    // What never touched loses nothing, and has no scale to compare with.
    for (p, got) in lost.iter().enumerate().filter(|(p, _)| pairs.history[*p].first != [0.0; 4]) {
        let (law, state) = pairs.state(&laws, &view, p);
        compare_end(t, p, law, &state, &got.energy);
    }
    Ok(())
}

fn gates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    h.in_forms(|h| [[0.25, 0.1], [0.1, 0.25]].into_iter().try_for_each(|radii| gates_of(h, t, radii)))
}

fn gates_of(h: &mut Harness, t: &mut Tally, radii: [f64; 2]) -> Result<()> {
    let pairs = mixed(64, radii);
    let before = pairs.results_before();
    let running = running(131);
    let pauses = [
        ("runs", running, PHASE_RUNS),
        ("first step", Control { step: 0, ..running }, PHASE_FIRST),
        ("target reached", Control { step_target: 5, ..running }, PHASE_PAUSED),
        ("gravity due", Control { gravity_next: 5, ..running }, PHASE_PAUSED),
        ("list due", Control { request: 1, ..running }, PHASE_PAUSED),
        ("fault", Control { fault_body: 2, ..running }, PHASE_PAUSED),
        ("overflow", Control { overflow: OVERFLOW_PAIRS, ..running }, PHASE_PAUSED),
        ("no pairs", Control { pair_count: 0, ..running }, PHASE_RUNS),
    ];
    for (name, mut words, phase) in pauses {
        t.case(format!("{name}, radii of the deep pair {radii:?}"));
        pairs.fill(h, &words, &before)?;
        h.run("apply_contacts", groups(&pairs))?;
        let runs = phase != PHASE_PAUSED && words.pair_count != 0;
        (words.phase, words.rounding) = (phase, words.step.wrapping_mul(ROUNDING_STEP));
        if runs {
            (words.fault_contact, words.fault_index) = (4, 128);
        }
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let (result, history) = (h.read::<PairResult>("pair_result")?, h.read::<PairMemory>("pair_history")?);
        for (p, (result, memory)) in result.into_iter().zip(history).enumerate() {
            if runs && (kind(p) == Kind::Touches || p == 64) {
                t.equal("touch", &[memory.overlap > 0.0, result != before[p]], &[true; 2]);
            } else if runs && kind(p) != Kind::StaysApart {
                t.equal("forgotten result", &[result], &[PairResult::default()]);
                t.equal("forgotten history", &[memory], &[PairMemory::default()]);
            } else {
                t.equal("result left alone", &[result], &[before[p]]);
                t.equal("history left alone", &[memory], &[pairs.history[p]]);
            }
        }
    }
    Ok(())
}
