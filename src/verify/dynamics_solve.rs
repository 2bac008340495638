//! The iterations of contact dynamics: what impulses do to bodies, the projected step, the residual, and the whole of it.

use super::cloud::{random, vector};
use super::dynamics_split::spectral_count;
use super::dynamics_system::{SPARE, System, systems};
use super::harness::{Harness, filled};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::blocks::{Block, BlockPass};
use crate::gpu::constants::SOLVER_ITERATES;
use crate::gpu::elements::body::BodyPush;
use crate::gpu::elements::contact::{ContactImpulse, ContactScale, Residual};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::work::{WorkArgs, WorkSlot};
use crate::gpu::layout::DynamicsParams;
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_solve",
    compares: "The iterations of contact dynamics against Table 1 of Sanchez et al. (2021), and whole solutions by their residual in f64.",
    bounds: "Up to 30 operations at 6e-8; the residual is about 1e-3 of the impulses.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["push_bodies"],
        what: "velocity and spin by impulses",
        unit: "of the sum of the terms' sizes",
        bound: 3e-6,
        reason: "up to 15 contacts, each product and sum rounded at 6e-8",
        compare: push_bodies,
    },
    Check {
        passes: &["relax_contacts"],
        what: "impulses by Table 1 with cohesion, momentum and its restart, residual",
        unit: "of the terms' sizes times 1 + friction",
        bound: 3e-6,
        reason: "about 30 operations at 6e-8; friction multiplies the rounding of the normal impulse",
        compare: relax_contacts,
    },
    Check {
        passes: &["sum_residual"],
        what: "sums of 64 contacts",
        unit: "of the sum",
        bound: 4e-6,
        reason: "63 sums at 6e-8",
        compare: sum_residual,
    },
    Check {
        passes: &["push_bodies", "push_plates", "relax_contacts", "sum_residual", "judge_residual"],
        what: "residual of a solution, against the same in f64",
        unit: "of the residual",
        bound: 0.01,
        reason: "impulses and velocities round at 6e-8, the residual is about 1e-3 of them",
        compare: solve,
    },
];

/// Impulses and guesses of `size` (M L/T) and some behind them that no pass may touch.
fn impulses(count: usize, size: f64, seed: u64) -> Vec<ContactImpulse> {
    let mut random = random(seed);
    let mut some = || (size * vector(&mut random)).as_vec3().to_array();
    let mut one = || ContactImpulse { impulse: some(), guess: some(), ..ContactImpulse::default() };
    let mut all: Vec<_> = (0..count).map(|_| one()).collect();
    all.resize(count + SPARE, ContactImpulse::of([9.0; 3]));
    all
}

fn push_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (system, of_guesses) in systems().into_iter().flat_map(|s| [(s.clone(), false), (s, true)]) {
        t.case(format!("{}, guesses {of_guesses}", system.name));
        let (count, all) = (system.contacts.len(), system.inertia.len());
        let given = impulses(count, 0.01, 6);
        let of = if of_guesses { guess_of } else { impulse_of };
        let impulse: Vec<DVec3> = given[..count].iter().map(of).collect();
        system.fill(h)?;
        h.fill("contact_impulse", &given)?;
        let before = filled::<BodyPush>(5);
        h.fill("body_push", &vec![before; all + SPARE])?;
        h.run_with("push_bodies", system.body_groups(), "pass_constants", [u32::from(of_guesses), 0, 0, 0])?;
        let got: Vec<BodyPush> = h.read("body_push")?;
        t.equal("push of walls", &got[system.bodies..all], &vec![BodyPush::default(); all - system.bodies]);
        t.equal("push behind the walls", &got[all..], &[before; SPARE]);
        let mut sizes = vec![[1e-30; 2]; all];
        for (contact, p) in system.contacts.iter().zip(&impulse) {
            for (side, body) in contact.bodies.into_iter().enumerate() {
                let root = system.root(body);
                let turn = (root * root).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
                sizes[body][0] += system.inverse_mass(body) * p.length();
                sizes[body][1] += turn * contact.arm(side).length() * p.length();
            }
        }
        for (b, truth) in system.pushed(&impulse)[..system.bodies].iter().enumerate() {
            t.off("velocity of body", b, in_f64(got[b].velocity).distance(truth[0]) / sizes[b][0]);
            t.off("spin of body", b, in_f64(got[b].spin).distance(truth[1]) / sizes[b][1]);
        }
    }
    Ok(())
}

/// What an iteration starts from: impulses, guesses, velocities by impulses, step lengths and diagonals.
pub struct Start {
    /// p and y
    pub impulse: Vec<ContactImpulse>,
    /// velocity and spin of every body
    pub push: Vec<BodyPush>,
    /// normal and tangential
    pub scale: Vec<ContactScale>,
}

impl Start {
    /// At random, with steps shorter than the inverse diagonal.
    pub fn of(system: &System) -> Start {
        let (count, mut random) = (system.contacts.len(), random(7));
        let pushed = impulses(system.bodies, 0.01, 8);
        let of = |v: &ContactImpulse| BodyPush { velocity: v.impulse, spin: v.guess, ..BodyPush::default() };
        let mut push: Vec<_> = pushed[..system.bodies].iter().map(of).collect();
        push.resize(system.inertia.len(), BodyPush::default());
        let scale = |c: usize| {
            let diagonal = system.diagonal(c);
            let part: f64 = random.random_range(0.1..1.0);
            ContactScale { step: diagonal.map(|w| (part / w) as f32), diagonal: diagonal.map(|w| w as f32) }
        };
        let mut scale: Vec<_> = (0..count).map(scale).collect();
        scale.resize(count + SPARE, ContactScale { step: [1.0; 2], diagonal: [1.0; 2] });
        Start { impulse: impulses(count, 0.01, 9), push, scale }
    }

    /// Fills all of it.
    pub fn fill(&self, h: &mut Harness) -> Result<()> {
        h.fill("contact_impulse", &self.impulse)?;
        h.fill("body_push", &self.push)?;
        h.fill("contact_scale", &self.scale)
    }

    /// Nothing pushes: the projection alone decides.
    fn still(system: &System, guess: &[[f32; 3]]) -> Start {
        let mut start = Start::of(system);
        start.push.fill(BodyPush::default());
        start.impulse.iter_mut().zip(guess).for_each(|(row, guess)| row.guess = *guess);
        start
    }
}

/// Contacts along an axis at the corners of their cone: apex, rim, below, opening, nothing.
fn corners() -> (System, Start) {
    let mut system = System::lattice(4, false, 0.0).first(64);
    system.name = "corners of the cone".into();
    let mut guess = vec![];
    for (c, contact) in system.contacts.iter_mut().enumerate() {
        let (friction, cohesion) = ([0.0, 0.5, 1e3][c % 3], [0.0, 0.25][c / 3 % 2]);
        (contact.frame.normal, contact.frame.friction) = ([0.0, 0.0, 1.0], friction);
        contact.frame.sides[0].extra = cohesion;
        contact.frame.free = [0.0; 3];
        let (aside, along) = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0), (0.25, -0.5), (0.0, 2.0), (0.75, 1.0)][c / 6 % 6];
        guess.push([0.0, aside, along - cohesion]);
    }
    let start = Start::still(&system, &guess);
    (system, start)
}

/// Grains of a millionth of the largest mass, at the impulses that a weak gravity gives them in a step: squares of these impulses
/// vanish in f32.
fn dust() -> (System, Start) {
    const MASS: f32 = 1e-6;
    const SPEED: f32 = 1e-10;
    let mut system = System::lattice(4, true, 1e-3).first(64);
    system.name = "dust".into();
    for row in &mut system.inertia {
        row.inverse_mass /= MASS;
        [&mut row.xx, &mut row.yy, &mut row.zz].into_iter().chain(&mut row.mixed).for_each(|w| *w /= MASS.sqrt());
    }
    let scale = |row: &mut [f32], factor: f32| row.iter_mut().for_each(|v| *v *= factor);
    for contact in &mut system.contacts {
        scale(&mut contact.frame.free, SPEED);
        contact.frame.sides[0].extra *= MASS * SPEED;
        contact.frame.sides[1].extra *= SPEED;
    }
    let mut start = Start::of(&system);
    for row in &mut start.impulse {
        scale(&mut row.impulse, MASS * SPEED);
        scale(&mut row.guess, MASS * SPEED);
    }
    for row in &mut start.push {
        scale(&mut row.velocity, SPEED);
        scale(&mut row.spin, SPEED);
    }
    (system, start)
}

/// What is in a residual that no pass writes.
const KEPT: Residual = Residual { error: 4.0, size: 4.0 };

fn relax_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let started = |s: System| (Start::of(&s), s);
    let mut cases: Vec<_> = systems().into_iter().map(started).collect();
    cases.extend([corners(), dust()].map(|(system, start)| (start, system)));
    for (start, system) in cases {
        for (measured, momentum) in [(0, 0.9f32), (1, 0.5), (1, 0.0), (2, 0.7)] {
            t.case(format!("{}, momentum {momentum}, measured {measured}", system.name));
            let count = system.contacts.len();
            system.fill(h)?;
            // The last of the first iterations, or one by which momentum has fallen to half.
            let (iteration, first) = if measured == 1 { (160, 2.0 * momentum) } else { (40, momentum) };
            let dynamics = DynamicsParams { momentum: first, momentum_first: 40, ..Default::default() };
            let mut words = system.words();
            words.iteration = iteration;
            h.fill("control", &[words])?;
            h.uniform("dynamics", &dynamics)?;
            start.fill(h)?;
            h.fill("contact_residual", &vec![KEPT; count + SPARE])?;
            h.run_with("relax_contacts", system.groups(), "pass_constants", [measured, 0, 0, 0])?;
            let impulse = h.read::<ContactImpulse>("contact_impulse")?;
            let residual = h.read::<Residual>("contact_residual")?;
            t.equal("impulse behind the contacts", &impulse[count..], &start.impulse[count..]);
            let kept = if measured > 0 { count } else { 0 };
            t.equal("residual left alone", &residual[kept..], &vec![KEPT; count + SPARE - kept]);
            if measured == 2 {
                t.equal("impulse left alone", &impulse, &start.impulse);
            }
            for c in 0..count {
                if measured < 2 {
                    compare_relaxed(t, &system, &start, c, momentum.into(), impulse[c]);
                }
                if measured > 0 {
                    let of = if measured == 1 { guess_of } else { impulse_of };
                    compare_residual(t, &system, &start, c, of(&start.impulse[c]), residual[c]);
                }
            }
        }
    }
    Ok(())
}

/// Relative velocity of a contact, and how large its terms are.
fn velocity(system: &System, start: &Start, c: usize) -> (DVec3, f64) {
    let contact = &system.contacts[c];
    let push = |b: usize| [in_f64(start.push[b].velocity), in_f64(start.push[b].spin)];
    let (mut u, mut size) = (contact.free(), contact.free().length());
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let [v, w] = push(contact.bodies[side]);
        u += sign * (v + w.cross(contact.arm(side)));
        size += v.length() + w.length() * contact.arm(side).length();
    }
    (u, size)
}

/// Numerics of the method: q = P(y - s u); momentum beta (q - p) unless (y - q) . (q - p) > 0 in the metric 1/s.
pub fn compare_relaxed(t: &mut Tally, system: &System, start: &Start, c: usize, beta: f64, got: ContactImpulse) {
    let contact = &system.contacts[c];
    let (u, speed) = velocity(system, start, c);
    let [impulse, p] = [got, start.impulse[c]].map(|row| impulse_of(&row));
    let [guess, y] = [got, start.impulse[c]].map(|row| guess_of(&row));
    let scale = start.scale[c].step.map(f64::from);
    let [friction, cohesion] = contact.law();
    let size = (1.0 + friction) * (y.length() + p.length() + scale[0].max(scale[1]) * speed + cohesion).max(1e-30);
    let q = contact.answer(y, u, [1.0 / scale[0], 1.0 / scale[1]]);
    t.off("impulse of contact", c, impulse.distance(q) / size);
    let (ahead, back) = (q - p, y - q);
    let metric = |v: DVec3| contact.stretched(v, [1.0 / scale[0], 1.0 / scale[1]]);
    let uphill = metric(back).dot(ahead);
    let sure = 1e-6 * size / scale[0].min(scale[1]) * (ahead.length() + back.length());
    let with = |beta: f64| guess.distance(q + beta * ahead);
    let off = match uphill {
        g if g.abs() <= sure => with(beta).min(with(0.0)), // rounding decides
        g => with(if g > 0.0 { 0.0 } else { beta }),
    };
    t.off("guess of contact", c, off / size);
}

/// |D (P(y - u/D) - y)|^2 and |D y|^2 of guesses or impulses y.
fn compare_residual(t: &mut Tally, system: &System, start: &Start, c: usize, y: DVec3, got: Residual) {
    let contact = &system.contacts[c];
    let (u, speed) = velocity(system, start, c);
    let [friction, cohesion] = contact.law();
    let w = start.scale[c].diagonal.map(f64::from);
    let off = contact.stretched(contact.answer(y, u, w) - y, w).length();
    let [a, b] = [got.error, got.size].map(|r| f64::from(r).sqrt());
    let size = (1.0 + friction) * (w[0].max(w[1]) * (y.length() + cohesion) + speed).max(1e-30);
    t.off("residual of contact", c, (a - off).abs() / size);
    t.off("size of contact", c, (b - contact.stretched(y, w).length()).abs() / size);
}

fn sum_residual(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for count in [0usize, 1, 63, 64, 65, 4096, 5000] {
        t.case(format!("{count} contacts"));
        let (mut random, rows) = (random(count as u64), count.div_ceil(64));
        let mut one = || Residual { error: random.random(), size: random.random_range(0.0..1e-6) };
        let given: Vec<_> = (0..count + SPARE).map(|_| one()).collect();
        let words = Control { contact_count: count as u32, ..Control::default() };
        h.fill("control", &[words])?;
        h.fill("contact_residual", &given)?;
        h.fill("residual_partial", &vec![KEPT; rows + SPARE])?;
        h.run("sum_residual", (count + SPARE).div_ceil(64) as u32)?;
        let got = h.read::<Residual>("residual_partial")?;
        t.equal("sum behind the contacts", &got[rows..], &[KEPT; SPARE]);
        for (row, (got, part)) in got.iter().zip(given[..count].chunks(64)).enumerate() {
            for of in [|r: &Residual| r.error, |r: &Residual| r.size] {
                let truth: f64 = part.iter().map(|r| f64::from(of(r))).sum();
                t.off("sum", row, (f64::from(of(got)) / truth - 1.0).abs());
            }
        }
    }
    Ok(())
}

/// In f64.
pub fn impulse_of(p: &ContactImpulse) -> DVec3 {
    in_f64(p.impulse)
}

/// In f64.
pub fn guess_of(p: &ContactImpulse) -> DVec3 {
    in_f64(p.guess)
}

/// `push_bodies` by the guesses.
pub fn push_by_guesses(system: &System) -> BlockPass {
    let constants = Some(("pass_constants", [1, 0, 0, 0]));
    BlockPass { pass: "push_bodies", bind: vec![], constants, groups: system.body_groups() }
}

/// Step lengths that split the bodies' masses by their exact spectral counts.
fn scales(system: &System) -> Vec<ContactScale> {
    let count: Vec<_> = (0..system.inertia.len()).map(|b| 1.001 * spectral_count(system, b)).collect();
    let scale = |c: usize| {
        let (one, other, all) = (system.opposes(c, 0), system.opposes(c, 1), system.diagonal(c));
        let [i, j] = system.contacts[c].bodies.map(|b| count[b]);
        let step = |k: usize| 1.0 / (i * one[k] + j * other[k]);
        ContactScale { step: [step(0), step(1)].map(|x| x as f32), diagonal: all.map(|x| x as f32) }
    };
    (0..system.contacts.len()).map(scale).collect()
}

/// An iteration: `push_bodies` and `push_plates` on the guess, then `relax_contacts`.
fn iteration(system: &System, measured: u32) -> Block {
    let push = push_by_guesses(system);
    let constants = Some(("pass_constants", [measured, 0, 0, 0]));
    let relax = BlockPass { pass: "relax_contacts", bind: vec![], constants, groups: system.groups() };
    let plates = BlockPass { pass: "push_plates", groups: 1, ..push.clone() };
    Block { passes: vec![push, plates, relax], scratch: vec![] }
}

/// Systems that a solver meets: friction as rocks have it.
fn solvable() -> Vec<System> {
    let mut list = vec![System::lattice(2, false, 0.0), System::lattice(4, false, 0.0), System::lattice(4, true, 0.0)];
    for (k, friction) in [(1, 0.3), (2, 0.8)] {
        list[k].contacts.iter_mut().for_each(|c| c.frame.friction = friction);
    }
    list.push(System::lattice(3, false, 0.0));
    list[3].contacts.iter_mut().for_each(|c| c.frame.friction = 0.0);
    // plates as light as a body, and as heavy as many
    list.extend([(0.7, false), (0.05, true)].map(|(m, general)| System::lattice(4, general, 0.0).on_plate(m)));
    list[4..].iter_mut().flat_map(|s| &mut s.contacts).for_each(|c| c.frame.friction = 0.4);
    list
}

/// Iterations between two looks at the residual.
const LOOK: u32 = 8;

fn solve(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in solvable() {
        let (count, bodies) = (system.contacts.len(), system.inertia.len());
        t.case(&system.name);
        let tolerance = 1e-3;
        system.fill(h)?;
        system.fill_wall(h)?;
        let dynamics = DynamicsParams {
            momentum: 0.9,
            momentum_first: u32::MAX,
            look_every: LOOK,
            tolerance,
            iterations_max: 2000,
            ..DynamicsParams::default()
        };
        h.uniform("dynamics", &dynamics)?;
        h.fill("contact_scale", &scales(&system))?;
        let nothing = vec![ContactImpulse::default(); count];
        h.fill("contact_impulse", &nothing)?;
        h.fill("contact_residual", &vec![Residual::default(); count])?;
        h.fill("residual_partial", &vec![Residual::default(); count.div_ceil(64)])?;
        h.fill("body_push", &vec![BodyPush::default(); bodies])?;
        h.fill("work_slot", &[WorkSlot::default()])?;
        h.fill("work_args", &[WorkArgs::default(); 2])?;
        let mut words = system.words();
        while words.solver == SOLVER_ITERATES {
            (1..LOOK).try_for_each(|_| h.run_block(&iteration(&system, 0)))?;
            let guess: Vec<DVec3> = h.read("contact_impulse")?.iter().map(guess_of).collect();
            h.run_block(&iteration(&system, 1))?;
            h.run("sum_residual", system.groups())?;
            h.run("judge_residual", 1)?;
            words = h.read_one("control")?;
            let (got, exact) = (f64::from(f32::from_bits(words.residual)), system.residual(&guess));
            t.off("residual after iteration", words.iteration as usize, (got / exact - 1.0).abs());
        }
        let impulse: Vec<DVec3> = h.read("contact_impulse")?.iter().map(impulse_of).collect();
        let (left, taken) = (system.residual(&impulse), words.iteration);
        let unsolved = || Err(format!("after {taken} iterations the residual of the impulses is {left:e} in f64"));
        t.hold(if left < 2.0 * f64::from(tolerance) && words.budget_hits == 0 { Ok(()) } else { unsolved() });
    }
    Ok(())
}
