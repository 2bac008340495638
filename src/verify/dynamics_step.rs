//! What opens and closes a step of contact dynamics: free velocities, the drift, what is shown, what contacts dissipate.

use super::cloud::{Cloud, cases, random, uniform, vector};
use super::dynamics_solve::impulse_of;
use super::dynamics_system::{SPARE, System, systems};
use super::harness::{Harness, filled};
use super::step::{ROUNDING, drifted, field, fixed};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::DISPLACEMENT_BITS;
use crate::gpu::constants::{SOLVER_DONE, SOLVER_WAITS};
use crate::gpu::elements::body::{BodyPush, BodyState, BodyView, Field};
use crate::gpu::elements::contact::ContactImpulse;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::Dissipation;
use crate::gpu::layout::{BodyWords, DynamicsParams, Params, control};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_step",
    compares: "Free velocities, the drift, the positions that are shown, and the energy that contacts dissipate, against the host.",
    bounds: "Positions are integers; energies are about 20 operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["kick_bodies"], "held gravity in fixed point", kick_held),
    Check::exact(&["move_bodies"], "impulses, drift, windows, requests, faults in fixed point", move_bodies),
    Check::exact(&["show_bodies"], "positions at the instant of the velocities", show_bodies),
    Check {
        passes: &["dissipate_contacts"],
        what: "energy by candidate, normal and sliding, and all of it",
        unit: "of impulse times speeds",
        bound: 2e-6,
        reason: "about 20 products and sums at 6e-8",
        compare: dissipate_contacts,
    },
];

/// Bodies in motion, at all the positions of the cases, and of numbers around a workgroup's.
fn clouds() -> Vec<Cloud> {
    let mut list: Vec<_> = cases().into_iter().map(|c| c.moving(1e-3, 8)).collect();
    list.extend([63, 64, 65].map(|n| uniform(&format!("{n} bodies"), n, 3.0, (0.1, 0.4), 9).moving(3e-3, 9)));
    list.into_iter().map(turning).collect()
}

/// A multiple of 2^-20, so that sums are exact.
fn short(random: &mut rand_pcg::Pcg64Mcg) -> f32 {
    random.random_range(-1_000_000..1_000_000) as f32 / 1_048_576.0
}

/// Gives the bodies spins and many materials.
pub(super) fn turning(mut cloud: Cloud) -> Cloud {
    let mut random = random(cloud.len() as u64);
    for (k, body) in cloud.bodies.iter_mut().enumerate() {
        (body.spin, body.material) = ([0; 3].map(|_: i32| fixed(short(&mut random).into())), k as u32 % 5);
    }
    cloud
}

pub(super) fn groups(cloud: &Cloud) -> u32 {
    (cloud.len() + SPARE).div_ceil(64) as u32
}

/// Contents of `body_state` with spare rows behind.
pub(super) fn states(bodies: &[BodyWords]) -> Vec<BodyState> {
    bodies.iter().map(BodyWords::state).chain([filled(3); SPARE]).collect()
}

/// Runs `kick_bodies`: `body_state` after it.
fn kicked(h: &mut Harness, cloud: &Cloud, gravity: &[Field], all: [f32; 3]) -> Result<Vec<BodyState>> {
    h.uniform("params", &Params { uniform_gravity: all.into(), ..cloud.params() })?;
    h.fill("body_gravity", &[gravity, &[Field { acceleration: [1.0; 3], potential: 1.0 }; SPARE]].concat())?;
    h.fill("body_state", &states(&cloud.bodies))?;
    h.run("kick_bodies", groups(cloud))?;
    h.read("body_state")
}

fn kick_held(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in clouds() {
        t.case(&cloud.name);
        let (held, all) = (field(cloud.len()), [1e-6, -3e-6, 2e-7]);
        let mut after = cloud.bodies.clone();
        for (body, a) in after.iter_mut().zip(&held) {
            // one sum in f32, which every device rounds alike
            body.velocity = [0, 1, 2].map(|k| body.velocity[k] + fixed((a.acceleration[k] + all[k]).into()));
        }
        t.equal("state", &kicked(h, &cloud, &held, all)?, &states(&after));
    }
    Ok(())
}

/// What the end of a step must leave.
pub(super) struct Next {
    pub state: Vec<BodyState>,
    view: Vec<BodyView>,
    pub words: Control,
}

pub(super) fn next(cloud: &Cloud, push: &[BodyPush], d: &DynamicsParams, mut words: Control) -> Next {
    let (mut state, views) = (states(&cloud.bodies), cloud.view());
    let mut view = views.clone();
    (words.step, words.solver) = (words.step + 1, SOLVER_WAITS);
    for (b, body) in cloud.bodies.iter().enumerate() {
        let (dv, dw) = (push[b].velocity, push[b].spin);
        let mut moved = *body;
        if finite(&push[b]) {
            moved.velocity = [0, 1, 2].map(|k| body.velocity[k] + fixed(dv[k].into()));
            moved.position = [0, 1, 2].map(|k| body.position[k] + drifted(moved.velocity[k], words.rounding));
            moved.spin = [0, 1, 2].map(|k| body.spin[k] + fixed(dw[k].into()));
            let BodyView { anchor, clump_or_room, .. } = view[b];
            state[b] = moved.state();
            view[b] = BodyView { anchor, clump_or_room, ..moved.view() };
        }
        watch(&mut words, b, &moved, &push[b], &views[b], d, cloud.params().motion_max);
    }
    Next { state, view, words }
}

fn finite(push: &BodyPush) -> bool {
    push.velocity.iter().chain(&push.spin).all(|x| x.is_finite())
}

/// What the end of a step tells of body `b`, which is now as it is here, and which a push without a number has left alone.
pub(super) fn watch(
    words: &mut Control,
    b: usize,
    now: &BodyWords,
    push: &BodyPush,
    before: &BodyView,
    d: &DynamicsParams,
    motion_max: f32,
) {
    let mut faults = control::NON_FINITE.0;
    if finite(push) {
        let way = |from: &[u32; 3]| super::laws::windows(&now.view().position, from, 30).length();
        let (strayed, step) = (way(&before.anchor), way(&before.position));
        words.request |= u32::from(strayed > (f64::from(d.anchor_max) - step).max(0.0));
        let too_fast = |v: &i64| fixed_point::value(*v, DISPLACEMENT_BITS).abs() > motion_max.into();
        faults = if now.velocity.iter().any(too_fast) { control::OVERSPEED.0 } else { 0 };
        let turns = now.seen_spin().abs().max(in_f64(push.spin).abs()).length() > std::f64::consts::PI;
        faults |= if turns { control::TURN.0 } else { 0 };
        let outside = |x: &i64| !(-(1 << 29)..=1 << 29).contains(&(x >> 32));
        faults |= if now.position.iter().any(outside) { control::RANGE.0 } else { 0 };
    }
    words.fault_body |= faults;
    if faults != 0 {
        words.fault_index = words.fault_index.min(b as u32);
    }
}

/// Kicks over the whole range of exponents, of spins multiples of 2^-20.
pub(super) fn pushes(cloud: &Cloud) -> Vec<BodyPush> {
    let mut random = random(5);
    let mut one = |kick: Field| {
        let spin = [short(&mut random), short(&mut random), short(&mut random)];
        BodyPush { velocity: kick.acceleration, along: kick.potential, spin, pad0: 0 }
    };
    field(cloud.len()).into_iter().map(&mut one).collect()
}

/// A velocity and a spin as an element of `body_push`.
pub(super) fn push_of([velocity, spin]: &[DVec3; 2]) -> BodyPush {
    let [velocity, spin] = [velocity, spin].map(|v| v.as_vec3().to_array());
    BodyPush { velocity, spin, ..BodyPush::default() }
}

/// Bodies and pushes that break one rule each, along one axis.
pub(super) fn wild() -> Vec<(Cloud, Vec<BodyPush>)> {
    let mut list = vec![];
    for axis in 0..3 {
        for rule in [
            "out of range",
            "out of range below",
            "too fast",
            "turns too far",
            "not finite",
            "turns not finite",
            "beyond the anchor",
        ] {
            let mut cloud = turning(uniform(&format!("{rule}, axis {axis}"), 200, 3.0, (0.1, 0.4), 10).moving(1e-3, 4));
            let mut push = pushes(&cloud);
            let body = &mut cloud.bodies[130];
            match rule {
                "out of range" => body.position[axis] = (1 << 61) + (1 << 40),
                "out of range below" => body.position[axis] = -(1 << 61) - (1 << 40),
                "too fast" => body.velocity[axis] = -fixed(0.01),
                "turns too far" => body.spin[axis] = fixed(3.2),
                "not finite" => push[130].velocity[axis] = f32::NAN,
                "turns not finite" => push[130].spin[axis] = f32::NEG_INFINITY,
                _ => push[130].velocity[axis] = 0.021,
            }
            list.push((cloud, push));
        }
    }
    list
}

/// Runs a pass that ends a step; the control words that it started with.
pub(super) fn run_move(
    h: &mut Harness,
    pass: &'static str,
    cloud: &Cloud,
    push: &[BodyPush],
    dynamics: &DynamicsParams,
) -> Result<Control> {
    let words =
        Control { step: 12, solver: SOLVER_DONE, rounding: ROUNDING, fault_index: u32::MAX, ..Control::default() };
    h.uniform("params", &cloud.params())?;
    h.uniform("dynamics", dynamics)?;
    h.fill("control", &[words])?;
    h.fill("body_push", push)?;
    h.fill("body_state", &states(&cloud.bodies))?;
    h.fill("body_view", &cloud.view())?;
    h.run(pass, groups(cloud))?;
    Ok(words)
}

fn move_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let dynamics = DynamicsParams { anchor_max: 0.02, ..DynamicsParams::default() };
    let still = clouds().into_iter().map(|cloud| (cloud.clone(), pushes(&cloud)));
    for (cloud, push) in still.chain(wild()) {
        t.case(&cloud.name);
        let words = run_move(h, "move_bodies", &cloud, &push, &dynamics)?;
        let wanted = next(&cloud, &push, &dynamics, words);
        t.equal("state", &h.read::<BodyState>("body_state")?, &wanted.state);
        t.equal("view", &h.read::<BodyView>("body_view")?, &wanted.view);
        t.equal("control", &h.read::<Control>("control")?, &[wanted.words]);
    }
    Ok(())
}

fn show_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for earlier in [0, 1 << 29, 1 << 30, 322_122_547] {
        for cloud in clouds() {
            t.case(format!("{}, {earlier} of 2^30 of a step earlier", cloud.name));
            h.uniform("params", &cloud.params())?;
            h.uniform("dynamics", &DynamicsParams { earlier, ..DynamicsParams::default() })?;
            h.fill("body_state", &states(&cloud.bodies))?;
            h.fill("body_shown", &vec![filled::<BodyState>(6); cloud.len() + 1])?;
            h.run("show_bodies", groups(&cloud))?;
            let shown = |body: &BodyWords| {
                let back = body.velocity.map(|v| (i128::from(v) * i128::from(earlier) / (1 << 30)) as i64);
                let position = [0, 1, 2].map(|k| body.position[k] + (((1 << 19) - back[k]) >> 20));
                BodyWords { position, ..*body }.state()
            };
            let wanted: Vec<_> = cloud.bodies.iter().map(shown).chain([filled(6)]).collect();
            t.equal("state", &h.read::<BodyState>("body_shown")?, &wanted);
        }
    }
    Ok(())
}

/// First contact of every candidate, of 0 to 4 contacts each, then of candidates that are none.
fn candidates(system: &System) -> Vec<u32> {
    let count = system.contacts.len() as u32;
    let mut offset = vec![0];
    for k in 0.. {
        let last = offset[offset.len() - 1];
        if last == count && k > 9 {
            break;
        }
        offset.push((last + k % 5).min(count));
    }
    offset
}

/// Runs `dissipate_contacts` on what was lost `before`: losses of all candidates, the first half of them pairs.
fn dissipated(
    h: &mut Harness,
    system: &System,
    offset: &[u32],
    impulse: &[ContactImpulse],
    before: [f32; 4],
) -> Result<Vec<[f32; 4]>> {
    let motion = system.pushed(&impulse.iter().map(impulse_of).collect::<Vec<_>>());
    let push: Vec<_> = motion.iter().map(push_of).collect();
    let (count, pairs) = (offset.len() - 1, offset.len() / 2);
    // behind the candidates: contacts that nobody has
    let spare: Vec<u32> = (0..SPARE as u32).map(|k| offset[count] + k).collect();
    system.fill(h)?;
    h.uniform("params", &Params { pair_capacity: pairs as u32, ..system.params() })?;
    h.uniform("dynamics", &DynamicsParams { candidate_count: count as u32, ..DynamicsParams::default() })?;
    h.fill("contact_offset", &[offset, &spare].concat())?;
    h.fill("contact_impulse", &[impulse, &[ContactImpulse::of([1.0; 3]); SPARE]].concat())?;
    h.fill("body_push", &push)?;
    let before = Dissipation { energy: before };
    h.fill("pair_dissipated", &vec![before; pairs])?;
    h.fill("wall_dissipated", &vec![before; count - pairs + SPARE])?;
    h.run("dissipate_contacts", (count + SPARE).div_ceil(64) as u32)?;
    let all = [h.read::<Dissipation>("pair_dissipated")?, h.read("wall_dissipated")?].concat();
    Ok(all.iter().map(|slot| slot.energy).collect())
}

fn impulses(system: &System) -> Vec<ContactImpulse> {
    let mut random = random(11);
    let mut one = || ContactImpulse::of((0.01 * vector(&mut random)).as_vec3().to_array());
    system.contacts.iter().map(|_| one()).collect()
}

/// Energy that a contact takes, normal and sliding, and the size of its terms.
fn loss(system: &System, c: usize, p: DVec3, motion: &[[DVec3; 2]]) -> ([f64; 2], f64) {
    let contact = &system.contacts[c];
    let (normal, was) = (contact.normal(), in_f64(contact.frame.before));
    let free = contact.free() - f64::from(contact.frame.sides[1].extra) * normal;
    let pushed = system.relative(c, motion);
    let mean = 0.5 * (was + free + pushed);
    let along = p.dot(normal) * normal.dot(mean);
    ([-along, along - p.dot(mean)], p.length() * (was.length() + free.length() + pushed.length()))
}

fn dissipate_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let before = [3e-6f32, -2e-6, 5.0, 7.0];
    for system in systems() {
        t.case(&system.name);
        let (given, offset) = (impulses(&system), candidates(&system));
        let push: Vec<_> = given.iter().map(impulse_of).collect();
        let motion = system.pushed(&push);
        let lost = dissipated(h, &system, &offset, &given, before)?;
        for (k, run) in offset.windows(2).enumerate() {
            let of: Vec<_> = (run[0]..run[1]).map(|c| loss(&system, c as usize, push[c as usize], &motion)).collect();
            let size = of.iter().map(|l| l.1).sum::<f64>() + 5e-6;
            for part in [0, 1] {
                let truth: f64 = of.iter().map(|l| l.0[part]).sum();
                let got = f64::from(lost[k][part]) - f64::from(before[part]);
                t.off("loss of candidate", k, (got - truth).abs() / size);
            }
            t.equal("turning losses", &lost[k][2..], &before[2..]);
        }
        t.equal("losses of others", &lost[offset.len() - 1..], &[before; SPARE]);
    }
    all_energy(h, t)
}

/// Where nothing else acts in the step, contacts take what the bodies lose.
fn all_energy(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in [System::lattice(4, true, 0.0), System::lattice(7, false, 0.0)] {
        t.case(format!("energy of {}", system.name));
        let given = impulses(&system);
        let lost = dissipated(h, &system, &candidates(&system), &given, [0.0; 4])?;
        let motion = system.pushed(&given.iter().map(impulse_of).collect::<Vec<_>>());
        let still = vec![[DVec3::ZERO; 2]; motion.len()];
        let sum: f64 = lost.iter().flatten().map(|x| f64::from(*x)).sum();
        let size: f64 = lost.iter().flatten().map(|x| f64::from(x.abs())).sum();
        t.off("energy", 0, (sum - system.energy(&still) + system.energy(&motion)).abs() / size);
    }
    Ok(())
}
