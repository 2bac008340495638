//! What a sphere feels of all the facets that it meets: a few contacts, each one normal, overlap and weight, whose force
//! is the contact law's for that normal and overlap, times the weight.
//!
//! Area-weighted (Song et al. 2024, eq. 6): facets that face alike make one contact, of which
//! weight x overlap x normal = sum of share x (R - h) x normal and whose weight is the sum of the shares, of a facet that is
//! less deep than the closest point in proportion to that, so that it joins without a jump. Closest feature: a contact at
//! every closest point that no deeper one accounts for.

use super::facet::Meeting;
use crate::model::scenario::SurfaceLaw;
use glam::DVec3;

/// Contacts of a sphere with a surface at most.
pub const SLOTS: usize = 4;
/// Facets that face so much alike (cosine of the angle) are one contact, and a contact that has turned no more since the
/// last step is the same one.
pub const ALIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A contact in the making; weight 0: none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Footprint {
    /// unit, out of the surface
    pub normal: DVec3,
    /// (m)
    pub overlap: f64,
    /// how often the law's force acts
    pub weight: f64,
}

/// Contacts of a sphere of this radius; `before`: normals at the last step, zero where there was no contact. A contact
/// that goes on keeps its slot.
pub fn footprints(law: SurfaceLaw, met: &[Meeting], radius: f64, before: &[DVec3; SLOTS]) -> [Footprint; SLOTS] {
    match law {
        SurfaceLaw::AreaWeighted => by_area(met, radius, before),
        SurfaceLaw::ClosestFeature => by_feature(met, radius, before),
    }
}

/// The slot of `normal` among directions that are taken or were: the one most alike, else the first that is free.
fn slot_of(normal: DVec3, known: &[DVec3; SLOTS], free: impl Fn(usize) -> bool) -> Option<usize> {
    let likeness = |k: &usize| known[*k].dot(normal);
    // of equals the first
    let best = (0..SLOTS).rev().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|k| likeness(k) > ALIKE).or_else(|| (0..SLOTS).find(|k| free(*k)))
}

fn by_area(met: &[Meeting], radius: f64, before: &[DVec3; SLOTS]) -> [Footprint; SLOTS] {
    let mut known = *before;
    let depth = met.iter().map(|m| m.overlap).fold(0.0, f64::max);
    let (mut sum, mut weight) = ([DVec3::ZERO; SLOTS], [0.0; SLOTS]);
    for m in met {
        // More directions than slots: the last one takes what is left.
        let k = slot_of(m.normal, &known, |k| known[k] == DVec3::ZERO).unwrap_or(SLOTS - 1);
        if known[k] == DVec3::ZERO {
            known[k] = m.normal;
        }
        let overlap = radius - m.height;
        sum[k] += m.share * overlap * m.normal;
        weight[k] += m.share * (overlap / (WHOLE * depth)).min(1.0);
    }
    let contact = |k: usize| match weight[k] {
        0.0 => Footprint::default(),
        w => Footprint { normal: sum[k].normalize(), overlap: sum[k].length() / w, weight: w },
    };
    std::array::from_fn(contact)
}

/// Share of an overlap that must be left, so that rounding makes no contact of what `beyond` gives 0 for.
pub const SLACK: f64 = 0.02;
/// Part of the depth of the closest point from which on a facet counts whole: below 1 for rounding's sake.
pub const WHOLE: f64 = 0.9;

/// How far the plane across the deeper contact `a` lies behind the sphere in the direction of `m`, less how far it lies
/// behind at `a` (m); infinite where it turns away by a right angle.
fn behind(m: &Meeting, a: &Footprint, radius: f64) -> f64 {
    let cosine = m.towards.dot(a.normal);
    let apart = 0.5 * m.towards.distance_squared(a.normal); // 1 - cosine
    if cosine > 0.0 { (radius - a.overlap) * apart / cosine } else { f64::INFINITY }
}

/// Part of `m`'s overlap that the deeper contact `a` does not account for: points of the plane across `a` account for
/// nothing, and a plane that turns away from it by less than the sphere's cap for what it reaches beyond that.
fn beyond(m: &Meeting, a: &Footprint, radius: f64) -> f64 {
    m.overlap - a.overlap + behind(m, a, radius)
}

/// Part of its weight that `m` keeps beside the contact `a`. On the circle in which the plane across `a` cuts the sphere
/// (`behind` = overlap) it is the ratio of the elastic energies: what is barely reached there belongs to the same contact,
/// whose cohesion and damping count once. Where two such circles lie beside each other (twice the angle, `behind` = four
/// overlaps) it is 1.
fn kept(m: &Meeting, a: &Footprint, radius: f64) -> f64 {
    if a.weight == 0.0 {
        return 1.0;
    }
    let away = ((behind(m, a, radius) / a.overlap - 1.0) / 3.0).clamp(0.0, 1.0);
    let near = (m.overlap / a.overlap).min(1.0).powi(2);
    near + (1.0 - near) * away
}

fn by_feature(met: &[Meeting], radius: f64, before: &[DVec3; SLOTS]) -> [Footprint; SLOTS] {
    let mut left: Vec<f64> = met.iter().map(|m| m.overlap).collect();
    let mut known = *before;
    let mut list = [Footprint::default(); SLOTS];
    for _ in 0..SLOTS {
        // of equals the first
        let Some(a) = (0..met.len()).rev().max_by(|a, b| left[*a].total_cmp(&left[*b])).filter(|a| left[*a] > 0.0)
        else {
            break;
        };
        let (m, rest) = (&met[a], left[a]);
        let taken = |k: usize| list[k].weight > 0.0;
        let Some(k) = slot_of(m.towards, &known, |k| known[k] == DVec3::ZERO && !taken(k))
            .or_else(|| (0..SLOTS).find(|k| !taken(*k)))
        else {
            break;
        };
        let part = list.iter().map(|other| kept(m, other, radius)).fold(1.0, f64::min);
        list[k] = Footprint { normal: m.towards, overlap: m.overlap, weight: part * rest / m.overlap };
        known[k] = DVec3::ZERO;
        for (rest, other) in left.iter_mut().zip(met) {
            *rest = rest.min(beyond(other, &list[k], radius) - SLACK * other.overlap);
        }
        left[a] = 0.0;
    }
    list
}
