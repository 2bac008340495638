//! Which pairs of spheres, and which bodies and planes, are contacts of a step.

use super::cloud::{CODE, Cloud, pairs, random};
use super::dynamics_frames::{DYNAMICS, TURNS, fill_planes, planes, turn_all, with_planes};
use super::harness::Harness;
use super::laws::windows;
use super::walls::{bodies, overlap};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::pair::Pair;
use crate::gpu::layout::{DynamicsParams, Params};
use crate::physics::frame::step::Turn;
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_detect",
    compares: "Which spheres and planes are contacts of a step, within 3e-8 L of the limit, against f64.",
    bounds: "Decisions must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["detect_pairs"], "contacts of pairs, 3e-8 L around their bound", detect_pairs),
    Check::exact(&["detect_walls"], "contacts with planes, 3e-8 L around their bound", detect_walls),
    Check::exact(&["detect_walls"], "the same contacts in frames that turn", detect_turning),
];

/// Gap below which bodies with this sum of radii (L) are a contact: by the alert and what they approach in a step, or by
/// the range of cohesion.
fn bound(d: &DynamicsParams, reach: f64, approach: f64) -> f64 {
    (f64::from(d.alert) * reach + approach.max(0.0)).max(d.reach_max.into())
}

/// Displacement by which a gap is off the bound: from 3e-8 to 1e-2 L, to either side.
fn margin(random: &mut rand_pcg::Pcg64Mcg) -> f64 {
    let size = 10f64.powf(random.random_range(-7.5..-2.0));
    if random.random() { size } else { -size }
}

fn shift(cloud: &mut Cloud, body: usize, by: DVec3) {
    for (x, by) in cloud.bodies[body].position.iter_mut().zip(by.to_array()) {
        *x += CODE.position(by);
    }
}

/// Gap of a pair (L), the bound for it, and the normal to the second body.
fn pair_gap(cloud: &Cloud, d: &DynamicsParams, p: usize) -> (f64, f64, DVec3) {
    let (i, j) = (cloud.bodies[2 * p].view(), cloud.bodies[2 * p + 1].view());
    let reach = f64::from(cloud.bodies[2 * p].radius) + f64::from(cloud.bodies[2 * p + 1].radius);
    let between = windows(&j.position, &i.position, 30);
    let normal = between.normalize();
    (between.length() - reach, bound(d, reach, windows(&i.velocity, &j.velocity, 37).dot(normal)), normal)
}

/// Pairs around their bounds.
fn near(n: usize, d: &DynamicsParams) -> Cloud {
    let mut cloud = pairs(n, 10.0, |_| 0.0, n as u64).moving(3e-3, n as u64 + 1);
    let mut random = random(n as u64 + 2);
    for p in 0..n {
        let (gap, bound, normal) = pair_gap(&cloud, d, p);
        shift(&mut cloud, 2 * p + 1, (bound + margin(&mut random) - gap) * normal);
    }
    cloud
}

fn detect_pairs(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for n in [0, 1, 63, 64, 65, 1000] {
        for reach_max in [0.0, 4e-3] {
            t.case(format!("{n} pairs, cohesion to {reach_max} L"));
            let dynamics = DynamicsParams { reach_max, ..DYNAMICS };
            let cloud = near(n, &dynamics);
            let words = Control { pair_count: n as u32, ..Control::default() };
            h.uniform("params", &Params { pair_capacity: n as u32 + 30, ..cloud.params() })?;
            h.uniform("dynamics", &dynamics)?;
            h.fill("control", &[words])?;
            h.fill("body_view", &cloud.view())?;
            h.fill("pair_body", &(0..n as u32 + 30).map(|p| Pair { i: 2 * p, j: 2 * p + 1 }).collect::<Vec<_>>())?;
            h.fill("candidate_count", &vec![9u32; n + 100])?;
            h.run("detect_pairs", (n as u32 + 100).div_ceil(64))?;
            let contact = |p: usize| {
                let (gap, bound, _) = pair_gap(&cloud, &dynamics, p);
                u32::from(gap < bound)
            };
            let wanted = [(0..n).map(contact).collect(), vec![0; 30], vec![9; 70]].concat();
            t.equal("contacts of pair", &h.read::<u32>("candidate_count")?, &wanted);
        }
    }
    Ok(())
}

fn detect_walls(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for n in [1, 21, 22, 500] {
        for reach_max in [0.0, 4e-3] {
            t.case(format!("{n} bodies, cohesion to {reach_max} L"));
            detect_at_planes(h, t, n, reach_max, None)?;
        }
    }
    Ok(())
}

fn detect_turning(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for vector in TURNS {
        t.case(format!("500 bodies, turning {vector:?}"));
        detect_at_planes(h, t, 500, 0.0, Some(Turn::new(vector)))?;
    }
    Ok(())
}

/// `n` bodies around their bounds at one plane each. A frame that carries all of them changes nothing.
fn detect_at_planes(h: &mut Harness, t: &mut Tally, n: usize, reach_max: f32, turn: Option<Turn>) -> Result<()> {
    let (planes, capacity) = (planes(), 40);
    let (count, dynamics) = (planes.len(), DynamicsParams { reach_max, ..DYNAMICS });
    let mut cloud = bodies(n, |_| 0.0, n as u64).moving(3e-3, n as u64 + 1);
    let gap = |cloud: &Cloud, b: usize, k: usize| {
        let (body, plane) = (&cloud.bodies[b], &planes[k]);
        let approach = windows(&plane.motion(), &body.view().velocity, 37).dot(plane.normal());
        (-overlap(&plane.state, cloud, b), bound(&dynamics, 2.0 * f64::from(body.radius), approach))
    };
    let mut random = random(n as u64 + 2);
    for b in 0..n {
        let (is, bound) = gap(&cloud, b, b % count);
        let by = (bound + margin(&mut random) - is) * planes[b % count].normal();
        shift(&mut cloud, b, by);
    }
    fill_planes(h, &cloud, &with_planes(&cloud, capacity))?;
    h.uniform("dynamics", &dynamics)?;
    if let Some(turn) = &turn {
        turn_all(h, &cloud, turn, dynamics)?;
    }
    h.fill("candidate_count", &vec![9u32; capacity + count * n + 70])?;
    h.run("detect_walls", (count * n + 70).div_ceil(64) as u32)?;
    let contact = |c: usize| {
        let (gap, bound) = gap(&cloud, c % n, c / n);
        u32::from(gap < bound)
    };
    let wanted = [vec![9; capacity], (0..count * n).map(contact).collect(), vec![9; 70]].concat();
    t.equal("contacts of body and plane", &h.read::<u32>("candidate_count")?, &wanted);
    Ok(())
}
