//! Points that carry two polyhedra on each other: how many, where, and that they keep their names.

use super::cloud::{random, vector};
use super::dynamics_shapes::{Clipped, Pairs, REACH, Two, any_gap, clipped, on_grid, pairs, rounded, starts};
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::geometry::narrow::Plane;
use crate::geometry::narrow::manifold::{POINTS, manifold};
use crate::geometry::narrow::points::{Point, area};
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::geometry::solids::cuboid;
use crate::model::body::Polyhedra;
use glam::{DMat3, DQuat, DVec2, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::{FRAC_PI_4, TAU};

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_manifolds",
    compares: "Contact points lie on both polyhedra, have the right number, and keep their names.",
    bounds: "Sides are moved out by 1e-4 of the smaller radius; boxes need about 20 operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["clip_manifolds"],
        what: "points lie on both bodies",
        unit: "of both radii",
        bound: 1e-3,
        reason: "sides are moved out by 1e-4 of the smaller radius; a single point is as good as the plane and its link",
        compare: surfaces,
    },
    Check {
        passes: &["clip_manifolds"],
        what: "boxes on faces, edges, corners: kinds, gaps, overlaps held, names kept",
        unit: "of both radii",
        bound: 1e-6,
        reason: "corners, normals and about 20 operations at 6e-8",
        compare: boxes,
    },
    Check {
        passes: &["clip_manifolds"],
        what: "prisms of 9 to 12 sides on each other: the least gap, and four points for half of the overlap or more",
        unit: "of both radii",
        bound: 1e-4,
        reason: "a lowest point goes if another is as low to 1e-4 of the smaller radius",
        compare: prisms,
    },
    Check {
        passes: &["clip_manifolds"],
        what: "frustums that lean on tables with an end that looks away: points lie on both, the least gap",
        unit: "of both radii",
        bound: 1e-4,
        reason: "a lowest point goes if another is as low to 1e-4 of the smaller radius",
        compare: frustums,
    },
];

/// True if a convex loop holds `at`, seen along `normal`, to a thousandth of its area.
pub(super) fn holds(outline: &[DVec3], at: DVec3, normal: DVec3) -> bool {
    let sides = |k: usize| {
        let (a, b) = (outline[k], outline[(k + 1) % outline.len()]);
        (b - a).cross(at - a).dot(normal)
    };
    let all: Vec<f64> = (0..outline.len()).map(sides).collect();
    let slack = 1e-3 * all.iter().sum::<f64>().abs();
    all.iter().all(|s| *s >= -slack) || all.iter().all(|s| *s <= slack)
}

/// Height of a point above the surface of a body: 0 on it.
fn height(p: &Pairs, body: usize, at: DVec3) -> f64 {
    let local = p.polyhedra.orientation[body].inverse() * at;
    p.polyhedra.of(body).parts[0]
        .faces
        .iter()
        .map(|f| f.normal.dot(local) - f.offset_m)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Half the gap up from a point is the one body, half the gap down the other.
fn compare_surfaces(t: &mut Tally, p: &Pairs, k: usize, found: &Clipped) {
    let between = p.positions[2 * k] - p.positions[2 * k + 1];
    for (arm, gap) in &found.points {
        let half = 0.5 * *gap * found.normal;
        t.off("first body of pair", k, height(p, 2 * k, *arm + half).abs() / p.size(k));
        t.off("second body of pair", k, height(p, 2 * k + 1, between + *arm - half).abs() / p.size(k));
    }
}

fn surfaces(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("1,000 pairs, from a step before");
    let p = pairs(1_000, 6, any_gap);
    let found = clipped(h, t, &p, &starts(&p, true, &mut random(16)))?;
    for (k, found) in found.iter().enumerate() {
        compare_surfaces(t, &p, k, found);
    }
    Ok(())
}

/// How a box rests on another: 1 on a corner, 2 on an edge, 3 on a face.
struct Stand {
    kind: usize,
    gap: f64,
    /// of the overlap of faces, from the first body's centre (L)
    centre: DVec3,
}

/// The first box turned so that its corner, an edge or a face points down; its lower side is level.
fn attitude(kind: usize, turn: DQuat, down: usize, s: &ConvexPolyhedron, random: &mut Pcg64Mcg) -> DQuat {
    let up = turn * DVec3::AXES[down];
    let spin = DQuat::from_axis_angle(up, random.random_range(0.0..6.0));
    match kind {
        1 => spin * DQuat::from_rotation_arc((turn * s.vertices_m[0]).normalize(), -up) * turn,
        2 => spin * DQuat::from_axis_angle(turn * DVec3::AXES[(down + 1) % 3], FRAC_PI_4) * turn,
        _ => spin * turn,
    }
}

/// Middle of the overlap of two intervals about 0 and `at`, from `at`.
fn overlap([here, there]: [f64; 2], at: f64) -> f64 {
    0.5 * ((-here).max(at - there) + here.min(at + there)) - at
}

/// A box on the face of another: level faces are at any angle about a common middle, or shifted with sides parallel;
/// every sixth pair is two equal boxes corner on corner.
fn stand(case: usize, random: &mut Pcg64Mcg) -> ([ConvexPolyhedron; 2], [DQuat; 2], DVec3, Stand) {
    let kind = [3, 2, 1, 3, 3, 3][case % 6];
    let size = |random: &mut Pcg64Mcg, scale: f64| {
        scale * DVec3::from_array([0; 3].map(|_: i32| random.random_range(0.3..0.5)))
    };
    let lower = size(random, 1.0);
    let upper = match (case % 6, kind) {
        (5, _) => lower,
        (_, 3) => size(random, 1.0),
        _ => size(random, 0.4),
    };
    let bodies = [upper, lower].map(|s| cuboid(s).expect("boxes can be made"));
    let down = random.random_range(0..3);
    let turn = rounded(DQuat::from_scaled_axis(3.0 * vector(random)));
    let [half, other] = [&bodies[0], &bodies[1]].map(|b| 0.5 * b.extents_m());
    let aligned = kind == 3 && case % 6 > 3;
    let turn_i = if aligned { turn } else { rounded(attitude(kind, turn, down, &bodies[0], random)) };
    let up = turn * DVec3::AXES[down];
    let aside = if case % 6 == 4 { 0.8 * (half + other) * vector(random) } else { DVec3::ZERO };
    let gap = random.random_range(-1e-4..0.8 * REACH) * (bodies[0].radius_m + bodies[1].radius_m);
    let low = bodies[0].vertices_m.iter().map(|v| (turn_i * *v).dot(up)).fold(f64::INFINITY, f64::min);
    let apart = turn * (aside - aside[down] * DVec3::AXES[down]) + (other[down] - low + gap) * up;
    let middle = DVec3::from_array([0, 1, 2].map(|k| overlap([other[k], half[k]], aside[k])));
    let centre = if aligned { turn * (middle - middle[down] * DVec3::AXES[down]) } else { DVec3::ZERO };
    (bodies, [turn_i, turn], apart, Stand { kind, gap, centre: centre + low * up })
}

/// Boxes, and the normals of their contacts as truth.
fn stands(count: usize, random: &mut Pcg64Mcg) -> (Pairs, Vec<Stand>) {
    let (mut twos, mut stands) = (vec![], vec![]);
    for case in 0..count {
        let (bodies, turns, apart, stand) = stand(case, random);
        let base = 20.0 * vector(random);
        let plane = Plane { normal: apart.normalize(), gap_m: stand.gap };
        twos.push((Two { bodies, turns, at: [base + apart, base].map(on_grid) }, plane));
        stands.push(stand);
    }
    (Pairs::of(twos), stands)
}

/// A prism, and the outward normal of one of its ends. Half of them have a tip.
fn prism(radius: f64, random: &mut Pcg64Mcg) -> (ConvexPolyhedron, DVec3) {
    let sides = random.random_range(9..13);
    let tip = if random.random() { 1.5 } else { 1.0 };
    let size = |k: u32| radius * if k == 0 { tip } else { 1.0 };
    let corner = |k: u32| DVec2::from_angle(TAU * f64::from(k) / f64::from(sides)) * size(k);
    let mut corners: Vec<DVec3> = (0..sides).flat_map(|k| [0.0, radius].map(|z| corner(k).extend(z))).collect();
    if random.random() {
        // a rim so little lower than the ends that its corners touch what they lie on as well
        let rim = 0.012 * radius;
        corners.extend((0..sides).flat_map(|k| [rim, radius - rim].map(|z| (1.3 * corner(k)).extend(z))));
    }
    let body = ConvexPolyhedron::from_points(&corners).expect("prisms can be made");
    let end = body.faces.iter().max_by_key(|f| f.vertices.len()).expect("a prism has faces");
    let normal = end.normal;
    (body, normal)
}

/// Prisms that stand on each other at a small tilt. One covers the other, or both do in part.
fn prism_on_prism(case: usize, random: &mut Pcg64Mcg) -> Two {
    let [radius, other_radius] = [[0.2, 0.35], [0.35, 0.2], [0.3, 0.32]][case % 3];
    let ((upper, down), (lower, end)) = (prism(radius, random), prism(other_radius, random));
    let turn = rounded(DQuat::from_scaled_axis(3.0 * vector(random)));
    let up = turn * end;
    let tilt = DQuat::from_axis_angle(up.any_orthonormal_vector(), 5e-3);
    let spin = DQuat::from_axis_angle(up, random.random_range(0.0..6.0));
    let turn_upper = rounded(tilt * spin * DQuat::from_rotation_arc(down, -up));
    let aside = if case % 3 == 2 { 0.1 * vector(random).reject_from_normalized(up) } else { DVec3::ZERO };
    let base = 20.0 * vector(random);
    let clear = upper.radius_m + lower.radius_m;
    let gap = random.random_range(-1e-4..1e-4) * clear;
    let place = |height: f64| [base + aside + height * up, base].map(on_grid);
    let mut two = Two { bodies: [upper, lower], turns: [turn_upper, turn], at: place(clear) };
    two.at = place(clear - (two.plane().gap_m - gap));
    two
}

/// A frustum that leans on three corners of its wide end so far that this end looks away from the table below it, over
/// a place of the table near its edge.
fn leaning(random: &mut Pcg64Mcg) -> Two {
    let corners = [-6.0f64, 0.0, 6.0, 70.0, 140.0, 220.0, 290.0].map(f64::to_radians);
    let ring = |(radius, z): (f64, f64)| corners.map(|a| (radius * DVec2::from_angle(a)).extend(z));
    let points: Vec<DVec3> = [(0.4, 0.0), (0.24, 0.6)].into_iter().flat_map(ring).collect();
    let made = ConvexPolyhedron::from_points(&points).expect("a frustum can be made");
    let table = cuboid(DVec3::new(1.6, 1.6, 0.4)).expect("boxes can be made");
    // the axis 10 degrees below the horizon, the middle one of the three corners down
    let axis = DVec3::new(10f64.to_radians().cos(), 0.0, -10f64.to_radians().sin());
    let down = DVec3::new(axis.z, 0.0, -axis.x);
    let lean = DQuat::from_mat3(&DMat3::from_cols(down, axis.cross(down), axis));
    let spin = DQuat::from_rotation_z(random.random_range(0.0..6.0));
    let turn = rounded(DQuat::from_scaled_axis(3.0 * vector(random)));
    let upper = rounded(turn * spin * lean * made.axes);
    let at = DVec3::new(random.random_range(-0.78..0.78), random.random_range(-0.78..0.78), 0.2);
    let height = |v: &DVec3| (turn.inverse() * *v).z;
    let corners = made.vertices_m.iter().map(|v| upper * *v);
    let low = corners.min_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or_default();
    let base = 20.0 * vector(random);
    Two { bodies: [made, table], turns: [upper, turn], at: [base + turn * at - low, base].map(on_grid) }
}

fn prisms(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("600 prisms on prisms");
    let mut random = random(9);
    let p = Pairs::of((0..600).map(|case| prism_on_prism(case, &mut random).with_plane()));
    for (k, (found, truth)) in clipped(h, t, &p, &p.normals())?.iter().zip(&p.truth).enumerate() {
        let whole = manifold(&p.placed(2 * k), &p.placed(2 * k + 1), *truth, REACH * p.size(k), POINTS as usize);
        t.off("least gap of pair", k, (found.least_gap() - truth.gap_m).abs() / p.size(k));
        t.equal("kind and points", &[found.kind as usize, found.points.len()], &[3, 4]);
        let points: Vec<_> = found
            .points
            .iter()
            .map(|(position_m, gap_m)| Point { position_m: *position_m, gap_m: *gap_m, key: 0 })
            .collect();
        let half = area(&points, found.normal) >= 0.5 * whole.area_m2;
        t.equal("half of the overlap", &[half], &[true]);
    }
    Ok(())
}

fn frustums(h: &mut Harness, t: &mut Tally) -> Result<()> {
    t.case("300 frustums that lean on tables");
    let mut random = random(10);
    let p = Pairs::of((0..300).map(|_| leaning(&mut random).with_plane()));
    for (k, (found, truth)) in clipped(h, t, &p, &p.normals())?.iter().zip(&p.truth).enumerate() {
        t.off("least gap of pair", k, (found.least_gap() - truth.gap_m).abs() / p.size(k));
        compare_surfaces(t, &p, k, found);
    }
    Ok(())
}

/// The bodies after a small move.
fn moved(p: &Pairs, random: &mut Pcg64Mcg) -> Pairs {
    let positions = p.positions.iter().map(|x| *x + 1e-6 * vector(random)).collect();
    let turn = |q: &DQuat| rounded(DQuat::from_scaled_axis(1e-6 * vector(random)) * *q);
    let orientation = p.polyhedra.orientation.iter().map(turn).collect();
    Pairs { polyhedra: Polyhedra { orientation, ..p.polyhedra.clone() }, positions, truth: p.truth.clone() }
}

fn sorted(names: &[u32]) -> Vec<u32> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names
}

fn boxes(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for seed in [7, 8] {
        t.case(format!("1,200 boxes on boxes, seed {seed}"));
        let mut random = random(seed);
        let (p, stands) = stands(1_200, &mut random);
        let found = clipped(h, t, &p, &[])?;
        for (k, (stand, found)) in stands.iter().zip(&found).enumerate() {
            t.equal("kind", &[found.kind], &[stand.kind as u32]);
            t.equal("points", &[found.points.len()], &[[1, 2, 4][stand.kind - 1]]);
            let names = sorted(&found.names);
            t.equal("names that differ", &[names.windows(2).all(|w| w[0] < w[1])], &[true]);
            for (_, gap) in &found.points {
                t.off("gap of pair", k, (gap - stand.gap).abs() / p.size(k));
            }
            if stand.kind == 3 {
                let points: Vec<_> = found.points.iter().map(|p| p.0).collect();
                t.equal("overlap held", &[holds(&points, stand.centre, found.normal)], &[true]);
            }
        }
        let normals: Vec<_> = found.iter().map(|f| f.normal).collect();
        let after = clipped(h, t, &moved(&p, &mut random), &normals)?;
        let changed = found.iter().zip(&after).filter(|(a, b)| sorted(&a.names) != sorted(&b.names)).count();
        // If more than four corners matter about the same, a move may decide which one is dropped.
        t.hold(if changed <= 2 { Ok(()) } else { Err(format!("names of {changed} pairs after a move")) });
    }
    Ok(())
}
