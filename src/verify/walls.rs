//! Contacts of bodies and planes, at rest and moving.

use super::cloud::{CODE, Cloud, RADIUS_MAX, random, vector};
use super::harness::Harness;
use super::laws::{
    END_BOUND, END_REASON, LAW_BOUND, LAW_REASON, LAW_UNIT, compare_end, compare_law, take, tried, windows,
};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point::wide_value;
use crate::base::units::POSITION_BITS;
use crate::engine::gpu::parts::walls::state_of;
use crate::gpu::constants::{MOTION_SHIFT, PHASE_FIRST, PHASE_PAUSED, PHASE_RUNS};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{Dissipation, WallMemory, WallResult};
use crate::gpu::elements::wall::WallState;
use crate::gpu::layout::{BodyWords, Params};
use crate::model::scenario::Wall;
use crate::physics::laws::BuiltIn;
use crate::physics::laws::contact::{ContactResult, ContactState, Springs};
use crate::physics::laws::registry::{LAWS, all};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "walls",
    compares: "Contacts with planes at rest and moving: overlaps, every contact law, and the work of the walls, against f64.",
    bounds: "Heights are cut at 2^-38 L; a law is about ten operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
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
    Check::exact(&["apply_walls"], "losses are added to those before", added),
];

/// Of a contact that was there in the step before.
pub(super) const TOUCHED: WallResult = WallResult { force: [1.0; 3], overlap: 1.0, torque: [1.0; 3], pad: 0 };

/// The same, as deep as the contacts of the cases.
const MET: WallResult = WallResult { overlap: 3e-5, ..TOUCHED };

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
    let body = |k: usize| {
        let (wall, r) = (&walls[k % 3], RADIUS_MAX / random.random_range(1.0..20.0));
        // Along the plane as the pass has it: its normal, rounded to 2^-30, turns the typed plane by 5e-7 L here.
        let n = DVec3::from_array(state_of(wall, &CODE, 0.0).normal.map(f64::from)).normalize();
        let along = 500.0 * vector(&mut random);
        let foot = wall.point_m + wall.velocity_m_s * f64::from(STEP) + along - along.dot(n) * n;
        (foot + (f64::from(CODE.radius(r)) - depth(k)) * n, r)
    };
    at_walls(Cloud::new("bodies at planes", (0..n).map(body).collect::<Vec<_>>()), seed)
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
    history: &[WallMemory],
    result: &[WallResult],
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
    history: &[WallMemory],
    result: &[WallResult],
) -> Result<()> {
    let wall_count = walls.len() as u32;
    h.uniform("params", &Params { wall_count, material_count: 2, ..cloud.params() })?;
    h.fill("control", &[running()])?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    h.fill("wall_plane", &walls.iter().map(|w| state_of(w, &CODE, 0.0)).collect::<Vec<_>>())?;
    h.fill("wall_history", history)?;
    h.fill("wall_result", result)?;
    h.zeros("wall_dissipated", 16 * walls.len() * cloud.len())
}

fn running() -> Control {
    Control { step: STEP, phase: PHASE_RUNS, fault_index: u32::MAX, ..Control::default() }
}

/// Depth of a body in a plane (L) from the integers that both hold.
pub(super) fn overlap(plane: &WallState, cloud: &Cloud, b: usize) -> f64 {
    let (point, velocity) = (plane.point(), plane.velocity());
    let body = &cloud.bodies[b];
    let part = |k: usize| {
        let point = point[k] + ((i128::from(velocity[k]) * i128::from(STEP - plane.step) + (1 << 19)) >> 20) as i64;
        i128::from(body.position[k] - point) * i128::from(plane.normal[k])
    };
    f64::from(body.radius) - wide_value(part(0) + part(1) + part(2), POSITION_BITS + 30)
}

/// Memories of `n` contacts whose springs are stretched by 10 to some power from `from` to -3 (L).
pub(super) fn stretched(n: usize, from: f64, seed: u64) -> Vec<WallMemory> {
    let mut random = random(seed);
    let mut spring = || 10f64.powf(random.random_range(from..-3.0)) * vector(&mut random);
    let mut memory = |_| {
        let (first, second) = (spring().extend(1e-4).as_vec4(), spring().as_vec3());
        WallMemory { first: first.to_array(), second: second.to_array(), work: 1e-4 }
    };
    (0..n).map(&mut memory).collect()
}

/// Bodies of the cases and what the pass makes of them with springs stretched.
fn each(
    h: &mut Harness,
    t: &mut Tally,
    law: &dyn BuiltIn,
    mut compare: impl FnMut(&mut Tally, &Harness, &Cloud, &[WallMemory]) -> Result<()>,
) -> Result<()> {
    for (n, power) in [(1, -5.0), (64, -7.0), (500, -4.0)] {
        t.case(format!("{}: {n} bodies, overlaps up to 1e{power} L", law.name()));
        let cloud = bodies(n, |k| 10f64.powf(power - (k % 10) as f64 / 5.0), n as u64);
        let history = stretched(3 * n, -8.0, n as u64);
        fill(h, law, &cloud, &running(), &history, &vec![MET; 3 * n])?;
        compare(t, h, &cloud, &history)?;
    }
    Ok(())
}

fn overlaps(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let planes: Vec<_> = walls().iter().map(|w| state_of(w, &CODE, 0.0)).collect();
    each(h, t, LAWS[0].law, |t, h, cloud, _| {
        let result = h.read::<WallResult>("wall_result")?;
        for b in 0..cloud.len() {
            let c = 3 * b + b % 3;
            t.off("overlap of body", b, (f64::from(result[c].overlap) - overlap(&planes[b % 3], cloud, b)).abs());
        }
        Ok(())
    })
}

fn law(h: &mut Harness, t: &mut Tally) -> Result<()> {
    all().try_for_each(|law| law_by(h, t, law))
}

fn law_by(h: &mut Harness, t: &mut Tally, law: &dyn BuiltIn) -> Result<()> {
    let (planes, laws): (Vec<_>, _) = (walls().iter().map(|w| state_of(w, &CODE, 0.0)).collect(), tried(law));
    each(h, t, law, |t, h, cloud, before| {
        let (result, history) = (h.read::<WallResult>("wall_result")?, h.read::<WallMemory>("wall_history")?);
        let (lost, view) = (h.read::<Dissipation>("wall_dissipated")?, cloud.view());
        for b in 0..cloud.len() {
            let (c, plane, body) = (3 * b + b % 3, &planes[b % 3], &cloud.bodies[b]);
            let [u, v, w] = plane.velocity().map(|v| (v >> MOTION_SHIFT) as u32);
            let motion = [u, v, w, 0];
            let depth = f64::from(result[c].overlap);
            let q = DVec3::from_array(plane.normal.map(f64::from));
            let (normal, velocity) = (-q * (-30f64).exp2(), windows(&motion, &view[b].velocity, 37));
            let law = laws.of(body.material as usize, b % 3 % 2);
            let springs = law.memory(before[c].first, before[c].second);
            let state = state(body, normal, [depth, MET.overlap.into()], velocity, springs);
            let force = in_f64(result[c].force);
            let truth = law.force(&state, 1.0);
            let got = ContactResult {
                force,
                torque_i: in_f64(result[c].torque),
                torque_j: truth.torque_j, // a plane does not turn
                springs: law.memory(history[c].first, history[c].second),
                dissipated: lost[c].energy.map(f64::from),
            };
            compare_law(t, b, law, &state, &got);
            let (old, velocity) = (f64::from(before[c].work), windows(&motion, &[0; 4], 37));
            let work = (f64::from(history[c].work) - old - force.dot(velocity)).abs();
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
    let mut memory = |_| {
        let (first, second) = (vector(&mut random).extend(0.3).as_vec4(), vector(&mut random).as_vec3());
        WallMemory { first: first.to_array(), second: second.to_array(), work: 0.3 }
    };
    let history: Vec<_> = (0..390).map(&mut memory).collect();
    t.case(format!("{}: 130 bodies leave three planes", law.name()));
    fill(h, law, &cloud, &running(), &history, &vec![MET; 390])?;
    let planes: Vec<_> = walls().iter().map(|w| state_of(w, &CODE, 0.0)).collect();
    let lost = h.read::<Dissipation>("wall_dissipated")?;
    // A body at one plane may be deep behind another.
    let depth = |c: usize| overlap(&planes[c % 3], &cloud, c / 3);
    for (c, got) in lost.iter().enumerate().filter(|(c, _)| depth(*c) < 0.0) {
        let body = &cloud.bodies[c / 3];
        let law = laws.of(body.material as usize, c % 3 % 2);
        let springs = law.memory(history[c].first, history[c].second);
        let state = state(body, DVec3::ZERO, [depth(c), MET.overlap.into()], DVec3::ZERO, springs);
        compare_end(t, c, law, &state, &got.energy);
    }
    Ok(())
}

/// Where as much was lost before as the step loses, twice that is there in the end: doubling is exact.
fn added(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("500 bodies");
    let cloud = bodies(500, |k| if k % 5 == 0 { -1e-4 } else { 1e-4 }, 8);
    let (history, result) = (stretched(1500, -8.0, 8), vec![MET; 1500]);
    fill(h, LAWS[0].law, &cloud, &running(), &history, &result)?;
    let mut lost: Vec<Dissipation> = h.read("wall_dissipated")?;
    fill_walls(h, &cloud, &walls(), &history, &result)?;
    h.fill("wall_dissipated", &lost)?;
    h.run("apply_walls", 3 * cloud.groups())?;
    lost.iter_mut().for_each(|slot| slot.energy = slot.energy.map(|e| 2.0 * e));
    t.equal("losses", &h.read("wall_dissipated")?, &lost);
    Ok(())
}

fn gates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // Body k is at plane k % 3 alone: a third touches, a third is apart, one is too deep.
    let depth = |k: usize| if k == 99 { 0.02 } else { [1e-4, -1e-4, -0.3][k / 3 % 3] };
    let cloud = bodies(130, depth, 7);
    const HALVES: WallMemory = WallMemory { first: [0.5; 4], second: [0.5; 3], work: 0.5 };
    let forgotten = WallMemory { work: 0.5, ..WallMemory::default() };
    let overlap_of = |c: usize| if c.is_multiple_of(2) { -1.0 } else { 1.0 };
    let (force, torque) = ([3.0, 2.0, 1.0], [3.0, 2.0, 1.0]);
    let before: Vec<_> = (0..390).map(|c| WallResult { force, overlap: overlap_of(c), torque, pad: 0 }).collect();
    for active in [PHASE_PAUSED, PHASE_RUNS, PHASE_FIRST] {
        t.case(format!("phase {active}"));
        let mut words = running();
        words.phase = active;
        fill(h, LAWS[0].law, &cloud, &words, &[HALVES; 390], &before)?;
        let planes: Vec<_> = walls().iter().map(|w| state_of(w, &CODE, 0.0)).collect();
        let depths: Vec<f64> = (0..390).map(|c| overlap(&planes[c % 3], &cloud, c / 3)).collect();
        let too_deep = |c: &usize| depths[*c] > 0.25 * f64::from(cloud.bodies[c / 3].radius);
        if let Some(first) = (0..390).filter(|_| active != 0).find(too_deep) {
            (words.fault_contact, words.fault_index) = (4, first as u32 / 3);
        }
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let (result, memory) = (h.read::<WallResult>("wall_result")?, h.read::<WallMemory>("wall_history")?);
        for (c, depth) in depths.iter().enumerate() {
            if active != 0 && *depth > 0.0 {
                t.equal("touch", &[result[c].overlap > 0.0], &[true]);
            } else if active != 0 && c % 2 == 1 {
                t.equal("forgotten result", &[result[c]], &[WallResult::default()]);
                t.equal("forgotten history", &[memory[c]], &[forgotten]);
            } else {
                t.equal("result left alone", &[result[c]], &[before[c]]);
                t.equal("history left alone", &[memory[c]], &[HALVES]);
            }
        }
    }
    Ok(())
}
