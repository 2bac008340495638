//! Delaunay tetrahedra and alpha shapes against what must hold for all points, and against volumes known exactly.

mod common;

use breccia::analysis::alpha_shape::alpha_shape;
use breccia::analysis::delaunay::{INFINITE, Tetrahedron, delaunay};
use glam::DVec3;
use rand::{RngExt, SeedableRng};

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

/// Volume of the convex hull by another way: the largest of many planes' heights would not do, so corners are added that
/// make the hull a cube.
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

/// Points that only exact arithmetic tells apart: nearly in planes, nearly on spheres, near and far.
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
        let error = alpha_shape(&points, 1.0).unwrap_err();
        assert!(error.exit_code() == 7 && error.to_string().contains(hint), "{error}");
    }
    assert_eq!(alpha_shape(&random_points(9, 4), -1.0).unwrap_err().exit_code(), 2);
}

fn signed_volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(part).sum()
}

/// A lattice without one corner block: a large ball gives the hull, a small one the block's outline, which it cannot
/// follow into inner edges and corners, where three sides of a cell are there; a smaller one nothing.
#[test]
fn a_notch_is_seen_by_balls_that_fit_into_it() {
    let points: Vec<DVec3> = lattice(5, 1.0).into_iter().filter(|p| p.min_element() <= 0.0).collect();
    let cell = 0.75f64.sqrt();
    let shape = |alpha| alpha_shape(&points, alpha).unwrap();
    let notched = shape(1.01 * cell);
    let volume = 1000.0 - 125.0 + 3.0 * 4.0 * 0.5 + 5.0 / 6.0; // half cells along 4 m of three edges, most of the corner's
    assert!((notched.volume_m3 - volume).abs() < 1e-9, "{}, {volume} expected", notched.volume_m3);
    let (root2, root3) = (2f64.sqrt(), 3f64.sqrt());
    let area = 600.0 - 3.0 * 4.0 * (2.0 - root2) + 3.0 * 0.5 - 3.0 + 0.5 * root3;
    assert!((notched.area_m2 - area).abs() < 1e-9, "{}, {area} expected", notched.area_m2);
    let hull = shape(1e9);
    // the hull cuts the corner off by the plane through the notch's three outer corners: a pyramid
    assert!((hull.volume_m3 - (1000.0 - 125.0 / 6.0)).abs() < 1e-9, "{}", hull.volume_m3);
    assert_eq!((hull.voids_m3, shape(0.99 * cell).volume_m3), (0.0, 0.0));
    for (shape, name) in [(&notched, "notched"), (&hull, "hull")] {
        let signed = signed_volume(&points, &shape.triangles);
        assert!((signed / shape.volume_m3 - 1.0).abs() < 1e-12, "{name}: {signed} around, {} within", shape.volume_m3);
    }
}

/// A hollow cube: the void in its middle is no outside, but told.
#[test]
fn closed_voids_are_within_and_told() {
    let points: Vec<DVec3> = lattice(4, 1.0).into_iter().filter(|p| p.abs().max_element() > 1.5).collect();
    let shape = alpha_shape(&points, 1.0).unwrap();
    assert!((shape.volume_m3 - 512.0).abs() < 1e-9, "{}", shape.volume_m3);
    // A 4 m cube, less half cells along 2 m of its twelve edges and five sixths of the cell in each corner.
    let voids = 64.0 - 12.0 * 0.5 * 2.0 - 8.0 * 5.0 / 6.0;
    assert!((shape.voids_m3 - voids).abs() < 1e-9, "{}, {voids} expected", shape.voids_m3);
    assert!((shape.area_m2 - 384.0).abs() < 1e-9);
}
