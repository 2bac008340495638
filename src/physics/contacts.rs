//! Who touches whom, and what the law makes of it: pairs by a sweep along x, walls one by one.

use super::laws::contact::{ContactResult, ContactState, Springs};
use super::laws::pairs::Laws;
use crate::model::body::Bodies;
use crate::model::scenario::Wall;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// What moves of a body.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct Moving {
    /// (m)
    pub position: DVec3,
    /// half a step behind, but for the start (m/s)
    pub velocity: DVec3,
    /// likewise (rad/s)
    pub spin: DVec3,
    /// predicted for this instant (m/s)
    pub velocity_now: DVec3,
    /// predicted for this instant (rad/s)
    pub spin_now: DVec3,
    /// acceleration by held gravity (m/s2)
    pub held: DVec3,
}

impl Moving {
    /// Body `k` as it starts.
    pub(crate) fn at_start(bodies: &Bodies, k: usize) -> Moving {
        Moving {
            position: bodies.position_m[k],
            velocity: bodies.velocity_m_s[k],
            spin: bodies.spin_rad_s[k],
            velocity_now: bodies.velocity_m_s[k],
            spin_now: bodies.spin_rad_s[k],
            held: DVec3::ZERO,
        }
    }
}

/// A wall as a sphere: a lever arm (m) and a mass (kg) beyond measure, yet finite, so that zero times them is zero.
pub(crate) const VAST: f64 = 1e30;

/// A contact in the step just done: a pair of bodies i < j, or body i and wall j.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct Touch {
    /// body
    pub i: u32,
    /// body or wall
    pub j: u32,
    /// (m), positive
    pub overlap: f64,
    /// what the law gave
    pub result: ContactResult,
}

/// Effective radius R_e of two spheres (m).
pub fn effective_radius(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}

/// Overlap (m) and springs of a contact in a list sorted by (i, j); 0 and relaxed if it is not there.
fn remembered(list: &[Touch], i: u32, j: u32) -> (f64, Springs) {
    let found = list.binary_search_by_key(&(i, j), |t| (t.i, t.j));
    found.map_or((0.0, Springs::default()), |k| (list[k].overlap, list[k].result.springs))
}

/// Contacts of `before` that are not in `now`, both sorted by (i, j).
pub fn ended<'a>(before: &'a [Touch], now: &'a [Touch]) -> impl Iterator<Item = &'a Touch> {
    before.iter().filter(|t| now.binary_search_by_key(&(t.i, t.j), |n| (n.i, n.j)).is_err())
}

/// Pairs (i < j) with less than `reach` (m) between their surfaces, sorted.
pub(crate) fn near_pairs(position: &[DVec3], radius: &[f64], reach: f64) -> Vec<(u32, u32)> {
    let left = |k: usize| position[k].x - radius[k];
    let mut order: Vec<usize> = (0..position.len()).collect();
    order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
    let mut pairs = vec![];
    for (index, &a) in order.iter().enumerate() {
        let right = position[a].x + radius[a] + reach;
        for &b in order[index + 1..].iter().take_while(|b| left(**b) < right) {
            if position[a].distance(position[b]) < radius[a] + radius[b] + reach {
                pairs.push((a.min(b) as u32, a.max(b) as u32));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Contacts between bodies at this instant; `before`: those of the last step.
pub fn touch_pairs(laws: &Laws, bodies: &Bodies, moving: &[Moving], before: &[Touch], dt: f64) -> Vec<Touch> {
    let position: Vec<DVec3> = moving.iter().map(|m| m.position).collect();
    touch_listed(near_pairs(&position, &bodies.radius_m, 0.0), laws, bodies, moving, before, dt)
}

/// Contacts of pairs (i < j) that are known to touch, sorted.
pub(crate) fn touch_listed(
    pairs: Vec<(u32, u32)>,
    laws: &Laws,
    bodies: &Bodies,
    moving: &[Moving],
    before: &[Touch],
    dt: f64,
) -> Vec<Touch> {
    let touch = |(i, j): (u32, u32)| {
        let (a, b) = (i as usize, j as usize);
        let (ra, rb) = (bodies.radius_m[a], bodies.radius_m[b]);
        let d = moving[b].position - moving[a].position;
        let distance = d.length();
        let law = laws.of(bodies.material[a] as usize, bodies.material[b] as usize);
        let arm_i = law.arm(ra, rb, distance);
        let (last, springs) = remembered(before, i, j);
        let state = ContactState {
            normal: d / distance,
            overlap: ra + rb - distance,
            before: last,
            velocity: moving[b].velocity_now - moving[a].velocity_now,
            spin_i: moving[a].spin_now,
            spin_j: moving[b].spin_now,
            arm_i,
            arm_j: distance - arm_i,
            mass: 1.0 / (1.0 / bodies.mass_kg[a] + 1.0 / bodies.mass_kg[b]),
            radius: effective_radius(ra, rb),
            springs,
        };
        Touch { i, j, overlap: state.overlap, result: law.force(&state, dt) }
    };
    pairs.into_iter().map(touch).collect()
}

/// Contacts between bodies and walls after `step` steps of `dt`; `before`: those of the last step.
pub fn touch_walls(
    laws: &Laws,
    bodies: &Bodies,
    walls: &[Wall],
    moving: &[Moving],
    before: &[Touch],
    (step, dt): (u64, f64),
) -> Vec<Touch> {
    let t = step as f64 * dt;
    let touch = |i: usize, j: usize| {
        let (radius, wall) = (bodies.radius_m[i], &walls[j]);
        let (normal, above) = wall.facing(moving[i].position, t);
        let (last, springs) = remembered(before, i as u32, j as u32);
        let state = ContactState {
            normal: -normal,
            overlap: radius - above,
            before: last,
            velocity: wall.velocity_m_s - moving[i].velocity_now,
            spin_i: moving[i].spin_now,
            spin_j: DVec3::ZERO,
            arm_i: above,
            arm_j: VAST,
            mass: bodies.mass_kg[i],
            radius,
            springs,
        };
        let law = laws.of(bodies.material[i] as usize, wall.material);
        (above < radius).then(|| Touch {
            i: i as u32,
            j: j as u32,
            overlap: state.overlap,
            result: law.force(&state, dt),
        })
    };
    let standing: Vec<usize> = (0..walls.len()).filter(|j| walls[*j].stands(step, dt)).collect();
    (0..bodies.len()).flat_map(|i| standing.iter().filter_map(move |j| touch(i, *j))).collect()
}
