//! Contacts of bodies and planes, at rest and moving.

use super::cloud::{CODE, Cloud, RADIUS_MAX, random, vector};
use super::harness::Harness;
use super::laws::{
    END_BOUND, END_REASON, LAW_BOUND, LAW_REASON, LAW_UNIT, compare_end, compare_law, remembered, take, tried, vec3,
    windows,
};
use super::{Check, Tally};
use crate::base::error::Result;
use crate::base::units::POSITION_BITS;
use crate::engine::gpu::parts::walls::rows as wall_rows;
use crate::gpu::elements::control::Control;
use crate::gpu::layout::{BodyWords, Params, WALL_ROWS};
use crate::model::scenario::Wall;
use crate::physics::laws::contact::{ContactResult, ContactState, Springs};
use crate::physics::laws::{BuiltIn, LAWS, all};
use glam::DVec3;
use rand::RngExt;

/// The checks of this family.
pub const CHECKS: &[Check] = &[
    Check {
        passes: &["apply_walls"],
        what: "overlaps with planes, far from the origin",
        unit: "L",
        bound: 5e-11,
        reason: "three products cut at 2^-38 L (1.1e-11 together), the overlap of at most 1e-4 L rounded at 6e-8",
        compare: overlaps,
    },
    Check {
        passes: &["apply_walls"],
        what: "force, torque, memory, losses, work of planes by every law",
        unit: LAW_UNIT,
        bound: LAW_BOUND,
        reason: LAW_REASON,
        compare: law,
    },
    Check {
        passes: &["apply_walls"],
        what: "what a contact of every law loses when it ends",
        unit: "of its terms",
        bound: END_BOUND,
        reason: END_REASON,
        compare: ended,
    },
    Check::exact(&["apply_walls"], "who touches, what is forgotten, faults, pauses", gates),
];

/// Steps done: moving planes have come 45 L, which a way of 64 bits would not hold.
pub(super) const STEP: u32 = 1_500_003;

/// Planes whose points lie at 3e5 L, the last one moving.
pub(super) fn walls() -> Vec<Wall> {
    let wall = |(k, normal, velocity_m_s): (usize, DVec3, DVec3)| Wall {
        material: k % 2,
        velocity_m_s,
        ..Wall::plane("", 3e5 * DVec3::new(1.0, -0.7, 0.3), normal)
    };
    let still = DVec3::ZERO;
    [(0, DVec3::Z, still), (1, -DVec3::X, still), (2, DVec3::new(0.48, -0.60, 0.64), DVec3::new(3e-5, -2e-5, 1e-5))]
        .into_iter()
        .map(wall)
        .collect()
}

/// Bodies in turn at one plane: `depth` below its surface less the radius, somewhere along it.
pub(super) fn bodies(n: usize, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    let (walls, mut random) = (walls(), random(seed));
    let place = |k: usize| {
        let (wall, r) = (&walls[k % 3], RADIUS_MAX / random.random_range(1.0..20.0));
        // Along the plane as the pass has it: its normal, rounded to 2^-30, turns the typed plane by 5e-7 L here.
        let q = wall_rows(wall, &CODE, 0.0)[4];
        let n = DVec3::from_array([0, 1, 2].map(|k| f64::from(q[k] as i32))).normalize();
        let along = 500.0 * vector(&mut random);
        let foot = wall.point_m + wall.velocity_m_s * f64::from(STEP) + along - along.dot(n) * n;
        (foot + (f64::from(CODE.radius(r)) - depth(k)) * n, r)
    };
    at_walls(Cloud::new("bodies at planes", (0..n).map(place).collect::<Vec<_>>()), seed)
}

/// Bodies that move and turn, of both materials.
pub(super) fn at_walls(cloud: Cloud, seed: u64) -> Cloud {
    let mut cloud = cloud.moving(2e-5, seed);
    for (k, body) in cloud.bodies.iter_mut().enumerate() {
        body.spin = [1e-4, -2e-5 * (k % 7) as f64, 3e-5].map(|w| CODE.angle(w));
        body.material = (k / 3 % 2) as u32;
    }
    cloud
}

/// A contact of a body with a wall; `depth` now, and at the last step.
pub(super) fn state(
    body: &BodyWords,
    normal: DVec3,
    [depth, before]: [f64; 2],
    velocity: DVec3,
    springs: Springs,
) -> ContactState {
    ContactState {
        normal,
        overlap: depth,
        before,
        velocity,
        spin_i: body.seen_spin(),
        spin_j: DVec3::ZERO,
        arm_i: f64::from(body.radius) - depth,
        arm_j: 1e10,
        mass: 1.0 / f64::from(body.inverse_mass),
        radius: body.radius.into(),
        springs,
    }
}

fn fill(
    h: &mut Harness,
    law: &dyn BuiltIn,
    cloud: &Cloud,
    words: &Control,
    [history, result]: [&[[f32; 4]]; 2],
) -> Result<()> {
    take(h, law)?;
    fill_walls(h, cloud, &walls(), history, result)?;
    h.fill("control", &[*words])?;
    h.run("apply_walls", (3 * cloud.len() as u32).div_ceil(64))
}

/// Fills what passes over bodies and these walls read, at `STEP`, and what they write, without the law.
pub(super) fn fill_walls(
    h: &mut Harness,
    cloud: &Cloud,
    walls: &[Wall],
    history: &[[f32; 4]],
    result: &[[f32; 4]],
) -> Result<()> {
    let wall_count = walls.len() as u32;
    h.uniform("params", &[Params { wall_count, material_count: 2, ..cloud.params() }])?;
    h.fill("control", &[running()])?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    h.fill("wall_plane", &walls.iter().flat_map(|w| wall_rows(w, &CODE, 0.0)).collect::<Vec<_>>())?;
    h.fill("wall_history", history)?;
    h.fill("wall_result", result)?;
    h.zeros("wall_dissipated", 16 * walls.len() * cloud.len())
}

fn running() -> Control {
    Control { step: STEP, phase: 1, fault_index: u32::MAX, ..Control::default() }
}

/// Depth of a body in a plane (L) from the integers that both hold.
pub(super) fn overlap(rows: &[[u32; 4]; WALL_ROWS], cloud: &Cloud, b: usize) -> f64 {
    let word = |row: usize, k: usize| i64::from(rows[row + 1][k] as i32) << 32 | i64::from(rows[row][k]);
    let body = &cloud.bodies[b];
    let part = |k: usize| {
        let point = word(0, k) + ((i128::from(word(2, k)) * i128::from(STEP - rows[1][3]) + (1 << 19)) >> 20) as i64;
        i128::from(body.position[k] - point) * i128::from(rows[4][k] as i32)
    };
    let height = (part(0) + part(1) + part(2)) as f64 * f64::from(-30 - POSITION_BITS).exp2();
    f64::from(body.radius) - height
}

/// Overlap of every contact at the last step (L).
const LAST: f32 = 3e-5;

/// Results of the last step of `n` bodies at three planes: nothing but the overlap.
fn touched(n: usize, overlap: f32) -> Vec<[f32; 4]> {
    (0..3 * n).flat_map(|_| [[0.0, 0.0, 0.0, overlap], [0.0; 4]]).collect()
}

/// Bodies of the cases and what the pass makes of them with springs stretched.
fn each(
    h: &mut Harness,
    t: &mut Tally,
    law: &dyn BuiltIn,
    mut compare: impl FnMut(&mut Tally, &Harness, &Cloud, &[[f32; 4]]) -> Result<()>,
) -> Result<()> {
    for (n, power) in [(1, -5.0), (64, -7.0), (500, -4.0)] {
        t.case(format!("{}: {n} bodies, overlaps up to 1e{power} L", law.name()));
        let cloud = bodies(n, |k| 10f64.powf(power - (k % 10) as f64 / 5.0), n as u64);
        let mut random = random(n as u64);
        let mut spring = || (10f64.powf(random.random_range(-8.0..-3.0)) * vector(&mut random)).extend(1e-4);
        let history: Vec<_> = (0..6 * n).map(|_| spring().as_vec4().to_array()).collect();
        fill(h, law, &cloud, &running(), [&history, &touched(n, LAST)])?;
        compare(t, h, &cloud, &history)?;
    }
    Ok(())
}

fn overlaps(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let rows: Vec<_> = walls().iter().map(|w| wall_rows(w, &CODE, 0.0)).collect();
    each(h, t, LAWS[0].law, |t, h, cloud, _| {
        let result = h.read::<[f32; 4]>("wall_result")?;
        for b in 0..cloud.len() {
            let c = 3 * b + b % 3;
            t.off("overlap of body", b, (f64::from(result[2 * c][3]) - overlap(&rows[b % 3], cloud, b)).abs());
        }
        Ok(())
    })
}

fn law(h: &mut Harness, t: &mut Tally) -> Result<()> {
    all().try_for_each(|law| law_by(h, t, law))
}

fn law_by(h: &mut Harness, t: &mut Tally, law: &dyn BuiltIn) -> Result<()> {
    let (rows, laws): (Vec<_>, _) = (walls().iter().map(|w| wall_rows(w, &CODE, 0.0)).collect(), tried(law));
    each(h, t, law, |t, h, cloud, before| {
        let (result, history) = (h.read::<[f32; 4]>("wall_result")?, h.read::<[f32; 4]>("wall_history")?);
        let (lost, view) = (h.read::<[f32; 4]>("wall_dissipated")?, cloud.view());
        for b in 0..cloud.len() {
            let (c, plane, body) = (3 * b + b % 3, &rows[b % 3], &cloud.bodies[b]);
            let motion = [0, 1, 2].map(|k| (plane[3][k] << 11) | (plane[2][k] >> 21));
            let motion = [motion[0], motion[1], motion[2], 0];
            let depth = f64::from(result[2 * c][3]);
            let q = DVec3::from_array([0, 1, 2].map(|k| f64::from(plane[4][k] as i32)));
            let (normal, velocity) = (-q * (-30f64).exp2(), windows(&motion, &view[b][1], 37));
            let law = laws.of(body.material as usize, b % 3 % 2);
            let springs = remembered(law, &before[2 * c..2 * c + 2]);
            let state = state(body, normal, [depth, LAST.into()], velocity, springs);
            let force = vec3(&result[2 * c]);
            let truth = law.force(&state, 1.0);
            let got = ContactResult {
                force,
                torque_i: vec3(&result[2 * c + 1]),
                torque_j: truth.torque_j, // a plane does not turn
                springs: remembered(law, &history[2 * c..2 * c + 2]),
                dissipated: lost[c].map(f64::from),
            };
            compare_law(t, b, law, &state, &got);
            let (old, velocity) = (f64::from(before[2 * c + 1][3]), windows(&motion, &[0; 4], 37));
            let work = (f64::from(history[2 * c + 1][3]) - old - force.dot(velocity)).abs();
            t.off("work of plane on body", b, work / (old.abs() + force.length() * velocity.length()));
        }
        Ok(())
    })
}

fn ended(h: &mut Harness, t: &mut Tally) -> Result<()> {
    all().try_for_each(|law| ended_by(h, t, law))
}

fn ended_by(h: &mut Harness, t: &mut Tally, law: &dyn BuiltIn) -> Result<()> {
    let laws = tried(law);
    let cloud = bodies(130, |_| -1e-4, 17);
    let mut random = random(17);
    let history: Vec<_> = (0..780).map(|_| vector(&mut random).extend(0.3).as_vec4().to_array()).collect();
    t.case(format!("{}: 130 bodies leave three planes", law.name()));
    fill(h, law, &cloud, &running(), [&history, &touched(130, LAST)])?;
    let rows: Vec<_> = walls().iter().map(|w| wall_rows(w, &CODE, 0.0)).collect();
    let lost = h.read::<[f32; 4]>("wall_dissipated")?;
    // A body at one plane may be deep behind another.
    let depth = |c: usize| overlap(&rows[c % 3], &cloud, c / 3);
    for (c, got) in lost.iter().enumerate().filter(|(c, _)| depth(*c) < 0.0) {
        let body = &cloud.bodies[c / 3];
        let law = laws.of(body.material as usize, c % 3 % 2);
        let springs = remembered(law, &history[2 * c..2 * c + 2]);
        let state = state(body, DVec3::ZERO, [depth(c), LAST.into()], DVec3::ZERO, springs);
        compare_end(t, c, law, &state, got);
    }
    Ok(())
}

fn gates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // Body k is at plane k % 3 alone: a third touches, a third is apart, one is too deep.
    let depth = |k: usize| if k == 99 { 0.02 } else { [1e-4, -1e-4, -0.3][k / 3 % 3] };
    let cloud = bodies(130, depth, 7);
    let history = vec![[0.5f32; 4]; 780];
    let before: Vec<[f32; 4]> = (0..780).map(|k| [3.0, 2.0, 1.0, if k / 2 % 2 == 0 { -1.0 } else { 1.0 }]).collect();
    for active in [0, 1, 2] {
        t.case(format!("phase {active}"));
        let mut words = running();
        words.phase = active;
        fill(h, LAWS[0].law, &cloud, &words, [&history, &before])?;
        let rows: Vec<_> = walls().iter().map(|w| wall_rows(w, &CODE, 0.0)).collect();
        let depths: Vec<f64> = (0..390).map(|c| overlap(&rows[c % 3], &cloud, c / 3)).collect();
        let too_deep = |c: &usize| depths[*c] > 0.25 * f64::from(cloud.bodies[c / 3].radius);
        if let Some(first) = (0..390).filter(|_| active != 0).find(too_deep) {
            (words.fault_contact, words.fault_index) = (4, first as u32 / 3);
        }
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let (result, springs) = (h.read::<[f32; 4]>("wall_result")?, h.read::<[f32; 4]>("wall_history")?);
        for (c, depth) in depths.iter().enumerate() {
            let (at, old) = (2 * c..2 * c + 2, &before[2 * c..2 * c + 2]);
            if active != 0 && *depth > 0.0 {
                t.equal("touch", &[result[2 * c][3] > 0.0], &[true]);
            } else if active != 0 && c % 2 == 1 {
                t.equal("forgotten result", &result[at.clone()], &[[0.0; 4]; 2]);
                t.equal("forgotten history", &springs[at], &[[0.0; 4], [0.0, 0.0, 0.0, 0.5]]);
            } else {
                t.equal("result left alone", &result[at.clone()], old);
                t.equal("history left alone", &springs[at], &[[0.5; 4]; 2]);
            }
        }
    }
    Ok(())
}
