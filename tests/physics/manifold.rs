//! Contact points of convex polyhedra: kinds, positions, gaps, areas, keys that stay, and what the chosen points can
//! carry.

use breccia::geometry::generate::{Grains, direction, grain};
use breccia::geometry::narrow::common_plane::Link;
use breccia::geometry::narrow::contact::contact;
use breccia::geometry::narrow::manifold::{Kind, Manifold, manifold};
use breccia::geometry::narrow::{Placed, truth};
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::geometry::solids::{Regular, cuboid, regular};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::f64::consts::{FRAC_PI_4, PI};

const REACH_M: f64 = 0.02;

fn touch(i: &Placed, j: &Placed, points_max: usize) -> Manifold {
    manifold(i, j, truth::common_plane(i, j), REACH_M, points_max)
}

fn keys(m: &Manifold) -> Vec<u32> {
    let mut keys: Vec<u32> = m.points.iter().map(|p| p.key).collect();
    keys.sort_unstable();
    keys
}

/// Points as (x, y, gap), sorted.
fn points_of(m: &Manifold) -> Vec<[f64; 3]> {
    let mut list: Vec<[f64; 3]> = m.points.iter().map(|p| [p.position_m.x, p.position_m.y, p.gap_m]).collect();
    list.sort_by(|a, b| a.partial_cmp(b).unwrap());
    list
}

fn near(a: &[[f64; 3]], b: &[[f64; 3]], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(x, y)| (x - y).abs() < tolerance)
}

/// A cube of 2 on a plate of 6 x 4 x 2, at (x, y), turned by `turn` before it is put down with a gap.
fn cube_on_plate(turn: DQuat, x: f64, y: f64, gap_m: f64, points_max: usize) -> Manifold {
    let (cube, plate) = (cuboid(DVec3::splat(2.0)).unwrap(), cuboid(DVec3::new(6.0, 4.0, 2.0)).unwrap());
    let low = cube.vertices_m.iter().map(|v| (turn * *v).z).fold(f64::INFINITY, f64::min);
    let i = Placed::new(&cube, DVec3::new(x, y, 1.0 - low + gap_m), turn);
    touch(&i, &Placed::new(&plate, DVec3::ZERO, plate.axes), points_max)
}

#[test]
fn a_cube_on_a_plate() {
    for gap_m in [0.01, 0.0, -0.003] {
        let m = cube_on_plate(DQuat::IDENTITY, 1.0, 0.5, gap_m, 4);
        assert_eq!((m.kind, m.points.len()), (Kind::FaceFace, 4));
        assert!(
            (m.normal - DVec3::Z).length() < 1e-12 && (m.gap_m - gap_m).abs() < 1e-12 && (m.area_m2 - 4.0).abs() < 1e-9
        );
        let wanted = [[0.0, -0.5, gap_m], [0.0, 1.5, gap_m], [2.0, -0.5, gap_m], [2.0, 1.5, gap_m]];
        assert!(near(&points_of(&m), &wanted, 1e-12), "{m:?}");
        assert!(m.points.iter().all(|p| (p.position_m.z - (1.0 + 0.5 * gap_m)).abs() < 1e-12));
        // hanging over the rim by half: sides are 1e-5 of the cube's radius farther out
        let m = cube_on_plate(DQuat::IDENTITY, 3.0, 0.0, gap_m, 4);
        let wanted = [[2.0, -1.0, gap_m], [2.0, 1.0, gap_m], [3.0, -1.0, gap_m], [3.0, 1.0, gap_m]];
        assert!(near(&points_of(&m), &wanted, 2e-5) && (m.area_m2 - 2.0).abs() < 1e-4, "{m:?}");
        assert_eq!(cube_on_plate(DQuat::IDENTITY, 1.0, 0.5, gap_m, 3).points.len(), 3);
    }
}

#[test]
fn an_edge_and_a_corner_on_a_plate() {
    let edge = cube_on_plate(DQuat::from_rotation_x(FRAC_PI_4), 0.5, 0.5, 0.001, 3);
    assert_eq!(edge.kind, Kind::FaceEdge);
    assert!(near(&points_of(&edge), &[[-0.5, 0.5, 0.001], [1.5, 0.5, 0.001]], 1e-12), "{edge:?}");
    let upright = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let corner = cube_on_plate(upright, 0.25, 0.5, -0.001, 3);
    assert_eq!(corner.kind, Kind::Point);
    assert!(near(&points_of(&corner), &[[0.25, 0.5, -0.001]], 1e-12), "{corner:?}");
    assert!((corner.normal - DVec3::Z).length() < 1e-12);
}

/// A cube tilted about y by `angle` has the far edge 2 sin(angle) higher: within reach it counts, with its own gap.
#[test]
fn a_tilted_face_has_all_points_within_reach() {
    for (angle, kind) in
        [(1e-6, Kind::FaceFace), (0.009, Kind::FaceFace), (0.011, Kind::FaceEdge), (0.3, Kind::FaceEdge)]
    {
        let m = cube_on_plate(DQuat::from_rotation_y(angle), 0.5, 0.5, 0.0, 4);
        assert_eq!(m.kind, kind, "{angle}: {m:?}");
        let mut gaps: Vec<f64> = m.points.iter().map(|p| p.gap_m).collect();
        gaps.sort_by(f64::total_cmp);
        let rise = 2.0 * angle.sin();
        let wanted: &[f64] = if kind == Kind::FaceFace { &[0.0, 0.0, rise, rise] } else { &[0.0, 0.0] };
        assert!(gaps.len() == wanted.len() && gaps.iter().zip(wanted).all(|(g, w)| (g - w).abs() < 1e-12), "{gaps:?}");
        // the lowest edge is among three chosen points too
        let three = cube_on_plate(DQuat::from_rotation_y(angle), 0.5, 0.5, 0.0, 3);
        assert!(three.points.iter().map(|p| p.gap_m).fold(1.0, f64::min).abs() < 1e-12);
    }
    // a small face at a slope of more than a tenth does not count, though its far edge is within reach
    let (chip, plate) = (cuboid(DVec3::splat(0.02)).unwrap(), cuboid(DVec3::new(6.0, 4.0, 2.0)).unwrap());
    for (angle, kind) in [(0.09, Kind::FaceFace), (0.11, Kind::FaceEdge)] {
        let i = Placed::new(&chip, DVec3::Z * 1.011, DQuat::from_rotation_y(angle));
        assert_eq!(touch(&i, &Placed::new(&plate, DVec3::ZERO, plate.axes), 3).kind, kind, "{angle}");
    }
}

#[test]
fn crossed_edges_meet_in_one_point() {
    let cube = cuboid(DVec3::splat(2.0)).unwrap();
    for gap_m in [0.015, -0.001] {
        let (up, down) = (DQuat::from_rotation_x(FRAC_PI_4), DQuat::from_rotation_y(FRAC_PI_4));
        let above = DVec3::new(0.3, -0.2, 2.0 * 2f64.sqrt() + gap_m);
        let m = touch(&Placed::new(&cube, above, up), &Placed::new(&cube, DVec3::ZERO, down), 3);
        // i's lowest edge runs along x at y = -0.2, j's highest along y at x = 0
        assert_eq!((m.kind, m.points.len(), m.points[0].key >> 30), (Kind::Point, 1, 2));
        assert!(near(&points_of(&m), &[[0.0, -0.2, gap_m]], 1e-9) && (m.normal - DVec3::Z).length() < 1e-9, "{m:?}");
    }
}

#[test]
fn corners_that_meet_give_the_corner() {
    let body = regular(Regular::Octahedron, 1.0).unwrap();
    let m = touch(
        &Placed::new(&body, DVec3::new(0.0, 0.0, 2.01), DQuat::IDENTITY),
        &Placed::new(&body, DVec3::ZERO, DQuat::IDENTITY),
        3,
    );
    assert_eq!((m.kind, m.points.len()), (Kind::Point, 1));
    assert!(near(&points_of(&m), &[[0.0, 0.0, 0.01]], 1e-9), "{m:?}");
    // parallel edges, one above the other, count as one point on both
    let side = DQuat::from_rotation_x(FRAC_PI_4);
    let cube = cuboid(DVec3::splat(2.0)).unwrap();
    let m = touch(
        &Placed::new(&cube, DVec3::new(0.7, 0.0, 2.0 * 2f64.sqrt() + 0.01), side),
        &Placed::new(&cube, DVec3::ZERO, side),
        3,
    );
    assert_eq!((m.kind, m.points.len()), (Kind::Point, 1));
    assert!((-0.3..=1.0).contains(&m.points[0].position_m.x) && (m.points[0].gap_m - 0.01).abs() < 1e-9, "{m:?}");
}

/// A flat prism over a convex polygon, its height along z.
fn slab(rng: &mut Pcg64Mcg) -> (ConvexPolyhedron, Vec<[f64; 2]>) {
    let n = rng.random_range(3..9);
    let mut angles: Vec<f64> = (0..n).map(|_| rng.random_range(0.0..2.0 * PI)).collect();
    angles.sort_by(f64::total_cmp);
    let stretch = rng.random_range(0.5..1.0);
    let loops: Vec<[f64; 2]> = angles.iter().map(|a| [a.cos(), stretch * a.sin()]).collect();
    let points: Vec<DVec3> = loops.iter().flat_map(|p| [-0.5, 0.5].map(|z| DVec3::new(p[0], p[1], z))).collect();
    match ConvexPolyhedron::from_points(&points) {
        Ok(body) if body.volume_m3 > 0.1 => (body, loops),
        _ => slab(rng),
    }
}

/// Where the line y = `y` crosses a convex polygon.
fn span(polygon: &[[f64; 2]], y: f64) -> [f64; 2] {
    let mut span = [f64::INFINITY, f64::NEG_INFINITY];
    for (k, p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        if (p[1] - y) * (q[1] - y) < 0.0 {
            let x = p[0] + (q[0] - p[0]) * (y - p[1]) / (q[1] - p[1]);
            span = [span[0].min(x), span[1].max(x)];
        }
    }
    span
}

/// Area of the overlap of two convex polygons by scan lines.
fn overlap(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let lines = 20_000;
    let step = 4.0 / lines as f64;
    let width = |k: usize| {
        let y = -2.0 + (k as f64 + 0.5) * step;
        let (s, t) = (span(a, y), span(b, y));
        (s[1].min(t[1]) - s[0].max(t[0])).max(0.0)
    };
    (0..lines).map(width).sum::<f64>() * step
}

/// Slabs on slabs: the area is that of an independent sum; the outline carries any weight on the overlap, and the chosen
/// points carry it over the part of the overlap that is printed.
#[test]
fn slabs_on_slabs() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (mut share, mut pairs) = ([0.0; 2], 0.0);
    for _ in 0..150 {
        let ((a, below), (b, above)) = (slab(&mut rng), slab(&mut rng));
        let (angle, shift) = (rng.random_range(0.0..2.0 * PI), 0.5 * direction(&mut rng));
        let q = DQuat::from_rotation_z(angle);
        let moved: Vec<[f64; 2]> =
            above.iter().map(|p| q * DVec3::new(p[0], p[1], 0.0) + shift).map(|p| [p.x, p.y]).collect();
        let origin = |body: &ConvexPolyhedron, at: DVec3, q: DQuat| at + q * body.origin_m;
        let up = DVec3::new(shift.x, shift.y, 1.001);
        let i = Placed::new(&b, origin(&b, up, q), q * b.axes);
        let j = Placed::new(&a, origin(&a, DVec3::ZERO, DQuat::IDENTITY), a.axes);
        let wanted = overlap(&below, &moved);
        if wanted < 0.05 {
            continue;
        }
        let all = touch(&i, &j, 10);
        assert_eq!(all.kind, Kind::FaceFace);
        assert!((all.area_m2 - wanted).abs() < 2e-4, "{} {wanted}", all.area_m2);
        assert!((all.normal - DVec3::Z).length() < 1e-9 && all.points.iter().all(|p| (p.gap_m - 0.001).abs() < 1e-12));
        for (k, limit) in [3, 4].into_iter().enumerate() {
            let few = touch(&i, &j, limit);
            assert!(few.points.len() <= limit && few.points.iter().all(|p| all.points.iter().any(|q| q.key == p.key)));
            assert!(carries(&few, centroid(&all)), "{limit} points do not hold the centroid");
            share[k] += few.area_of_points() / all.area_m2;
        }
        pairs += 1.0;
        // the other body first: the same points, the keys of corners change sides
        let swapped = touch(&j, &i, 10);
        assert!(near(&points_of(&swapped), &points_of(&all), 5e-5), "{swapped:?} {all:?}");
    }
    println!("{pairs} overlaps: 3 points carry {:.3} of the area, 4 points {:.3}", share[0] / pairs, share[1] / pairs);
    assert!(pairs > 100.0 && share[0] / pairs > 0.55 && share[1] / pairs > 0.8);
}

trait Points {
    fn area_of_points(&self) -> f64;
}

impl Points for Manifold {
    fn area_of_points(&self) -> f64 {
        breccia::geometry::narrow::points::area(&self.points, self.normal)
    }
}

/// Centroid of a convex outline by triangles.
fn centroid(m: &Manifold) -> DVec3 {
    let p = |k: usize| m.points[k].position_m;
    let parts = (2..m.points.len()).map(|k| {
        let size = (p(k - 1) - p(0)).cross(p(k) - p(0)).length();
        (size * (p(0) + p(k - 1) + p(k)) / 3.0, size)
    });
    let (sum, size) = parts.fold((DVec3::ZERO, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    sum / size
}

/// True if pushes at the points, none negative, can hold a weight at `at`: it is inside their polygon (or on a side).
fn carries(m: &Manifold, at: DVec3) -> bool {
    let n = m.points.len();
    let side = |k: usize| {
        let (a, b) = (m.points[k].position_m, m.points[(k + 1) % n].position_m);
        (b - a).cross(at - a).dot(m.normal)
    };
    let slack = 2e-3 * m.area_of_points();
    (0..n).all(|k| side(k) > -slack) || (0..n).all(|k| side(k) < slack)
}

/// Equal cubes, turned on each other by 45 degrees: a regular octagon of width 2, 8 (sqrt 2 - 1) in area.
#[test]
fn an_octagon() {
    let cube = cuboid(DVec3::splat(2.0)).unwrap();
    let m = touch(
        &Placed::new(&cube, DVec3::Z * 2.0, DQuat::from_rotation_z(FRAC_PI_4)),
        &Placed::new(&cube, DVec3::ZERO, DQuat::IDENTITY),
        10,
    );
    assert_eq!((m.kind, m.points.len()), (Kind::FaceFace, 8));
    assert!(m.points.iter().all(|p| p.key >> 30 == 2), "corners of the octagon are crossings of edges");
    assert!((m.area_m2 - 8.0 * (2f64.sqrt() - 1.0)).abs() < 2e-4, "{}", m.area_m2);
}

/// Cubes of equal size on each other: corners lie on corners and sides on sides, and rounding must not rename them.
#[test]
fn keys_stay_in_the_worst_case() {
    let cube = cuboid(DVec3::splat(2.0)).unwrap();
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    for points_max in [3, 4] {
        let mut first = None;
        for _ in 0..200 {
            let noise = |rng: &mut Pcg64Mcg| 1e-8 * direction(rng);
            let (p, q) = (DQuat::from_scaled_axis(noise(&mut rng)), DQuat::from_scaled_axis(noise(&mut rng)));
            let m = touch(
                &Placed::new(&cube, DVec3::Z * 2.001 + noise(&mut rng), p),
                &Placed::new(&cube, noise(&mut rng), q),
                points_max,
            );
            assert_eq!((m.kind, m.points.len()), (Kind::FaceFace, points_max));
            assert_eq!(&keys(&m), first.get_or_insert(keys(&m)));
        }
    }
}

/// Grains in contact: every point lies half-way between the two surfaces, the least gap is that of the plane, keys are
/// different and stay when the grains tremble.
#[test]
fn points_lie_between_the_surfaces() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let grains: Vec<_> = (0..20).map(|_| grain(&Grains::default(), 2.0, &mut rng).unwrap().body).collect();
    let (mut renamed, mut others, mut kinds) = (0, 0, [0; 4]);
    let n = 400;
    for _ in 0..n {
        let [a, b] = [0; 2].map(|_| &grains[rng.random_range(0..grains.len())]);
        let turn = |rng: &mut Pcg64Mcg| DQuat::from_axis_angle(direction(rng), rng.random_range(0.0..PI));
        let (p, q) = (turn(&mut rng), turn(&mut rng));
        let j = Placed::new(b, DVec3::ZERO, q);
        let far = direction(&mut rng) * (a.radius_m + b.radius_m);
        let first = truth::common_plane(&Placed::new(a, far, p), &j);
        let gap_m = rng.random_range(-0.002..0.01);
        let above = far - (first.gap_m - gap_m) * first.normal;
        let i = Placed::new(a, above, p);
        let m = touch(&i, &j, 3);
        kinds[m.kind as usize] += 1;
        let least = |m: &Manifold| m.points.iter().map(|p| p.gap_m).fold(f64::INFINITY, f64::min);
        // of points closer than 2e-5 of the radius, one represents all, up to twice a tenth of that higher
        assert!((least(&touch(&i, &j, 10)) - m.gap_m).abs() < 4.5e-6, "{m:?}");
        assert!(least(&m) - m.gap_m < 0.005 * REACH_M + 4.5e-6, "{m:?}");
        for point in &m.points {
            for (body, sign) in [(&i, 0.5), (&j, -0.5)] {
                let on = point.position_m + sign * point.gap_m * m.normal;
                let height = |k: usize| {
                    let f = &body.body.faces[k];
                    (on - body.vertices_m[f.vertices[0] as usize]).dot(body.normals[k])
                };
                let out = (0..body.body.faces.len()).map(height).fold(f64::NEG_INFINITY, f64::max);
                assert!(out.abs() < 3e-5, "a point is {out} off a surface: {m:?}");
            }
        }
        let distinct: std::collections::HashSet<u32> = keys(&m).into_iter().collect();
        assert_eq!(distinct.len(), m.points.len());
        let (found, _) = contact(&i, &j, Link { normal: above.normalize(), corners: vec![] }, REACH_M, 3);
        others += u32::from(found.is_none_or(|f| keys(&f) != keys(&m) || f.kind != m.kind));
        let trembled =
            Placed::new(a, above + 1e-8 * direction(&mut rng), DQuat::from_scaled_axis(1e-8 * direction(&mut rng)) * p);
        renamed += u32::from(keys(&touch(&trembled, &j, 3)) != keys(&m));
    }
    println!(
        "points {} face-edge {} face-face {}, renamed by trembling {renamed}, others by the climb {others}",
        kinds[1], kinds[2], kinds[3]
    );
    assert!(renamed <= 2, "{renamed} of {n} contacts changed their keys");
    // where the least overlap is another one than the nearest uphill
    assert!(others <= 4, "{others} of {n} contacts are others after a climb");
}

/// A cube that slides over a plate and comes down: no contact out of reach, then the same four corners in every step.
#[test]
fn a_contact_is_followed_from_step_to_step() {
    let (cube, plate) = (cuboid(DVec3::splat(2.0)).unwrap(), cuboid(DVec3::new(6.0, 4.0, 2.0)).unwrap());
    let j = Placed::new(&plate, DVec3::ZERO, plate.axes);
    let mut link = Link { normal: DVec3::new(0.3, 0.1, 1.0).normalize(), corners: vec![] };
    let (mut first, mut found) = (None, 0);
    for k in 0..100 {
        let (x, gap_m) = (0.01 * f64::from(k), 0.05 - 0.0006 * f64::from(k));
        let i = Placed::new(&cube, DVec3::new(x, 0.0, 2.0 + gap_m), DQuat::IDENTITY);
        let (m, next) = contact(&i, &j, link, REACH_M, 4);
        assert_eq!(m.is_some(), gap_m <= REACH_M, "{gap_m}");
        if let Some(m) = m {
            assert!((m.gap_m - gap_m).abs() < 1e-12 && (m.area_m2 - 4.0).abs() < 1e-12);
            assert_eq!(&keys(&m), first.get_or_insert(keys(&m)));
            found += 1;
        }
        link = next;
    }
    assert!(found == 49 || found == 50, "{found}");
}
