//! A step in a turning frame: loads by body, the leapfrog of `physics::frame::step`, and what the asteroid gave, to the bit.

use super::cloud::{CODE, Cloud, cases, random, uniform, vector};
use super::harness::Harness;
use super::list::List;
use super::step::{ROUNDING, drifted, fields, pair_results, roaming, same_views, stray, wall_results};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point::vector as scaled;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS, WINDOW_BITS};
use crate::engine::gpu::parts::turning_frame::rows::row;
use crate::gpu::constants::{MOTION_SHIFT, PHASE_RUNS, REACTION_PARTS};
use crate::gpu::elements::body::{BodyLoad, BodyState, BodyView, BodyWeight};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::frame::Reaction;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::{Params, control};
use crate::physics::frame::step::{FrameStep, Turn};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "step_frame",
    compares: "Loads, leapfrog and the reaction on the asteroid in a rotating frame, against f64 and integers.",
    bounds: "Second-order terms of the rotation are formed in f32; sums of reactions are integers.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["gather_loads"],
        what: "loads by other bodies, walls and fields; row and slot of the step",
        unit: "of the sum of the terms' sizes",
        bound: 1e-6,
        reason: "up to 20 f32 terms, each product and sum rounded at 6e-8",
        compare: |h, t| h.in_forms(|h| loads(h, t)),
    },
    Check {
        passes: &["integrate_in_frame"],
        what: "way and spin in a turning frame",
        unit: "of what the frame's turning changes",
        bound: 2e-6,
        reason: "what is of second order in the angle of a step, or of first order in a kick, is formed in f32",
        compare: ways,
    },
    Check::exact(&["integrate_in_frame"], "who asks for a list, who goes on, who is too fast", watched),
    Check::exact(&["integrate_in_frame"], "sums of what bodies took, in 64-bit integers", sums),
    Check::exact(
        &["integrate_in_frame"],
        "steps that do not run, loads that no step takes, bodies that turn too far",
        gates,
    ),
];

/// What every sum starts from: 7 in both words.
const SEVEN: i64 = 7 | (7 << 32);

/// Slots of sums, and sums of each.
const SLOTS: usize = 8;
const PARTS: usize = REACTION_PARTS as usize;

/// Binary digits of the sums.
const BITS: [u32; 2] = [61, 52];

fn vec(row: &[f32]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

fn loads(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (case, cloud) in cases().into_iter().enumerate() {
        let (interval, step) = ([1, 16, u32::MAX][case % 3], 37 + case as u32);
        t.case(format!("{}, interval {interval}, step {step}", cloud.name));
        let list = List::of(cloud.len(), &cloud.neighbours());
        let uniform = [1e-6, -3e-6, 2e-7];
        let params = Params {
            wall_count: 2,
            uniform_gravity: uniform.into(),
            frame_interval: interval,
            reaction_slots: 64,
            ..cloud.params()
        };
        let field = fields(cloud.len(), 5);
        let (pair, wall) = (pair_results(list.pair.len() + 1, 6), wall_results(2 * cloud.len(), 7));
        let mut words = Control { phase: PHASE_RUNS, step, ..Control::default() };
        h.uniform("params", &params)?;
        h.fill("control", &[words])?;
        h.fill("body_view", &cloud.view())?;
        h.fill("body_gravity", &field)?;
        h.fill("incident_offset", &list.offset)?;
        h.fill("incident_pair", &[&list.side[..], &[0]].concat())?;
        h.fill("pair_result", &pair)?;
        h.fill("wall_result", &wall)?;
        h.zeros("body_load", size_of::<BodyLoad>() * cloud.len())?;
        h.run("gather_loads", cloud.groups())?;
        let frame_row = 2 * (step / interval % 4) + u32::from(step % interval != 0);
        (words.frame_row, words.reaction_slot) = (frame_row, step % 64);
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let found: Vec<BodyLoad> = h.read("body_load")?;
        for (b, body) in cloud.bodies.iter().enumerate() {
            let mut sums = [(DVec3::ZERO, 0.0); 2];
            let mut add = |k: usize, v: DVec3| sums[k] = (sums[k].0 + v, sums[k].1 + v.length());
            let (push, radius) = (f64::from(body.inverse_mass), f64::from(body.radius));
            let turn = 2.5 * push / (radius * radius);
            for side in &list.side[list.offset[b] as usize..list.offset[b + 1] as usize] {
                let (result, second) = (&pair[(side / 2) as usize], side & 1);
                add(0, push * vec(&result.force) * if second == 1 { -1.0 } else { 1.0 });
                add(1, turn * vec(&result.torque[second as usize]));
            }
            for result in wall[2 * b..2 * b + 2].iter().filter(|r| r.overlap > 0.0) {
                add(0, push * vec(&result.force));
                add(1, turn * vec(&result.torque));
            }
            add(0, vec(&uniform));
            add(0, vec(&field[b].acceleration));
            for ((sum, size), got) in sums.iter().zip([&found[b].kick, &found[b].turning]) {
                t.off("load of body", b, vec(got).distance(*sum) / size.max(1e-30));
            }
        }
    }
    Ok(())
}

/// Turns of two steps: slow and fast, steady and changing, and the first step.
fn frames() -> Vec<(&'static str, FrameStep, f64)> {
    let axis = DVec3::new(0.48, -0.6, 0.64);
    let turn = |angle: f64| Turn::new(angle * axis);
    let tilted = Turn::new(1e-4 * DVec3::new(0.6, 0.0, 0.8));
    vec![
        ("no rotation", FrameStep::new(&turn(0.0), &turn(0.0), DVec3::ZERO), 0.0),
        ("an asteroid's", FrameStep::new(&turn(1e-6), &turn(1e-6), DVec3::ZERO), 1e-6),
        ("fast", FrameStep::new(&turn(0.05), &turn(0.05), DVec3::ZERO), 0.05),
        ("changing", FrameStep::new(&turn(1e-4), &tilted, DVec3::new(1e-12, -3e-13, 2e-9)), 1e-4),
        ("first step of a turn that changes", FrameStep::first(1e-4 * DVec3::Y, &turn(1e-4)), 1e-4),
        ("first step", FrameStep::first(turn(1e-4).vector, &turn(1e-4)), 1e-4),
    ]
}

/// One step without walls.
fn fill(h: &mut Harness, cloud: &Cloud, step: &FrameStep, loads: &[BodyLoad], spin: &[[i64; 3]]) -> Result<()> {
    place_all(h, cloud, step, loads, spin, 0)?;
    h.run("integrate_in_frame", cloud.groups())
}

/// 64-bit ways of the loads, the spins before, and everything that the pass reads.
fn place_all(
    h: &mut Harness,
    cloud: &Cloud,
    step: &FrameStep,
    loads: &[BodyLoad],
    spin: &[[i64; 3]],
    wall_count: u32,
) -> Result<()> {
    let words = Control {
        phase: PHASE_RUNS,
        rounding: ROUNDING,
        fault_index: u32::MAX,
        frame_row: 1,
        reaction_slot: 3,
        ..Control::default()
    };
    h.uniform(
        "params",
        &Params {
            frame_interval: 1,
            reaction_slots: SLOTS as u32,
            impulse_bits: BITS[0],
            torque_bits: BITS[1],
            wall_count,
            ..cloud.params()
        },
    )?;
    h.fill("control", &[words])?;
    let mut spinning = cloud.clone();
    spinning.bodies.iter_mut().zip(spin).for_each(|(body, spin)| body.spin = *spin);
    h.fill("body_state", &spinning.state())?;
    h.fill("body_view", &cloud.view())?;
    h.fill("body_load", loads)?;
    h.fill("body_weight", &weights(cloud))?;
    h.fill("frame_row", &[row(&FrameStep { shift: DVec3::ONE, ..*step }, 1.0), row(step, 1.0)])?;
    h.fill("frame_reaction", &[Reaction { sum: [SEVEN; 6] }; SLOTS * PARTS])
}

/// Counts and shifts that need no rounding here: any will do.
fn weights(cloud: &Cloud) -> Vec<BodyWeight> {
    let mut random = random(17);
    let mut count = || random.random_range(1 << 30..(1u32 << 31));
    let one =
        |k: u32| BodyWeight { mass: count(), mass_shift: 30 + k % 30, moment: count(), moment_shift: 32 + k % 40 };
    (0..cloud.len() as u32).map(one).collect()
}

fn inputs(cloud: &Cloud) -> (Vec<BodyLoad>, Vec<[i64; 3]>) {
    let mut random = random(23);
    let mut load = |k: usize| {
        let size = f64::from(random.random_range(-40..-12)).exp2();
        if k.is_multiple_of(7) { [0.0; 3] } else { (size * vector(&mut random)).as_vec3().to_array() }
    };
    let one = |b: usize| BodyLoad { kick: load(2 * b), turning: load(2 * b + 1), ..BodyLoad::default() };
    let loads = (0..cloud.len()).map(one).collect();
    let spins =
        (0..cloud.len()).map(|_| (1e-3 * vector(&mut random)).to_array().map(|w| CODE.displacement(w))).collect();
    (loads, spins)
}

fn ways(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases().into_iter().map(|c| c.moving(1e-3, 8)) {
        let (loads, spins) = inputs(&cloud);
        for (name, step, angle) in frames() {
            t.case(format!("{}, {name}", cloud.name));
            fill(h, &cloud, &step, &loads, &spins)?;
            let (after, views): (Vec<BodyState>, Vec<BodyView>) = (h.read("body_state")?, h.read("body_view")?);
            for (b, body) in cloud.bodies.iter().enumerate() {
                let got = after[b];
                let seen = |x: i64| (x >> (POSITION_BITS - WINDOW_BITS)) as u32;
                t.equal("position in view", &[views[b].position], &[got.position.map(seen)]);
                let (last, position) = (scaled(body.velocity, DISPLACEMENT_BITS), scaled(body.position, POSITION_BITS));
                // so far out the frame's turning alone is more than a way can hold, 2^5 L
                if (step.by_position * position).length() > 8.0 {
                    continue;
                }
                let (kick, turning) = (vec(&loads[b].kick), vec(&loads[b].turning));
                let way = step.way(last, position, kick);
                // kept for the position as it was rounded: less by what the frame's turning makes of the rest
                let slip = scaled([0, 1, 2].map(|k| got.position[k] - body.position[k]), POSITION_BITS) - way;
                let wanted = way - step.back.transpose() * slip - last;
                let found = scaled([0, 1, 2].map(|k| got.velocity[k] - body.velocity[k]), DISPLACEMENT_BITS);
                // f32 forms of second order, products with the angle, and rounding to 2^-58 and of kicks to 2^-30
                let size = angle * (last.length() * angle + kick.length() + (step.by_position * position).length());
                let room = size + 1e-3 * kick.length() + 1e-11;
                t.off("way of body", b, found.distance(wanted) / room);
                let before = scaled(spins[b], DISPLACEMENT_BITS);
                let change = scaled([0, 1, 2].map(|k| got.spin[k] - spins[b][k]), DISPLACEMENT_BITS);
                let turned = step.spun(before, turning) - before;
                t.off(
                    "spin of body",
                    b,
                    change.distance(turned) / (angle * (before + turning).length() + turning.length() + 1e-11),
                );
                // half a step's change further on, all of it after the first step, of a half
                let soon = if step.share == 1.0 { 0.5 } else { 1.0 } * (way - last);
                let off = |k: usize| {
                    let wanted = (got.velocity[k] as f64 + (soon[k] + (way - last - found)[k]) * 58f64.exp2()) as i64;
                    let apart = views[b].velocity[k].wrapping_sub((wanted >> MOTION_SHIFT) as u32) as i32;
                    f64::from(apart) * (MOTION_SHIFT as f64 - 58.0).exp2()
                };
                let off = DVec3::new(off(0), off(1), off(2)).length();
                t.off("velocity in view", b, (off - 2.0 * (MOTION_SHIFT as f64 - 58.0).exp2()).max(0.0) / room);
                let spin_now = scaled(got.spin, DISPLACEMENT_BITS) + 0.5 * turning;
                let size = spin_now.length() + turning.length();
                t.off("spin in view", b, in_f64(views[b].spin).distance(spin_now) / size.max(1e-30));
                let near = |k: usize| got.position[k] - body.position[k] - drifted(got.velocity[k], ROUNDING);
                let moved = [0, 1, 2].map(|k| near(k).abs() <= 1);
                t.equal("drift", &moved, &[true; 3]);
            }
        }
    }
    Ok(())
}

/// Bodies whose ways in inertial space are small, whatever they are in the frame, and a few whose are not.
fn watched(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let turn = Turn::new(1e-6 * DVec3::new(0.48, -0.6, 0.64));
    let (first, later) = (FrameStep::first(turn.vector, &turn), FrameStep::new(&turn, &turn, DVec3::ZERO));
    for (far, walls, step) in
        [(10.0, 0, later), (2e5, 0, later), (1e5, 1, later), (2e3, 1, first), (4e6, 0, later), (2e5, 0, first)]
    {
        let mut cloud = uniform("", 150, far, (0.1, 0.4), 31);
        let mut random = random(32);
        for (k, body) in cloud.bodies.iter_mut().enumerate() {
            let speed = [1e-3, 0.0072, 0.009, 0.04][random.random_range(0..4)];
            let position = scaled(body.position, POSITION_BITS);
            let way = speed * vector(&mut random) - DVec3::new(0.48e-6, -0.6e-6, 0.64e-6).cross(position);
            body.velocity = if k % 50 == 7 { [0; 3] } else { way.to_array().map(|v| CODE.displacement(v)) };
        }
        let none = vec![BodyLoad::default(); cloud.len()];
        t.case(format!("{} bodies within {far} L, {walls} walls", cloud.len()));
        place_all(h, &cloud, &step, &none, &vec![[0; 3]; cloud.len()], walls)?;
        let before: Control = h.read_one("control")?;
        h.fill("body_view", &roaming(&cloud))?;
        h.run("integrate_in_frame", cloud.groups())?;
        let after: Vec<BodyState> = h.read("body_state")?;
        let (mut found, mut wanted) = (h.read::<BodyView>("body_view")?, roaming(&cloud));
        let mut words = before;
        words.step += 1;
        for (b, body) in cloud.bodies.iter().enumerate() {
            let at = scaled(after[b].position, POSITION_BITS);
            let way = scaled(after[b].velocity, DISPLACEMENT_BITS);
            let near = |k: usize| (after[b].position[k] >> 8).wrapping_sub(body.position[k] >> 8) as i32;
            let gone = DVec3::from_array([0, 1, 2].map(|k| f64::from(near(k)))) * (-30f64).exp2();
            let BodyView { anchor, clump_or_room, .. } = wanted[b];
            wanted[b] = BodyView { anchor, clump_or_room, ..found[b] };
            stray(gone.length(), way.length(), cloud.skin_half, &mut wanted[b], &mut words);
            let inertial = (way + DVec3::new(0.48e-6, -0.6e-6, 0.64e-6).cross(at)).abs().max_element();
            let in_frame = way.abs().max_element() * if walls > 0 { 0.5 } else { 1.0 / 128.0 };
            let alone = walls == 0 && f32::from_bits(wanted[b].clump_or_room) > 0.0;
            let judged = if alone { in_frame } else { inertial.max(in_frame) };
            if judged > 1.0 / 128.0 {
                words.fault_body |= 2;
                words.fault_index = words.fault_index.min(b as u32);
            }
        }
        same_views(t, std::mem::take(&mut found), &wanted);
        t.equal("control", &h.read::<Control>("control")?, &[words]);
    }
    Ok(())
}

/// Nothing moves in a pause or after a fault; loads that are no numbers, too large a kick, a turn of more than half a turn and the
/// edge of space end the run.
fn gates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let cloud = uniform("", 130, 3.0, (0.1, 0.4), 41).moving(1e-4, 42);
    let step = &frames()[1].1;
    let (none, still) = (vec![BodyLoad::default(); cloud.len()], vec![[0; 3]; cloud.len()]);
    for (phase, fault_contact) in [(0, 0), (1, 4)] {
        t.case(format!("phase {phase}, fault of contacts {fault_contact}"));
        place_all(h, &cloud, step, &none, &still, 0)?;
        let words = Control { phase, fault_contact, ..h.read_one("control")? };
        h.fill("control", &[words])?;
        let before: Vec<BodyState> = h.read("body_state")?;
        h.run("integrate_in_frame", cloud.groups())?;
        t.equal("state", &h.read::<BodyState>("body_state")?, &before);
        t.equal("view", &h.read::<BodyView>("body_view")?, &cloud.view());
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let untouched = [Reaction { sum: [SEVEN; 6] }; SLOTS * PARTS];
        t.equal("sum", &h.read::<Reaction>("frame_reaction")?, &untouched);
    }
    let body = |b: usize, load: BodyLoad| {
        let mut loads = none.clone();
        loads[b] = load;
        loads
    };
    let kick = |x: f32| BodyLoad { kick: [x, 0.0, 0.0], ..BodyLoad::default() };
    let turn = |x: f32| BodyLoad { turning: [0.0, x, 0.0], ..BodyLoad::default() };
    let cases = [
        ("the kick is not a number", 0, kick(f32::NAN), control::NON_FINITE.0),
        ("the turn is not a number", 70, turn(f32::INFINITY), control::NON_FINITE.0),
        ("a kick of 1.5 L", 70, kick(1.5), control::OVERSPEED.0),
        ("a kick of 8 L", 70, kick(8.0), control::OVERSPEED.0),
        ("a kick of -16 L", 70, kick(-16.0), control::OVERSPEED.0),
        ("a kick of 1e30 L", 70, kick(1e30), control::OVERSPEED.0),
        ("more than half a turn", 70, turn(-3.2), control::TURN.0),
    ];
    for (name, b, load, fault) in cases {
        t.case(name);
        fill(h, &cloud, step, &body(b, load), &still)?;
        let words: Control = h.read_one("control")?;
        t.equal("fault and body", &[words.fault_body, words.fault_index], &[fault, b as u32]);
        // the step of body 0 is that of all
        let stepped = u32::from(!(b == 0 && fault == control::NON_FINITE.0));
        t.equal("step", &[words.step], &[stepped]);
        if fault == control::NON_FINITE.0 {
            let after: Vec<BodyState> = h.read("body_state")?;
            t.equal("position", &[after[b].position], &[cloud.bodies[b].position]);
        }
    }
    t.case("a body that leaves space");
    let mut far = cloud.clone();
    far.bodies[99].position[2] = -(1 << 61) - (1 << 40);
    fill(h, &far, &frames()[0].1, &none, &still)?;
    let words: Control = h.read_one("control")?;
    t.equal("fault and body", &[words.fault_body, words.fault_index], &[control::RANGE.0, 99]);
    Ok(())
}

/// round(a 2^-bits), halves up.
fn round(a: i128, bits: u32) -> i128 {
    (a + (1 << (bits - 1))) >> bits
}

/// round(x 2^bits), halves away from zero.
fn fixed(x: f32, bits: i32) -> i128 {
    (f64::from(x) * f64::from(bits).exp2()).round() as i128
}

fn sums(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let frames = frames();
    for cloud in cases() {
        let (loads, spins) = inputs(&cloud);
        t.case(&cloud.name);
        let step = &frames[1].1;
        fill(h, &cloud, step, &loads, &spins)?;
        let mut sums = [[0i128; 6]; PARTS];
        for (k, ((body, load), weight)) in cloud.bodies.iter().zip(&loads).zip(weights(&cloud)).enumerate() {
            let sum = &mut sums[k / 64 % PARTS];
            let (given, turning) = (&load.kick, &load.turning);
            let largest = given.iter().fold(0.0f32, |a, v| a.max(v.abs()));
            let exponent = ((largest.to_bits() >> 23) & 255) as i32 - 127;
            let bits = (29 - exponent).clamp(28, 58);
            let k = [0, 1, 2].map(|c| fixed(given[c], bits));
            let x = body.position.map(i128::from);
            for c in 0..3 {
                let (a, b) = ((c + 1) % 3, (c + 2) % 3);
                let arm = round(x[a] * k[b] - x[b] * k[a], bits as u32 + 38 - BITS[1]);
                sum[c] += round((k[c] << (58 - bits)) * i128::from(weight.mass), weight.mass_shift + 58 - BITS[0]);
                sum[3 + c] += round(arm * i128::from(weight.mass), weight.mass_shift)
                    + round(fixed(turning[c], 58) * i128::from(weight.moment), weight.moment_shift + 58 - BITS[1]);
            }
        }
        // one slot gets the sums, by workgroup; the one half the ring on is cleared
        let mut wanted = [Reaction { sum: [SEVEN; 6] }; SLOTS * PARTS];
        for (part, sum) in sums.iter().enumerate() {
            wanted[3 * PARTS + part].sum = sum.map(|s| SEVEN.wrapping_add(s as i64));
        }
        wanted[7 * PARTS..].fill(Reaction::default());
        t.equal("sum", &h.read::<Reaction>("frame_reaction")?, &wanted);
    }
    Ok(())
}
