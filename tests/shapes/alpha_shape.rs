//! Delaunay tetrahedra, alpha shapes and the envelopes of bodies, against what must hold for all points, and against
//! volumes known exactly.

use breccia::analysis::alpha_shape::alpha_shapes;
use breccia::analysis::delaunay::{INFINITE, Tetrahedron, delaunay};
use breccia::analysis::envelope::{Envelope, automatic_alpha_m, automatic_points, envelope};
use breccia::model::body::Bodies;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use std::f64::consts::PI;

fn random_points(count: usize, seed: u64) -> Vec<DVec3> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    (0..count).map(|_| DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)))).collect()
}

/// (2n+1)^3 points of a cubic lattice: eight to a sphere, many in a plane.
fn lattice(n: i32, mesh: f64) -> Vec<DVec3> {
    let side = -n..=n;
    let line = |y: i32, z: i32| side.clone().map(move |x| mesh * DVec3::new(x.into(), y.into(), z.into()));
    side.clone().flat_map(|z| side.clone().flat_map(move |y| line(y, z).collect::<Vec<_>>())).collect()
}

fn corners(cell: &Tetrahedron, points: &[DVec3]) -> [DVec3; 4] {
    cell.vertex.map(|v| points[v as usize])
}

/// Neighbours know each other and share a face, volumes are positive and add up, and no sphere holds a point.
fn assert_delaunay(points: &[DVec3], hull_volume: f64) {
    let cells = delaunay(points).unwrap();
    let mut sum = 0.0;
    for (k, cell) in cells.iter().enumerate() {
        for side in 0..4 {
            let other = &cells[cell.neighbour[side] as usize];
            let back = (0..4).find(|b| other.neighbour[*b] as usize == k).expect("the neighbour knows");
            let [mut here, mut there] = [cell.face(side), other.face(back)];
            here.sort_unstable();
            there.sort_unstable();
            assert_eq!(here, there);
        }
        if !cell.is_infinite() {
            let [a, b, c, d] = corners(cell, points);
            let volume = -(b - a).cross(c - a).dot(d - a) / 6.0;
            assert!(volume > 0.0, "tetrahedron {k} has {volume}");
            sum += volume;
        }
    }
    assert!((sum / hull_volume - 1.0).abs() < 1e-12, "{sum}, the hull has {hull_volume}");
    let used: std::collections::HashSet<u32> = cells.iter().flat_map(|c| c.vertex).filter(|v| *v != INFINITE).collect();
    assert_eq!(used.len(), points.len(), "points that are no corner");
    for cell in cells.iter().filter(|c| !c.is_infinite()).step_by(1 + cells.len() / 300) {
        let (centre, radius) = sphere(corners(cell, points));
        let nearest = points.iter().map(|p| p.distance(centre)).fold(f64::INFINITY, f64::min);
        assert!(nearest > radius * (1.0 - 1e-9), "a point at {nearest} from a centre, radius {radius}");
    }
}

/// Centre and radius of the sphere through four points, from three linear equations.
fn sphere([a, b, c, d]: [DVec3; 4]) -> (DVec3, f64) {
    let rows = glam::DMat3::from_cols(b - a, c - a, d - a).transpose();
    let right = 0.5 * DVec3::from_array([b, c, d].map(|p| p.length_squared() - a.length_squared()));
    let centre = rows.inverse() * right;
    (centre, centre.distance(a))
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-300), "{what}: {found}, {expected} expected");
}

/// The points and the corners of a cube that holds them: the hull is then known.
fn in_a_cube(mut points: Vec<DVec3>) -> Vec<DVec3> {
    points.extend((0..8).map(|k| DVec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 }))));
    points
}

#[test]
fn random_points_and_lattices_are_divided_into_delaunay_tetrahedra() {
    assert_delaunay(&in_a_cube(random_points(3000, 1)), 8.0);
    for mesh in [0.25, 0.1] {
        let n = 3;
        assert_delaunay(&lattice(n, mesh), (6.0 * mesh).powi(3));
    }
    // twins, and points in the middle of edges, faces and cells
    let mut twins = in_a_cube(vec![]);
    twins.extend([DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.5, 0.5, 0.5)]);
    assert_delaunay(&twins, 8.0);
    let count = delaunay(&twins).unwrap().len();
    twins.extend(twins.clone());
    assert_eq!(delaunay(&twins).unwrap().len(), count, "equal points count once");
}

/// Points that only exact arithmetic distinguishes: nearly in planes, nearly on spheres, near and far.
#[test]
fn nearly_flat_and_nearly_round_points_are_divided_too() {
    let noise = random_points(2000, 2);
    let round = noise.iter().map(|p| p.normalize() * 0.5 + 1e-16 * *p).collect();
    assert_delaunay(&in_a_cube(round), 8.0);
    let flat = noise.iter().map(|p| DVec3::new(0.9 * p.x, 0.9 * p.y, 1e-17 * p.z)).collect();
    assert_delaunay(&in_a_cube(flat), 8.0);
    let scales = noise.iter().enumerate().map(|(k, p)| 0.9 * *p * 10f64.powi(-((k % 12) as i32))).collect();
    assert_delaunay(&in_a_cube(scales), 8.0);
}

#[test]
fn points_without_a_volume_are_refused() {
    let line: Vec<DVec3> = (0..10).map(|k| DVec3::splat(f64::from(k))).collect();
    let plane: Vec<DVec3> = random_points(50, 3).into_iter().map(|p| p.with_z(0.25)).collect();
    let broken = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.0, 0.0, f64::NAN)];
    for (points, hint) in [
        (vec![], "0 points"),
        (vec![DVec3::ONE; 5], "5 points"),
        (line, "10 points"),
        (plane, "50 points"),
        (broken, "NaN"),
    ] {
        let error = alpha_shapes(&points, &[1.0]).unwrap_err();
        assert!(error.exit_code() == 7 && error.to_string().contains(hint), "{error}");
    }
    assert_eq!(alpha_shapes(&random_points(9, 4), &[-1.0]).unwrap_err().exit_code(), 2);
}

fn signed_volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(part).sum()
}

/// A lattice without one corner block: a large ball gives the hull, a small one the block's outline, which it cannot
/// follow into inner edges and corners, where three sides of a cell are there. A ball that fits into a cell does not get into
/// it through a square or a corner's triangle, whose circles are smaller.
#[test]
fn a_notch_is_seen_by_balls_that_fit_into_it() {
    let points: Vec<DVec3> = lattice(5, 1.0).into_iter().filter(|p| p.min_element() <= 0.0).collect();
    let cell = 0.75f64.sqrt();
    let shape = |alpha| alpha_shapes(&points, &[alpha]).unwrap().remove(0);
    let notched = shape(1.01 * cell);
    let volume = 1000.0 - 125.0 + 3.0 * 4.0 * 0.5 + 5.0 / 6.0; // half cells along 4 m of three edges, most of the corner's
    assert!((notched.volume_m3 - volume).abs() < 1e-9, "{}, {volume} expected", notched.volume_m3);
    let (root2, root3) = (2f64.sqrt(), 3f64.sqrt());
    let area = 600.0 - 3.0 * 4.0 * (2.0 - root2) + 3.0 * 0.5 - 3.0 + 0.5 * root3;
    assert!((notched.area_m2 - area).abs() < 1e-9, "{}, {area} expected", notched.area_m2);
    let hull = shape(1e9);
    // the hull cuts the corner off by the plane through the notch's three outer corners: a pyramid
    assert!((hull.volume_m3 - (1000.0 - 125.0 / 6.0)).abs() < 1e-9, "{}", hull.volume_m3);
    assert_eq!(hull.voids_m3, 0.0);
    for (alpha, volume) in [(0.99 * cell, 875.0 + 5.0 / 6.0), (0.8, 875.0), (0.7, 0.0)] {
        let found = shape(alpha).volume_m3;
        assert!((found - volume).abs() < 1e-9, "{alpha}: {found}, {volume} expected");
    }
    for (shape, name) in [(&notched, "notched"), (&hull, "hull")] {
        let signed = signed_volume(&points, &shape.triangles);
        assert!((signed / shape.volume_m3 - 1.0).abs() < 1e-12, "{name}: {signed} around, {} within", shape.volume_m3);
    }
}

/// A hollow cube: the void in its middle is not outside, but is reported.
#[test]
fn closed_voids_are_within_and_told() {
    let points: Vec<DVec3> = lattice(4, 1.0).into_iter().filter(|p| p.abs().max_element() > 1.5).collect();
    let shape = alpha_shapes(&points, &[1.0]).unwrap().remove(0);
    assert!((shape.volume_m3 - 512.0).abs() < 1e-9, "{}", shape.volume_m3);
    // A 4 m cube, less half cells along 2 m of its twelve edges and five sixths of the cell in each corner.
    let voids = 64.0 - 12.0 * 0.5 * 2.0 - 8.0 * 5.0 / 6.0;
    assert!((shape.voids_m3 - voids).abs() < 1e-9, "{}, {voids} expected", shape.voids_m3);
    assert!((shape.area_m2 - 384.0).abs() < 1e-9);
}

/// n^3 touching spheres of one size on a cubic lattice, turned.
fn packing(n: usize, radius: f64) -> Bodies {
    let q = DQuat::from_euler(glam::EulerRot::ZYX, 0.4, 1.0, -0.7);
    let at = |k: usize| (2 * k + 1) as f64 - n as f64;
    let position = |k: usize| q * (radius * DVec3::new(at(k % n), at(k / n % n), at(k / n / n)));
    crate::common::bodies(&(0..n.pow(3)).map(|k| (position(k), radius)).collect::<Vec<_>>(), 3000.0)
}

/// Volume of the convex hull of [`packing`]: Steiner's formula for a cube and a ball.
fn hull_m3(n: usize, radius: f64) -> f64 {
    let a = 2.0 * radius * (n - 1) as f64;
    a.powi(3) + 6.0 * a * a * radius + 3.0 * PI * a * radius * radius + 4.0 / 3.0 * PI * radius.powi(3)
}

/// A ball of vast radius rolls over the convex hull: what is missed are the sides between the points on the spheres.
#[test]
fn a_vast_ball_finds_the_hull_of_a_cubic_lattice() {
    for (n, points, tolerance) in [(1, 1024, 0.006), (2, 1024, 0.004), (6, 463, 0.004), (6, 32, 0.02)] {
        let e = envelope(&packing(n, 1.5), &[1e6], points).unwrap();
        let missed = 1.0 - e.volume_m3 / hull_m3(n, 1.5);
        println!("{n}^3 spheres, {points} points each: {:.3} % of the hull is missed", 100.0 * missed);
        assert!((0.0..tolerance).contains(&missed), "{n}^3, {points}: {missed} of the hull is missed");
    }
}

/// The automatic ball, of radius 4 r, sinks in between four spheres of a side until it touches them where they are lower
/// by r (1 - cos a), sin a = sqrt(2) r / (4 r + r): by that and no more the envelope lies below the hull.
#[test]
fn porosity_of_a_cubic_lattice() {
    for n in [2, 4, 8] {
        let (radius, bodies) = (1.5, packing(n, 1.5));
        let e = envelope(&bodies, &[automatic_alpha_m(&bodies)], automatic_points(&bodies)).unwrap();
        let hull = hull_m3(n, radius);
        let sunk = radius * (1.0 - f64::cos((2f64.sqrt() / 5.0).asin()));
        let (lost, most) = (hull - e.volume_m3, sunk * e.area_m2);
        println!(
            "{n}^3 spheres: {:.2} % below the hull, at most {:.2} %; porosity {:.4}",
            100.0 * lost / hull,
            100.0 * most / hull,
            e.porosity
        );
        assert!(lost > 0.4 * most && lost < 1.1 * most, "{n}: {lost} m3, at most {most} m3");
        let solid = 4.0 / 3.0 * PI * (n as f64 * radius).powi(3);
        close(e.porosity, 1.0 - solid / e.volume_m3, 1e-12, "eq. 16");
        close(e.bulk_density_kg_m3, 3000.0 * solid / e.volume_m3, 1e-12, "bulk density");
        assert_eq!(e.voids_m3, 0.0);
    }
}

/// A boulder of 12 mean radii among thousands of grains: the ball of four does not slip between its points.
#[test]
fn a_boulder_among_grains_is_not_hollow() {
    let (n, boulder_m) = (15, 12.0);
    let grains = packing(n, 1.0);
    let mut list: Vec<(DVec3, f64)> = grains.position_m.iter().map(|p| (*p, 1.0)).collect();
    let top = grains.position_m.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max) + 1.0;
    let middle = grains.mean_by_mass(&grains.position_m);
    list.push((DVec3::new(top + boulder_m, middle.y, middle.z), boulder_m));
    let bodies = crate::common::bodies(&list, 3000.0);
    let found = |points: usize| envelope(&bodies, &[automatic_alpha_m(&bodies)], points).unwrap();
    let [few, many] = [automatic_points(&bodies), 600].map(found);
    assert_eq!(automatic_points(&bodies), 32);
    // the block of grains and the boulder, and a wedge between
    let least = (2.0 * n as f64 - 2.0).powi(3) + 4.0 / 3.0 * PI * boulder_m.powi(3);
    assert!(few.volume_m3 > least && (few.porosity - many.porosity).abs() < 0.03, "{} {}", few.porosity, many.porosity);
}

#[test]
fn points_follow_the_number_of_bodies() {
    for (n, expected) in [(1, 1024), (5, 800), (10, 100), (20, 32)] {
        assert_eq!(automatic_points(&packing(n, 1.0)), expected);
    }
    close(automatic_alpha_m(&packing(2, 1.5)), 6.0, 1e-15, "alpha");
}

/// Several balls at once find what each finds alone, in their order; the first is the one of the envelope.
#[test]
fn balls_together_are_as_balls_alone() {
    let bodies = packing(4, 1.5);
    let alphas = [6.0, 1e6, 3.0];
    let together = envelope(&bodies, &alphas, 200).unwrap();
    assert_eq!(together.balls.iter().map(|b| b.alpha_m).collect::<Vec<_>>(), alphas);
    for (ball, alpha) in together.balls.iter().zip(alphas) {
        let alone = envelope(&bodies, &[alpha], 200).unwrap();
        assert!(alone.balls.is_empty(), "one ball is the envelope itself");
        let of = |e: &Envelope| [e.volume_m3, e.voids_m3, e.area_m2, e.bulk_density_kg_m3, e.porosity];
        let found = [ball.volume_m3, ball.voids_m3, ball.area_m2, ball.bulk_density_kg_m3, ball.porosity];
        assert_eq!(found, of(&alone), "{alpha} m");
        assert_eq!(alpha == 6.0, alone.volume_m3 == together.volume_m3, "{alpha} m");
    }
    assert!(together.balls[2].porosity < together.balls[0].porosity, "a smaller ball sinks deeper");
    assert!(together.balls[0].porosity < together.balls[1].porosity);
    let error = envelope(&bodies, &[6.0, 1e-3], 200).unwrap_err().to_string();
    assert!(error.contains("--alpha 0.001"), "{error}");
}

/// A ball smaller than a grain, or than the largest of several, does not get into it between the points on its surface.
#[test]
fn small_balls_stay_out_of_large_grains() {
    let touching = |alpha| envelope(&packing(3, 1.0), &[alpha], 1024).unwrap();
    let by_ball = [1.01, 0.99, 0.5, 0.25].map(|alpha| touching(alpha).porosity);
    assert!(by_ball.windows(2).all(|w| w[1] <= w[0]) && by_ball[3] > -0.02, "{by_ball:?}");
    assert!(by_ball[0] - by_ball[1] < 0.01, "a step at the size of the grains: {by_ball:?}");
    let ways = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [axis, -axis]);
    let grains = ways.into_iter().flatten().map(|way| (11.0 * way, 1.0));
    let bodies = crate::common::bodies(&[(DVec3::ZERO, 10.0)].into_iter().chain(grains).collect::<Vec<_>>(), 2000.0);
    let auto = automatic_alpha_m(&bodies);
    let found = envelope(&bodies, &[auto, 10.1], 1024).unwrap();
    assert!(auto < 10.0 && found.balls[0].porosity > -0.02, "{found:?}");
    assert!(found.balls[0].porosity <= found.balls[1].porosity, "{found:?}");
}

#[test]
fn a_ball_smaller_than_the_gaps_between_points_is_refused() {
    let error = envelope(&packing(2, 1.0), &[1e-3], 100).unwrap_err();
    assert!(error.exit_code() == 2 && error.to_string().contains("--points"), "{error}");
    assert_eq!(envelope(&packing(2, 1.0), &[4.0], 3).unwrap_err().exit_code(), 2);
}

/// The envelope reads back as a closed surface around its volume.
#[test]
fn the_envelope_is_closed() {
    let e = envelope(&packing(3, 1.0), &[4.0], 200).unwrap();
    let text = e.obj();
    let rows = |key: &str| -> Vec<[f64; 3]> {
        let lines = text.lines().filter_map(|l| l.strip_prefix(key));
        lines
            .map(|l| l.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap())
            .collect()
    };
    let (corners, faces) = (rows("v "), rows("f "));
    let mut edges = std::collections::HashMap::new();
    let mut volume = 0.0;
    for face in &faces {
        let v = face.map(|k| k as usize - 1);
        for (a, b) in [(v[0], v[1]), (v[1], v[2]), (v[2], v[0])] {
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
        }
        let [a, b, c] = v.map(|k| DVec3::from_array(corners[k]));
        volume += a.dot(b.cross(c)) / 6.0;
    }
    assert!(edges.values().all(|n| *n == 0), "an edge without its counterpart");
    close(volume, e.volume_m3, 1e-12, "volume from triangles");
}
