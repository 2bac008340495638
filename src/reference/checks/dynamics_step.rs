//! What opens and closes a step of contact dynamics: free velocities, the drift, what is shown, what contacts dissipate.

use super::cloud::{Cloud, cases, random, uniform, vector};
use super::dynamics_system::{SPARE, System, systems};
use super::laws::vec3;
use super::step::{field, fixed};
use super::{Check, Tally};
use crate::error::Result;
use crate::reference::harness::Harness;
use crate::solver::layout::{BodyWords, DynamicsParams, Params, control};
use crate::units::{DISPLACEMENT_BITS, POSITION_BITS};
use glam::DVec3;
use rand::RngExt;

/// The checks of this family.
pub const CHECKS: &[Check] = &[
    Check::exact(&["kick_bodies"], "held gravity in fixed point", kick_held),
    Check {
        passes: &["kick_bodies"],
        what: "kick by fields in a turning frame",
        unit: "of the sum of the terms' sizes",
        bound: 2e-6,
        reason: "some 20 products and sums at 6e-8, one division",
        compare: kick_turning,
    },
    Check::exact(&["move_bodies"], "impulses, drift, windows, requests, faults in fixed point", move_bodies),
    Check::exact(&["show_bodies"], "positions at the instant of the velocities", show_bodies),
    Check {
        passes: &["dissipate_contacts"],
        what: "energy by contact, normal and sliding, and all of it",
        unit: "of impulse times speeds",
        bound: 2e-6,
        reason: "some 20 products and sums at 6e-8",
        compare: dissipate_contacts,
    },
];

/// Bodies in motion, at all the places of the cases, and of numbers around a workgroup's.
fn clouds() -> Vec<Cloud> {
    let mut list: Vec<_> = cases().into_iter().map(|c| c.moving(1e-3, 8)).collect();
    list.extend([63, 64, 65].map(|n| uniform(&format!("{n} bodies"), n, 3.0, (0.1, 0.4), 9).moving(3e-3, 9)));
    list
}

fn groups(cloud: &Cloud) -> u32 {
    (cloud.len() + SPARE).div_ceil(64) as u32
}

/// Contents of `body_state` with spare rows behind.
fn states(bodies: &[BodyWords]) -> Vec<[u32; 16]> {
    bodies.iter().map(BodyWords::state).chain([[3; 16]; SPARE]).collect()
}

/// Runs `kick_bodies`: `body_state` after it.
fn kicked(
    h: &mut Harness,
    cloud: &Cloud,
    gravity: &[[f32; 4]],
    all: [f32; 3],
    turn: [f32; 3],
) -> Result<Vec<[u32; 16]>> {
    h.uniform("params", &[Params { uniform_gravity: all, ..cloud.params() }])?;
    h.uniform("dynamics", &[DynamicsParams { rotation: turn, ..DynamicsParams::default() }])?;
    h.fill("body_gravity", gravity)?;
    h.fill("body_state", &states(&cloud.bodies))?;
    h.run("kick_bodies", groups(cloud))?;
    h.read("body_state")
}

fn kick_held(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in clouds() {
        t.case(&cloud.name);
        let held = field(cloud.len());
        let mut after = cloud.bodies.clone();
        for (body, a) in after.iter_mut().zip(&held) {
            body.velocity = [0, 1, 2].map(|k| body.velocity[k] + fixed(a[k].into()));
        }
        t.equal("state", &kicked(h, &cloud, &held, [0.0; 3], [0.0; 3])?, &states(&after));
    }
    Ok(())
}

fn scaled(words: [i64; 3], bits: i32) -> DVec3 {
    DVec3::from_array(words.map(|x| x as f64)) * (-f64::from(bits)).exp2()
}

/// Velocity in rows of `body_state` (2^-58 L).
fn velocity(state: &[u32; 16]) -> [i64; 3] {
    [6, 8, 10].map(|k| i64::from(state[k + 1] as i32) << 32 | i64::from(state[k]))
}

/// The kick d must be the forces at the mean velocity v + d/2: held field, centrifugal, Coriolis.
fn kick_turning(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (k, turn) in [[0.0f32; 3], [0.0, 0.0, 2e-3], [0.03, -0.5, 0.2]].into_iter().enumerate() {
        let w = DVec3::from_array(turn.map(f64::from));
        for cloud in clouds().iter().filter(|c| c.name != "far-flung") {
            t.case(format!("{}, turning {turn:?}", cloud.name));
            let (mut random, all) = (random(k as u64), [1e-6, -3e-6, 2e-7]);
            let mut one = || (1e-5 * vector(&mut random)).extend(1.0).as_vec4().to_array();
            let held: Vec<_> = cloud.bodies.iter().map(|_| one()).collect();
            let after = kicked(h, cloud, &held, all, turn)?;
            for (b, body) in cloud.bodies.iter().enumerate() {
                let moved = velocity(&after[b]);
                let d = scaled([0, 1, 2].map(|k| moved[k] - body.velocity[k]), DISPLACEMENT_BITS);
                let (x, v) = (scaled(body.position, POSITION_BITS), scaled(body.velocity, DISPLACEMENT_BITS));
                let fields = vec3(&held[b]) + DVec3::from_array(all.map(f64::from));
                let truth = fields - w.cross(w.cross(x)) - 2.0 * w.cross(v + 0.5 * d);
                let size = vec3(&held[b]).length() + w.length() * (w.length() * x.length() + 2.0 * v.length()) + 4e-6;
                // A displacement holds 16 L; a run ends at far less.
                t.off("kick of body", b, if size < 8.0 { d.distance(truth) / size } else { 0.0 });
            }
        }
    }
    Ok(())
}

/// What the end of a step must leave.
struct Next {
    state: Vec<[u32; 16]>,
    view: Vec<[[u32; 4]; 4]>,
    words: [u32; control::WORDS],
}

fn next(cloud: &Cloud, push: &[[f32; 4]], d: &DynamicsParams, mut words: [u32; control::WORDS]) -> Next {
    let (mut state, mut view, motion_max) = (states(&cloud.bodies), cloud.view(), cloud.params().motion_max);
    (words[control::STEP], words[control::SOLVER]) = (words[control::STEP] + 1, 0);
    for (b, body) in cloud.bodies.iter().enumerate() {
        let (dv, dw) = (push[2 * b], push[2 * b + 1]);
        let mut faults = 0;
        if [&dv[..3], &dw[..3]].concat().iter().all(|x| x.is_finite()) {
            let mut moved = *body;
            moved.velocity = [0, 1, 2].map(|k| body.velocity[k] + fixed(dv[k].into()));
            moved.position = [0, 1, 2].map(|k| body.position[k] + ((moved.velocity[k] + (1 << 19)) >> 20));
            moved.spin = [0, 1, 2].map(|k| body.spin[k] + dw[k]);
            let anchor = view[b][3];
            (state[b], view[b]) = (moved.state(), moved.view());
            view[b][3] = anchor;
            let far = super::laws::windows(&view[b][0], &anchor, 30).length() > d.anchor_max.into();
            words[control::REQUEST] |= u32::from(far);
            let too_fast = |v: &i64| v.unsigned_abs() as f64 * (-58f64).exp2() > motion_max.into();
            faults |= if moved.velocity.iter().any(too_fast) { control::OVERSPEED.0 } else { 0 };
            let outside = |x: &i64| !(-(1 << 29)..=1 << 29).contains(&(x >> 32));
            faults |= if moved.position.iter().any(outside) { control::RANGE.0 } else { 0 };
        } else {
            faults = control::NON_FINITE.0;
        }
        words[control::FAULT_BODY] |= faults;
        if faults != 0 {
            words[control::FAULT_INDEX] = words[control::FAULT_INDEX].min(b as u32);
        }
    }
    Next { state, view, words }
}

/// Kicks over the whole range of exponents; spins and their kicks are multiples of 2^-20, so that their sums are exact.
fn pushes(cloud: &mut Cloud, seed: u64) -> Vec<[f32; 4]> {
    let (mut random, kicks) = (random(seed), field(cloud.len()));
    let mut exact = || [0; 3].map(|_: i32| random.random_range(-1_000_000..1_000_000) as f32 / 1_048_576.0);
    cloud.bodies.iter_mut().for_each(|b| b.spin = exact());
    let spin = |[x, y, z]: [f32; 3]| [x, y, z, 5.0];
    kicks.into_iter().flat_map(|kick| [kick, spin(exact())]).collect()
}

fn move_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut list = clouds();
    for (k, name) in
        ["out of range", "too fast", "not finite", "turns not finite", "beyond the anchor"].into_iter().enumerate()
    {
        let mut cloud = uniform(name, 200, 3.0, (0.1, 0.4), 10).moving(1e-3, 4);
        match k {
            0 => cloud.bodies[131].position[2] = -(1 << 61) - (1 << 40),
            1 => cloud.bodies[130].velocity[1] = -fixed(0.01),
            _ => {}
        }
        list.push(cloud);
    }
    let dynamics = DynamicsParams { anchor_max: 0.02, ..DynamicsParams::default() };
    for mut cloud in list {
        t.case(&cloud.name);
        let mut push = pushes(&mut cloud, 5);
        let view = cloud.view();
        match cloud.name.as_str() {
            "not finite" => (push[2 * 140][0], push[2 * 77][2]) = (f32::INFINITY, f32::NAN),
            "turns not finite" => push[2 * 140 + 1][1] = f32::NEG_INFINITY,
            "beyond the anchor" => push[2 * 7] = [0.021, 0.0, 0.0, 0.0],
            _ => {}
        }
        let mut words = [0; control::WORDS];
        (words[control::STEP], words[control::SOLVER], words[control::FAULT_INDEX]) = (12, 3, u32::MAX);
        h.uniform("params", &[cloud.params()])?;
        h.uniform("dynamics", &[dynamics])?;
        h.fill("control", &words)?;
        h.fill("body_push", &push)?;
        h.fill("body_state", &states(&cloud.bodies))?;
        h.fill("body_view", &view)?;
        h.run("move_bodies", groups(&cloud))?;
        let wanted = next(&cloud, &push, &dynamics, words);
        t.equal("state", &h.read::<[u32; 16]>("body_state")?, &wanted.state);
        t.equal("view", &h.read::<[[u32; 4]; 4]>("body_view")?, &wanted.view);
        t.equal("control", &h.read::<u32>("control")?, &wanted.words);
    }
    Ok(())
}

fn show_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for earlier in [0, 1 << 29, 1 << 30, 322_122_547] {
        for cloud in clouds() {
            t.case(format!("{}, {earlier} of 2^30 of a step earlier", cloud.name));
            h.uniform("params", &[cloud.params()])?;
            h.uniform("dynamics", &[DynamicsParams { earlier, ..DynamicsParams::default() }])?;
            h.fill("body_state", &states(&cloud.bodies))?;
            h.fill("body_shown", &vec![[6u32; 16]; cloud.len() + 1])?;
            h.run("show_bodies", groups(&cloud))?;
            let shown = |body: &BodyWords| {
                let back = body.velocity.map(|v| (i128::from(v) * i128::from(earlier) / (1 << 30)) as i64);
                let position = [0, 1, 2].map(|k| body.position[k] + (((1 << 19) - back[k]) >> 20));
                BodyWords { position, ..*body }.state()
            };
            let wanted: Vec<_> = cloud.bodies.iter().map(shown).chain([[6; 16]]).collect();
            t.equal("state", &h.read::<[u32; 16]>("body_shown")?, &wanted);
        }
    }
    Ok(())
}

/// Runs `dissipate_contacts` on what was lost `before`: losses of pairs, then of bodies on the floor.
fn dissipated(h: &mut Harness, system: &System, impulse: &[[f32; 4]], before: [f32; 4]) -> Result<Vec<[f32; 4]>> {
    let motion = system.pushed(&impulse.iter().map(vec3).collect::<Vec<_>>());
    let push: Vec<_> = motion.iter().flatten().map(|v| v.extend(0.0).as_vec4().to_array()).collect();
    system.fill(h)?;
    h.fill("contact_impulse", &[impulse, &[[1.0; 4]; SPARE]].concat())?;
    h.fill("body_push", &push)?;
    h.fill("pair_dissipated", &vec![before; system.pair_capacity()])?;
    h.fill("wall_dissipated", &vec![before; system.bodies])?;
    h.run("dissipate_contacts", system.groups())?;
    Ok([h.read::<[f32; 4]>("pair_dissipated")?, h.read("wall_dissipated")?].concat())
}

fn impulses(system: &System) -> Vec<[f32; 4]> {
    let mut random = random(11);
    system.contacts.iter().map(|_| (0.01 * vector(&mut random)).extend(1.0).as_vec4().to_array()).collect()
}

fn dissipate_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let before = [3e-6f32, -2e-6, 5.0, 7.0];
    for system in systems() {
        t.case(&system.name);
        let given = impulses(&system);
        let motion = system.pushed(&given.iter().map(vec3).collect::<Vec<_>>());
        let mut lost = dissipated(h, &system, &given, before)?;
        for (c, contact) in system.contacts.iter().enumerate() {
            let (normal, was, p) = (contact.normal(), vec3(&contact.rows[4]), vec3(&given[c]));
            let free = contact.free() - f64::from(contact.rows[2][3]) * normal;
            let pushed = system.relative(c, &motion);
            let mean = 0.5 * (was + free + pushed);
            let along = p.dot(normal) * normal.dot(mean);
            let row = std::mem::replace(&mut lost[system.candidate(c)], before);
            let size = p.length() * (was.length() + free.length() + pushed.length()) + 5e-6;
            for (k, truth) in [-along, along - p.dot(mean)].into_iter().enumerate() {
                t.off("loss of contact", c, (f64::from(row[k]) - f64::from(before[k]) - truth).abs() / size);
            }
            t.equal("turning losses", &row[2..], &before[2..]);
        }
        t.equal("losses of others", &lost, &vec![before; lost.len()]);
    }
    all_energy(h, t)
}

/// Where nothing else acts in the step, contacts take what the bodies lose.
fn all_energy(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in [System::lattice(4, true, 0.0), System::lattice(7, false, 0.0)] {
        t.case(format!("energy of {}", system.name));
        let given = impulses(&system);
        let lost = dissipated(h, &system, &given, [0.0; 4])?;
        let motion = system.pushed(&given.iter().map(vec3).collect::<Vec<_>>());
        let still = vec![[DVec3::ZERO; 2]; motion.len()];
        let sum: f64 = lost.iter().flatten().map(|x| f64::from(*x)).sum();
        let size: f64 = lost.iter().flatten().map(|x| f64::from(x.abs())).sum();
        t.off("energy", 0, (sum - system.energy(&still) + system.energy(&motion)).abs() / size);
    }
    Ok(())
}
