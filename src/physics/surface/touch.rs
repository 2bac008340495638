//! Forces of a surface on spheres by the contact law of the pairs: the surface is a sphere j at rest, of infinite mass and
//! radius.

use super::facet::Meeting;
use super::footprint::{Footprint, SLOTS, footprints};
use super::ground::Ground;
use crate::model::body::Bodies;
use crate::physics::contacts::{Moving, VAST};
use crate::physics::laws::contact::{ContactResult, ContactState, Springs, Twin};
use crate::physics::laws::pairs::Laws;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// A contact of a body with the surface in the step just done.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct SurfaceTouch {
    /// body
    pub i: u32,
    /// which of the body's contacts
    pub slot: u32,
    /// unit, out of the surface
    pub normal: DVec3,
    /// (m)
    pub overlap: f64,
    /// how often the law's force acts
    pub weight: f64,
    /// radius less the distance of the closest point of the surface (m)
    pub depth: f64,
    /// force, torques, losses times the weight; springs as they are
    pub result: ContactResult,
}

impl SurfaceTouch {
    fn footprint(&self) -> Footprint {
        Footprint { normal: self.normal, overlap: self.overlap, weight: self.weight }
    }
}

/// Contacts of body `i` in a list sorted by (i, slot).
pub fn of_body(list: &[SurfaceTouch], i: u32) -> &[SurfaceTouch] {
    let start = list.partition_point(|t| t.i < i);
    &list[start..start + list[start..].partition_point(|t| t.i == i)]
}

/// Normals of a body's contacts by slot; zero in empty slots.
pub fn normals(list: &[SurfaceTouch]) -> [DVec3; SLOTS] {
    let mut known = [DVec3::ZERO; SLOTS];
    list.iter().for_each(|t| known[t.slot as usize] = t.normal);
    known
}

/// Contacts of all bodies at this instant; `before`: those of the last step, both sorted by (i, slot).
pub fn touch_surface(
    ground: &Ground,
    laws: &Laws,
    bodies: &Bodies,
    moving: &[Moving],
    before: &[SurfaceTouch],
    dt: f64,
) -> Vec<SurfaceTouch> {
    let mut list = vec![];
    for (k, m) in moving.iter().enumerate() {
        let met = ground.met(m.position, bodies.radius_m[k]);
        let old = of_body(before, k as u32);
        let law = laws.of(bodies.material[k] as usize, ground.material);
        let now = footprints(ground.law, &met, bodies.radius_m[k], &normals(old));
        let depth = deepest(&met);
        for (slot, print) in now.iter().enumerate().filter(|(_, p)| p.weight > 0.0) {
            let last = old.iter().find(|t| t.slot as usize == slot);
            let result = force(law, bodies, k, m, print, last, dt);
            let Footprint { normal, overlap, weight } = *print;
            list.push(SurfaceTouch { i: k as u32, slot: slot as u32, normal, overlap, weight, depth, result });
        }
    }
    list
}

/// Depth of the closest point (m).
pub fn deepest(met: &[Meeting]) -> f64 {
    met.iter().map(|m| m.overlap).fold(0.0, f64::max)
}

fn force(
    law: &dyn Twin,
    bodies: &Bodies,
    k: usize,
    moving: &Moving,
    print: &Footprint,
    last: Option<&SurfaceTouch>,
    dt: f64,
) -> ContactResult {
    let radius = bodies.radius_m[k];
    let (before, springs) = last.map_or((0.0, Springs::default()), |t| (t.overlap, t.result.springs));
    let state = ContactState {
        normal: -print.normal,
        overlap: print.overlap,
        before,
        velocity: -moving.velocity_now,
        spin_i: moving.spin_now,
        spin_j: DVec3::ZERO,
        arm_i: radius - print.overlap,
        arm_j: VAST,
        mass: bodies.mass_kg[k],
        radius,
        springs,
    };
    let mut r = law.force(&state, dt);
    let w = print.weight;
    (r.force, r.torque_i, r.torque_j) = (w * r.force, w * r.torque_i, DVec3::ZERO);
    r.dissipated.iter_mut().for_each(|d| *d *= w);
    if let Some(last) = last {
        // Springs of which more or fewer count than before hold more or less.
        let held = law.held(radius, before, &springs);
        r.dissipated[1..].iter_mut().zip(held).for_each(|(d, e)| *d += (last.weight - w) * e);
        r.dissipated[0] += strayed(law, radius, &last.footprint(), print, moving.velocity * dt);
    }
    r
}

/// Energy lost because elastic forces whose weights change have no potential (J): what is stored less, and did no work on
/// the way `moved` (m). Zero on a plane, of either sign over edges.
fn strayed(law: &dyn Twin, radius: f64, last: &Footprint, now: &Footprint, moved: DVec3) -> f64 {
    let push = |p: &Footprint| p.weight * law.normal(radius, p.overlap).force * p.normal;
    let stored = |p: &Footprint| p.weight * law.normal(radius, p.overlap).energy;
    stored(last) - stored(now) - 0.5 * (push(last) + push(now)).dot(moved)
}
