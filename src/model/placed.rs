//! Bodies at their positions: their convex parts, and the gap between two of them.

use super::body::{Bodies, Polyhedra};
use crate::geometry::narrow::Placed;
use crate::geometry::narrow::common_plane::{Link, common_plane};
use crate::geometry::narrow::contact::contact;
use crate::geometry::narrow::manifold::{Manifold, POINTS};
use glam::DVec3;

/// The parts of body `k` at their positions, its mass centre at `position_m` (m).
pub fn placed(p: &Polyhedra, k: usize, position_m: DVec3) -> Vec<Placed<'_>> {
    p.parts(k).iter().map(|part| Placed::new(part, position_m, p.orientation[k])).collect()
}

/// Gap between two bodies, spheres or polyhedra; below zero they overlap (m). Of polyhedra farther apart than `far_m`
/// any gap above that.
pub fn gap_m(bodies: &Bodies, i: usize, j: usize, far_m: f64) -> f64 {
    let apart = bodies.position_m[i] - bodies.position_m[j];
    let spheres = apart.length() - bodies.radius_m[i] - bodies.radius_m[j];
    let Some(p) = bodies.polyhedra.as_ref().filter(|_| spheres <= far_m) else {
        return spheres;
    };
    let normal = apart.try_normalize().unwrap_or(DVec3::X);
    let [own, other] = [i, j].map(|k| placed(p, k, bodies.position_m[k]));
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let gap = |(a, b)| common_plane(a, b, Link { normal, corners: vec![] }, far_m).plane.gap_m;
    pairs.map(gap).fold(f64::INFINITY, f64::min)
}

/// Where two bodies touch (m): of spheres the point on the line of centres that divides it as the radii do, of polyhedra the
/// middle of the contact points of their nearest parts. `far_m`: largest gap of bodies that touch.
pub fn touch_m(bodies: &Bodies, i: usize, j: usize, far_m: f64) -> DVec3 {
    let (at, radius) = (&bodies.position_m, &bodies.radius_m);
    let spheres = at[i].lerp(at[j], radius[i] / (radius[i] + radius[j]));
    let Some(p) = &bodies.polyhedra else { return spheres };
    let start = || Link { normal: (at[i] - at[j]).try_normalize().unwrap_or(DVec3::X), corners: vec![] };
    let [own, other] = [i, j].map(|k| placed(p, k, at[k]));
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let found = pairs.filter_map(|(a, b)| contact(a, b, start(), far_m, POINTS as usize).0);
    let middle = |m: Manifold| m.points.iter().map(|p| p.position_m).sum::<DVec3>() / m.points.len() as f64;
    found.min_by(|a, b| a.gap_m.total_cmp(&b.gap_m)).map_or(spheres, middle)
}
