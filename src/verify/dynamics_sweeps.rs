//! Gauss-Seidel by colours: step lengths, the sweep of one colour, and the whole of it.

use super::dynamics_colours::{list, some_colours};
use super::dynamics_solve::{Start, compare_relaxed, guess_of, impulse_of, push_by_guesses};
use super::dynamics_split::{KEPT, crowded};
use super::dynamics_system::{SPARE, System, systems};
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants::{GROUP_LOOKS, SOLVER_DONE, SOLVER_ITERATES};
use crate::gpu::elements::body::BodyPush;
use crate::gpu::elements::contact::{ColourEntry, ContactImpulse, ContactScale};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::DynamicsParams;
use crate::physics::rigid::momentum::Momentum;
use glam::{DMat3, DVec3};

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_sweeps",
    compares: "Gauss-Seidel by colours: step lengths, the sweep of a colour, and the residual of a whole solution, against f64.",
    bounds: "Up to 40 operations at 6e-8; the 16-norm of three eigenvalues is at most 1.071 times the largest.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["scale_sweeps"],
        what: "diagonal of the Delassus operator, the bound of a contact's block above its eigenvalue",
        unit: "of each",
        bound: 0.072,
        reason: "the 16-norm of three eigenvalues is at most 3^(1/16) = 1.071 times the largest",
        compare: scale_sweeps,
    },
    Check {
        passes: &["sweep_contacts"],
        what: "impulses, guesses, velocities of the bodies after each colour",
        unit: "of the terms' sizes times 1 + friction",
        bound: 3e-6,
        reason: "about 40 operations at 6e-8; friction multiplies the rounding of the normal impulse",
        compare: sweep_contacts,
    },
    Check {
        passes: &["push_bodies", "relax_contacts", "sweep_contacts"],
        what: "residual of a solution in f64, above what was asked",
        unit: "",
        bound: 0.0,
        reason: "1200 sweeps reach 1e-3",
        compare: solve,
    },
    Check {
        passes: &["solve_contacts", "push_bodies", "sweep_contacts"],
        what: "impulses and guesses by one workgroup against the same iterations by dispatches",
        unit: "of the largest impulse",
        bound: 1e-5,
        reason: "the same operations, which compilers may fuse in other ways; four iterations of 50 roundings at 6e-8",
        compare: solve_alike,
    },
    Check {
        passes: &["solve_contacts"],
        what: "residual of a solution by one workgroup, against the same in f64",
        unit: "of the residual",
        bound: 0.01,
        reason: "impulses and velocities round at 6e-8, the residual is about 1e-3 of them",
        compare: solve_contacts,
    },
];

/// The largest eigenvalue of a contact's block of the Delassus operator over its diagonal: normal, mean of tangential.
fn coupling(system: &System, c: usize) -> f64 {
    let contact = &system.contacts[c];
    let mut block = DMat3::ZERO;
    for (side, body) in contact.bodies.into_iter().enumerate() {
        let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|d| system.root(body) * contact.arm(side).cross(d));
        let turn = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let straight = [DVec3::X, DVec3::Y, DVec3::Z].map(|d| system.ways(body, contact, d));
        let straight = DMat3::from_cols(straight[0], straight[1], straight[2]);
        block += straight * system.inverse_mass(body) + turn.transpose() * turn;
    }
    let roots = system.diagonal(c).map(|d| d.sqrt().recip());
    let mut x = DVec3::new(1.0, 0.7, -0.4);
    for _ in 0..4000 {
        x = contact.stretched(block * contact.stretched(x.normalize(), roots), roots);
    }
    x.length()
}

fn scale_sweeps(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        t.case(&system.name);
        system.fill(h)?;
        let count = system.contacts.len();
        h.fill("contact_scale", &vec![KEPT; count + SPARE])?;
        h.run("scale_sweeps", system.groups())?;
        let scale: Vec<ContactScale> = h.read("contact_scale")?;
        t.equal("scale behind the contacts", &scale[count..], &[KEPT; SPARE]);
        for (c, got) in scale[..count].iter().enumerate() {
            let (step, found) = (got.step.map(f64::from), got.diagonal.map(f64::from));
            let (diagonal, exact) = (system.diagonal(c), coupling(&system, c).max(1.0));
            let near = |a: f64, b: f64| {
                if (a / b - 1.0).abs() < 4e-6 { Ok(()) } else { Err(format!("contact {c}: {a}, not {b}")) }
            };
            t.hold(near(found[0], diagonal[0]).and(near(found[1], diagonal[1])));
            let bounds = [0, 1].map(|k| 1.0 / (step[k] * diagonal[k]));
            t.hold(near(bounds[0], bounds[1]));
            let below = || Err(format!("contact {c}: {} is below the eigenvalue {exact}", bounds[0]));
            t.hold(if bounds[0] < (1.0 - 4e-6) * exact { below() } else { Ok(()) });
            t.off("bound of contact", c, bounds[0] / exact - 1.0);
            // Spheres have no coupling, and no step is shortened for them.
            t.hold(if system.name.contains("spheres") { near(bounds[0], 1.0) } else { Ok(()) });
        }
    }
    Ok(())
}

/// Runs the sweep of a colour.
fn sweep(h: &mut Harness, system: &System, colour: u32) -> Result<()> {
    h.run_with("sweep_contacts", system.groups(), "pass_constants", [colour - 1, 0, 0, 0])
}

fn sweep_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (system, iteration, momentum) in systems().into_iter().flat_map(|s| [(s.clone(), 4, 0.85f32), (s, 16, 0.425)]) {
        let colours = some_colours(&system, 1);
        let mut start = Start::of(&system);
        list(h, &system, &colours, &start.scale)?;
        let dynamics = DynamicsParams { momentum: 0.85, momentum_first: 4, ..Default::default() };
        h.uniform("dynamics", &dynamics)?;
        let mut words: Control = h.read_one("control")?;
        words.iteration = iteration;
        h.fill("control", &[words])?;
        start.fill(h)?;
        for colour in 1..=colours.iter().copied().max().unwrap_or(1) {
            t.case(format!("{}, colour {colour}, momentum {momentum}", system.name));
            sweep(h, &system, colour)?;
            let now = Start { impulse: h.read("contact_impulse")?, push: h.read("body_push")?, scale: start.scale };
            start.scale = now.scale.clone();
            compare_sweep(t, &system, [&start, &now], momentum.into(), |c| colours[c] == colour);
            start = now;
        }
    }
    Ok(())
}

/// What the sweep over some contacts has made of them and of their bodies; all else is as it was.
fn compare_sweep(t: &mut Tally, system: &System, [before, now]: [&Start; 2], beta: f64, swept: impl Fn(usize) -> bool) {
    let mut pushed: Vec<(usize, [DVec3; 2], f64)> = vec![];
    let (mut impulse, mut push) = (before.impulse.clone(), before.push.clone());
    for c in (0..system.contacts.len()).filter(|c| swept(*c)) {
        compare_relaxed(t, system, before, c, beta, now.impulse[c]);
        impulse[c] = now.impulse[c];
        let (contact, change) = (&system.contacts[c], impulse_of(&now.impulse[c]) - guess_of(&before.impulse[c]));
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let (body, root) = (contact.bodies[side], system.root(contact.bodies[side]));
            if body < system.bodies {
                let torque = contact.arm(side).cross(sign * change);
                let size = (impulse_of(&before.impulse[c]).length() + guess_of(&before.impulse[c]).length()).max(1e-6);
                pushed.push((body, [sign * system.inverse_mass(body) * change, root * (root * torque)], size));
                push[body] = now.push[body];
            }
        }
    }
    for (body, parts, size) in pushed {
        let [was, is] = [before, now].map(|s| [s.push[body].velocity, s.push[body].spin].map(in_f64));
        for ((was, is), part) in was.into_iter().zip(is).zip(parts) {
            let size = was.length() + part.length() + system.inverse_mass(body) * size;
            t.off("push of body", body, (is - was - part).length() / size);
        }
    }
    t.equal("impulse", &now.impulse, &impulse);
    t.equal("push", &now.push, &push);
}

/// Sweeps that solve any of these, and by far.
const SWEEPS: u32 = 1200;
const TOLERANCE: f64 = 1e-3;

/// A system that sweeps meet, with step lengths and lists on the device, at rest; the colours of its contacts.
fn solvable(h: &mut Harness, t: &mut Tally, (side, general, friction): Pile) -> Result<(System, Vec<u32>)> {
    let mut system = System::lattice(side, general, 0.0);
    system.contacts.iter_mut().for_each(|c| c.frame.friction = friction);
    t.case(format!("{}, friction {friction}", system.name));
    let (count, colours) = (system.contacts.len(), some_colours(&system, 1));
    system.fill(h)?;
    h.fill("contact_scale", &vec![ContactScale::default(); count + SPARE])?;
    h.run("scale_sweeps", system.groups())?;
    let scale: Vec<ContactScale> = h.read("contact_scale")?;
    list(h, &system, &colours, &scale)?;
    at_rest(h, &system)?;
    Ok((system, colours))
}

fn number_of(colours: &[u32]) -> u32 {
    colours.iter().copied().max().unwrap_or(1)
}

fn at_rest(h: &mut Harness, system: &System) -> Result<()> {
    h.fill("contact_impulse", &vec![ContactImpulse::default(); system.contacts.len()])?;
    h.fill("body_push", &vec![BodyPush::default(); system.inertia.len()])
}

/// Bodies along a side of a lattice, whether inertia is any, friction.
type Pile = (usize, bool, f32);

/// Each is solved in two thirds of the sweeps or fewer. With friction of 0.8 the 64 spheres are not: the residual wanders about
/// 1e-3, and which sweep is the first below it is up to rounding.
const PILES: [Pile; 6] =
    [(2, false, 0.3), (4, false, 0.3), (4, false, 0.6), (4, true, 0.8), (5, false, 0.0), (7, false, 0.5)];

/// One whose colours have more contacts than a workgroup has invocations.
const WIDE: Pile = (12, false, 0.3);

/// The iterations of the solver that runs have.
fn dynamics() -> DynamicsParams {
    let Momentum { first, iterations } = Momentum::GAUSS_SEIDEL;
    DynamicsParams { momentum: first as f32, momentum_first: iterations, look_every: LOOK, ..Default::default() }
}

/// An iteration by dispatches: velocities by the guesses, then colour by colour.
fn iterate(h: &mut Harness, system: &System, colours: u32) -> Result<()> {
    h.run_block(&push_by_guesses(system).into())?;
    (1..=colours).try_for_each(|k| sweep(h, system, k))
}

fn solve(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for pile in PILES {
        let (system, colours) = solvable(h, t, pile)?;
        let colours = number_of(&colours);
        h.uniform("dynamics", &dynamics())?;
        let mut words: Control = h.read_one("control")?;
        let mut left = f64::INFINITY;
        for k in (0..SWEEPS).step_by(20) {
            words.iteration = k;
            h.fill("control", &[words])?;
            (0..20).try_for_each(|_| iterate(h, &system, colours))?;
            let impulse: Vec<DVec3> = h.read("contact_impulse")?.iter().map(impulse_of).collect();
            left = left.min(system.residual(&impulse));
            if left < TOLERANCE {
                break;
            }
        }
        t.hold(if left < TOLERANCE { Ok(()) } else { Err(format!("residual {left:e} after {SWEEPS} sweeps")) });
    }
    Ok(())
}

/// Iterations between two looks at the residual.
const LOOK: u32 = 4;

/// One workgroup and dispatches make the same of a few iterations.
fn solve_alike(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for pile in PILES.into_iter().chain([WIDE]) {
        let (system, colours) = solvable(h, t, pile)?;
        let of_first = colours.iter().filter(|c| **c == 1).count();
        t.hold(if pile != WIDE || of_first > 512 { Ok(()) } else { Err(format!("{of_first} of the first colour")) });
        h.uniform("dynamics", &dynamics())?;
        (0..LOOK).try_for_each(|_| iterate(h, &system, number_of(&colours)))?;
        let wanted: Vec<ContactImpulse> = h.read("contact_impulse")?;
        at_rest(h, &system)?;
        h.uniform("dynamics", &DynamicsParams { iterations_max: LOOK, ..dynamics() })?;
        let begun: Control = h.read_one("control")?;
        h.run("solve_contacts", 1)?;
        let got: Vec<ContactImpulse> = h.read("contact_impulse")?;
        let size = wanted.iter().map(|p| impulse_of(p).length()).fold(0.0, f64::max);
        for (c, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            t.off("impulse of contact", c, impulse_of(got).distance(impulse_of(wanted)) / size);
            t.off("guess of contact", c, guess_of(got).distance(guess_of(wanted)) / size);
        }
        let words: Control = h.read_one("control")?;
        t.equal("iterations", &[words.iteration, words.solver, words.budget_hits], &[LOOK, SOLVER_DONE, 1]);
        // The order within a colour is chance, and runs repeat.
        let mut list: Vec<ColourEntry> = h.read("colour_list")?;
        for (first, size) in words.colour_first.into_iter().zip(words.colour_size) {
            list[first as usize..][..size as usize].reverse();
        }
        h.fill("colour_list", &list)?;
        h.fill("control", &[begun])?;
        at_rest(h, &system)?;
        h.run("solve_contacts", 1)?;
        t.equal("impulses in another order", &h.read::<ContactImpulse>("contact_impulse")?, &got);
        t.equal("control in another order", &[h.read_one::<Control>("control")?], &[words]);
    }
    Ok(())
}

/// Dispatches of one workgroup until the step is solved.
fn solve_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for pile in PILES {
        let (system, _) = solvable(h, t, pile)?;
        h.uniform("dynamics", &DynamicsParams { tolerance: TOLERANCE as f32, iterations_max: SWEEPS, ..dynamics() })?;
        let mut words: Control = h.read_one("control")?;
        let mut taken = 0;
        while words.solver == SOLVER_ITERATES && taken < SWEEPS {
            h.run("solve_contacts", 1)?;
            words = h.read_one("control")?;
            let impulse: Vec<DVec3> = h.read("contact_impulse")?.iter().map(impulse_of).collect();
            let (got, exact) = (f64::from(f32::from_bits(words.residual)), system.residual(&impulse));
            t.off("residual after iteration", words.iteration as usize, (got / exact - 1.0).abs());
            taken += LOOK * GROUP_LOOKS;
            let due = words.iteration == taken
                || (words.solver == SOLVER_DONE && words.iteration + LOOK * GROUP_LOOKS > taken);
            t.hold(if due { Ok(()) } else { Err(format!("{} iterations in {taken}", words.iteration)) });
        }
        let solved = Control { solver: SOLVER_DONE, solved_steps: 1, solved_iterations: words.iteration, ..words };
        t.equal("control", &[words], &[Control { budget_hits: 0, fault_body: 0, ..solved }]);
    }
    Ok(())
}
