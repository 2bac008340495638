//! What a step of contact dynamics does next: gates, dispatches as long as there are contacts, and when it is solved.

use super::cloud::random;
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants::{
    OVERFLOW_CONTACTS, ROUNDING_STEP, SOLVER_COLOURS, SOLVER_DONE, SOLVER_FOUND, SOLVER_FOUND_AGAIN, SOLVER_ITERATES,
    SOLVER_WAITS,
};
use crate::gpu::elements::contact::Residual;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::work::{WorkArgs, WorkSlot};
use crate::gpu::layout::{DynamicsParams, Params, control};
use crate::gpu::pipeline::plan::Live;
use crate::gpu::pipeline::plan::{GATES, split_groups};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_gates",
    compares: "What a step of contact dynamics does next, and when its system counts as solved, against the host.",
    bounds: "Gates are integers; the residual is a sum in 64 parts, a division and a root.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["decide_dynamics"], "gates, dispatches over contacts, phases of a step", decide_dynamics),
    Check::exact(&["check_contacts"], "room wanted against room there", check_contacts),
    Check {
        passes: &["judge_residual"],
        what: "end of the iterations, counters, gates; residual",
        unit: "of the residual",
        bound: 1e-5,
        reason: "sums of up to 1,300 numbers in 64 parts at 6e-8 each, a division and a root",
        compare: judge_residual,
    },
];

/// Contacts at which their workgroups come to nothing, one, two, and more than one dimension holds.
const CONTACTS: [u32; 8] = [0, 1, 64, 65, 65_535 * 64, 65_535 * 64 + 1, 5_000_000, 63];

/// The bit of a gate.
pub fn gate(name: &str) -> u32 {
    GATES.iter().find(|g| g.0 == name).map_or(0, |g| g.1)
}

/// Iterations between two looks.
const LOOK: u32 = 8;
/// The colour whose contacts one dispatch goes over.
const COUNTED: u32 = 5;

/// A gated dispatch of these gates and workgroups; `counted`: as [`WorkSlot`] has it.
pub fn slot(gate: u32, groups_x: u32, groups_y: u32, counted: u32) -> WorkSlot {
    WorkSlot { gate, groups_x, groups_y, counted }
}

/// Gated dispatches: of every gate one of fixed size and one over contacts; of two gates; of none; over a colour's contacts.
fn slots() -> Vec<WorkSlot> {
    let over_contacts = Live::Contacts.code();
    let of_gate = |(_, gate): &(&str, u32)| [slot(*gate, 7, 3, 0), slot(*gate, 9, 9, over_contacts)];
    let mut slots: Vec<_> = GATES.iter().flat_map(of_gate).collect();
    slots.extend([
        slot(gate("rebuild") | gate("gravity"), 65_535, 2, 0),
        slot(0, 5, 5, 0),
        slot(0, 5, 5, Live::Contacts.code()),
    ]);
    slots.push(slot(gate("iterate"), 4, 4, Live::Colour(COUNTED).code()));
    slots
}

/// Behind the slots that the uniform counts: left alone.
const FORGOTTEN: WorkSlot = WorkSlot { gate: u32::MAX, groups_x: 1, groups_y: 1, counted: 0 };
/// Arguments that no pass has written.
pub const UNTOUCHED: WorkArgs = WorkArgs { x: 8, y: 8, z: 8 };

/// Fills slots and arguments.
pub fn fill_slots(h: &mut Harness) -> Result<Params> {
    let slots = slots();
    h.fill("work_slot", &[&slots[..], &[FORGOTTEN]].concat())?;
    h.fill("work_args", &vec![UNTOUCHED; slots.len() + 1])?;
    Ok(Params { gravity_every: 50, slot_count: slots.len() as u32, ..Params::default() })
}

/// Arguments that open gates, so many contacts, and so many of the colour must give.
pub fn arguments(open: u32, contacts: u32, coloured: u32) -> Result<Vec<WorkArgs>> {
    let mut wanted = vec![];
    for slot in slots() {
        let items = if slot.counted == Live::Colour(COUNTED).code() { coloured } else { contacts };
        let [x, y, z] = match (slot.gate & open, slot.counted) {
            (0, _) => [0; 3],
            (_, 0) => [slot.groups_x, slot.groups_y, 1],
            _ if items == 0 => [0; 3],
            _ => split_groups(items.div_ceil(64).into())?,
        };
        wanted.push(WorkArgs { x, y, z });
    }
    wanted.push(UNTOUCHED);
    Ok(wanted)
}

/// The words after a decision, and the gates that it opens; `colours`: sweeps are recorded.
fn decided(mut words: Control, colours: bool) -> (Control, u32) {
    if words.fault_body | words.fault_contact | words.overflow != 0 {
        return (words, 0);
    }
    let step = words.step;
    let open = match words.solver {
        SOLVER_WAITS if step >= words.step_target => 0,
        SOLVER_WAITS => {
            (words.near_count, words.listed_count) = (0, 0);
            words.rounding = step.wrapping_mul(ROUNDING_STEP);
            let work = gate(if words.request & 1 == 1 { "rebuild" } else { "detect" });
            let due = step >= words.gravity_next;
            words.gravity_next = if due { step + 50 } else { words.gravity_next };
            work | if due { gate("gravity") } else { 0 }
        }
        SOLVER_FOUND | SOLVER_FOUND_AGAIN => {
            let first = words.solver == SOLVER_FOUND;
            let solving = if colours { SOLVER_COLOURS } else { SOLVER_ITERATES };
            (words.solver, words.iteration) = (if words.contact_count > 0 { solving } else { SOLVER_DONE }, 0);
            words.residual = 0;
            words = Control { colour_round: 0, colour_done: 0, colour_left: 0, colour_short: 0, ..words };
            gate("solve") | if first { gate("kick") } else { 0 }
        }
        SOLVER_ITERATES => gate("iterate"),
        SOLVER_COLOURS => gate("colour"),
        _ => gate("close"),
    };
    (words, open)
}

fn decide_dynamics(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // Phase, what is wrong, target reached, request, when gravity is due: all of them; contacts in turn.
    for k in 0..6 * 4 * 2 * 3 * 3 * 2 {
        let (phase, wrong, reached, request) = (k % 6, k / 6 % 4, k / 24 % 2, [0, 1, 6][k / 48 % 3]);
        let (due, colours, contacts) = ([99, 100, u32::MAX][k / 144 % 3], k / 432 == 1, CONTACTS[k % 7]);
        t.case(format!(
            "phase {phase}, fault {wrong}, reached {reached}, request {request}, gravity due at {due} of 99, colours {colours}"
        ));
        let fault = |n: usize| if wrong == n { 2 } else { 0 };
        let mut words = Control {
            step: 99,
            step_target: 100 - reached as u32,
            fault_body: fault(1),
            fault_contact: fault(2),
            overflow: fault(3),
            request,
            gravity_next: due,
            solver: phase as u32,
            contact_count: contacts,
            iteration: 24,
            residual: 7,
            colour_round: 3,
            colour_done: 3,
            colour_left: 3,
            colour_short: 3,
            colour_wanted: 3,
            near_count: 3,
            listed_count: 3,
            ..Control::default()
        };
        words.colour_size[COUNTED as usize] = 129;
        let colour_capacity = if colours { 12 } else { 0 };
        h.uniform("dynamics", &DynamicsParams { colour_capacity, ..DynamicsParams::default() })?;
        let params = fill_slots(h)?;
        h.uniform("params", &params)?;
        h.fill("control", &[words])?;
        h.fill("gravity_extent", &[6u32; 4])?;
        h.run("decide_dynamics", 1)?;
        let (wanted, open) = decided(words, colours);
        let extent = if open & gate("gravity") != 0 { 0 } else { 6 };
        t.equal("control", &h.read::<Control>("control")?, &[wanted]);
        t.equal("argument", &h.read::<WorkArgs>("work_args")?, &arguments(open, contacts, 129)?);
        t.equal("extent", &h.read::<u32>("gravity_extent")?, &[extent, 6, 6, 6]);
    }
    Ok(())
}

fn check_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for wanted in [0, 1, 99, 100, 101, 5000] {
        for overflow in [0, 1, 2] {
            t.case(format!("{wanted} contacts, room for 100, overflow {overflow}"));
            let mut words = Control { overflow, contact_count: 55, ..Control::default() };
            h.uniform(
                "dynamics",
                &DynamicsParams { candidate_count: 3, contact_capacity: 100, ..DynamicsParams::default() },
            )?;
            h.fill("control", &[words])?;
            h.fill("contact_offset", &[0, 7, 8, wanted, 77])?;
            h.run("check_contacts", 1)?;
            words.contact_wanted = wanted;
            match (overflow, wanted > 100) {
                (0, true) => words.overflow = OVERFLOW_CONTACTS,
                (0, false) => (words.contact_count, words.solver) = (wanted, SOLVER_FOUND),
                _ => {}
            }
            t.equal("control", &h.read::<Control>("control")?, &[words]);
        }
    }
    Ok(())
}

/// Residual squared and size squared of a contact, rounds of iterations before: solved; not yet; out of its budget;
/// far out of it; below the floor of the velocity; solved in the last round.
const ENDINGS: [(f64, f64, u32); 6] =
    [(1e-10, 1e-4, 0), (1e-10, 1e-5, 0), (1e-10, 1e-5, 2), (1e-10, 1e-5, 9), (1e-13, 1e-12, 1), (1e-10, 1e-4, 2)];

const TOLERANCE: f32 = 2e-3;
const FLOOR: f32 = 1e-6;
const ROUNDS: u32 = 3;

fn judge_residual(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (k, contacts) in CONTACTS.into_iter().enumerate().filter(|c| c.1 > 0) {
        for ending in ENDINGS {
            judge(h, t, SOLVER_ITERATES, contacts, ending, k as u32 % 2)?;
        }
    }
    [SOLVER_WAITS, SOLVER_FOUND, SOLVER_DONE].into_iter().try_for_each(|phase| judge(h, t, phase, 65, ENDINGS[0], 0))
}

/// Words before: five steps are solved, one of them to 1.5e-3 in two rounds.
fn begun(phase: u32, contacts: u32, before: u32) -> Control {
    Control {
        solver: phase,
        contact_count: contacts,
        iteration: before,
        residual: 7,
        fault_body: 2,
        solved_steps: 5,
        solved_iterations: 300,
        iterations_worst: 2 * LOOK,
        residual_worst: 1.5e-3f32.to_bits(),
        ..Control::default()
    }
}

/// Counts a step that has ended.
fn count_step(words: &mut Control, converged: bool, stop: u32) {
    words.solver = SOLVER_DONE;
    words.solved_steps += 1;
    words.solved_iterations += words.iteration;
    words.iterations_worst = words.iterations_worst.max(words.iteration);
    words.residual_worst = words.residual_worst.max(words.residual);
    words.budget_hits += u32::from(!converged);
    words.fault_body |= if converged || stop == 0 { 0 } else { control::BUDGET.0 };
}

fn judge(
    h: &mut Harness,
    t: &mut Tally,
    phase: u32,
    contacts: u32,
    (off, size, rounds): (f64, f64, u32),
    stop: u32,
) -> Result<()> {
    t.case(format!("{contacts} contacts, phase {phase}, {off:e} of {size:e}, {rounds} rounds before, stop {stop}"));
    let (rows, mut random) = (contacts.div_ceil(64), random(u64::from(contacts)));
    let mut part = |x: f64| (random.random_range(0.8..1.2) * x * f64::from(contacts) / f64::from(rows)) as f32;
    let mut given: Vec<_> = (0..rows).map(|_| Residual { error: part(off), size: part(size) }).collect();
    let sum = |of: fn(&Residual) -> f32| given.iter().map(|row| f64::from(of(row))).sum::<f64>();
    let (off, size) = (sum(|r| r.error), sum(|r| r.size));
    given.extend([Residual { error: 1e9, size: 1e9 }; 70]); // of a step with more contacts
    let mut words = begun(phase, contacts, rounds * LOOK);
    let params = fill_slots(h)?;
    h.uniform("params", &params)?;
    let dynamics = DynamicsParams {
        tolerance: TOLERANCE,
        velocity_floor: FLOOR,
        iterations_max: ROUNDS * LOOK,
        stop_on_budget: stop,
        look_every: LOOK,
        ..DynamicsParams::default()
    };
    h.uniform("dynamics", &dynamics)?;
    h.fill("control", &[words])?;
    h.fill("residual_partial", &given)?;
    h.run("judge_residual", 1)?;
    let (got, open): (Control, Vec<WorkArgs>) = (h.read_one("control")?, h.read("work_args")?);
    if phase != 2 {
        t.equal("control", &[got], &[words]);
        t.equal("argument left alone", &open, &vec![UNTOUCHED; open.len()]);
        return Ok(());
    }
    let residual = (off / size).sqrt();
    t.off("residual", 0, (f64::from(f32::from_bits(got.residual)) / residual - 1.0).abs());
    let converged = residual < TOLERANCE.into() || off < f64::from(FLOOR).powi(2) * f64::from(contacts);
    (words.iteration, words.residual) = ((rounds + 1) * LOOK, got.residual);
    let ends = converged || rounds + 1 >= ROUNDS;
    if ends {
        count_step(&mut words, converged, stop);
    }
    t.equal("control", &[got], &[words]);
    let left_alone = vec![UNTOUCHED; open.len()];
    t.equal("argument", &open, &if ends { arguments(gate("close"), contacts, 0)? } else { left_alone });
    Ok(())
}
