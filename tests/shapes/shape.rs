//! Convex bodies from points: hull, faces, edges and mass properties against closed forms and an independent sum.

use breccia::geometry::mass::moments;
use breccia::geometry::polyhedron::ConvexPolyhedron;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn vector(rng: &mut Pcg64Mcg) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)))
}

fn turn(rng: &mut Pcg64Mcg) -> DQuat {
    DQuat::from_scaled_axis(3.0 * vector(rng))
}

fn made(points: &[DVec3]) -> ConvexPolyhedron {
    ConvexPolyhedron::from_points(points).unwrap_or_else(|e| panic!("{e}: {points:?}"))
}

fn grid(n: [usize; 3], size: DVec3) -> Vec<DVec3> {
    let at = |k: usize, axis: usize, i: usize| size[axis] * (i as f64 / (n[k] - 1) as f64 - 0.5);
    (0..n[0] * n[1] * n[2])
        .map(|k| DVec3::new(at(0, 0, k % n[0]), at(1, 1, k / n[0] % n[1]), at(2, 2, k / n[0] / n[1])))
        .collect()
}

fn counts(b: &ConvexPolyhedron) -> [usize; 3] {
    [b.vertices_m.len(), b.edges.len(), b.faces.len()]
}

/// What must hold of every body: it contains the points, touches them with its corners, is closed and convex, its
/// origin is its mass centre and its axes are principal. Where the points are not `clean`, faces narrower than a few
/// tolerances may bend inwards by as much.
fn is_sound(b: &ConvexPolyhedron, points: &[DVec3], clean: bool) {
    let size = b.radius_m;
    let back = b.axes.inverse();
    let local: Vec<DVec3> = points.iter().map(|p| back * (p - b.origin_m)).collect();
    for f in &b.faces {
        let highest = local.iter().map(|p| p.dot(f.normal) - f.offset_m).fold(f64::MIN, f64::max);
        assert!(highest < 3e-6 * size, "a point is {highest} above a face");
        let low = f.vertices.iter().map(|v| b.vertices_m[*v as usize].dot(f.normal) - f.offset_m).fold(0.0, f64::min);
        assert!(low > -6e-6 * size, "a corner is {low} below its face");
        assert!((f.normal.length() - 1.0).abs() < 1e-14 && f.offset_m > 0.0);
    }
    for v in &b.vertices_m {
        let near = local.iter().map(|p| p.distance(*v)).fold(f64::MAX, f64::min);
        assert!(near < 1e-13 * (size + b.origin_m.length()), "a corner is {near} from every point");
    }
    let [v, e, f] = counts(b);
    assert_eq!(v + f, e + 2);
    for f in &b.faces {
        for (side, e) in f.sides().zip(&f.edges) {
            let edge = b.edges[*e as usize].vertices;
            assert!(side == edge || side == [edge[1], edge[0]], "edge {e} is {edge:?}, the side {side:?}");
        }
    }
    for e in &b.edges {
        let [left, right] = e.faces.map(|f| &b.faces[f as usize]);
        let [from, to] = e.vertices.map(|v| b.vertices_m[v as usize]);
        assert!(left.sides().any(|s| s == e.vertices) && right.sides().any(|s| s == [e.vertices[1], e.vertices[0]]));
        let bend = left.normal.cross(right.normal).dot(to - from);
        assert!(bend > 0.0 || !clean, "an edge that is not convex: {bend}");
    }
    let m = moments(&b.vertices_m, b.faces.iter().map(|f| f.vertices.as_slice()));
    let thin = (size.powi(3) / b.volume_m3).max(1.0); // what rounding grows by in thin bodies
    assert!(m.centre_m.length() < 1e-13 * size * thin, "centre {}", m.centre_m);
    let inertia = m.inertia_m5();
    let off = (inertia - DMat3::from_diagonal(b.inertia_m5)).abs();
    let worst = off.to_cols_array().into_iter().fold(0.0, f64::max);
    assert!(worst < 1e-12 * b.inertia_m5.z * thin, "inertia off by {worst}");
    assert!(
        b.inertia_m5.x <= b.inertia_m5.y + 1e-11 * b.inertia_m5.z && b.inertia_m5.y <= b.inertia_m5.z * (1.0 + 1e-11)
    );
}

#[test]
fn points_in_planes_edges_and_twice_give_a_box() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for n in [[2, 2, 2], [3, 3, 3], [2, 5, 9], [7, 2, 4]] {
        let size = DVec3::new(2.0, 3.0, 5.0);
        let mut points = grid(n, size);
        points.extend(points.clone());
        let straight = made(&points);
        assert_eq!(counts(&straight), [8, 12, 6], "{n:?}");
        assert!((straight.volume_m3 - 30.0).abs() < 1e-12);
        // m/12 (b^2 + c^2), rising
        let inertia = DVec3::new(4.0 + 9.0, 4.0 + 25.0, 9.0 + 25.0) * 2.5;
        assert!((straight.inertia_m5 - inertia).length() < 1e-11, "{}", straight.inertia_m5);
        assert!((straight.extents_m() - DVec3::new(5.0, 3.0, 2.0)).length() < 1e-12);
        for _ in 0..20 {
            // rounding bends faces and edges by 1e-16
            let (q, shift) = (turn(&mut rng), 10.0 * vector(&mut rng));
            let turned: Vec<DVec3> = points.iter().map(|p| q * *p + shift).collect();
            let b = made(&turned);
            assert_eq!(counts(&b), [8, 12, 6], "{n:?} {q}");
            assert!((b.inertia_m5 - inertia).length() < 1e-11 && (b.origin_m - shift).length() < 1e-13);
            is_sound(&b, &turned, true);
        }
    }
}

/// A right prism of `n` sides, its caps' triangles slivers.
fn prism(n: usize) -> Vec<DVec3> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
    (0..2 * n).map(|k| DVec3::new(angle(k / 2).cos(), angle(k / 2).sin(), (k % 2) as f64)).collect()
}

#[test]
fn prisms_keep_their_caps_whole() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for n in [3, 4, 7, 50, 200] {
        let q = turn(&mut rng);
        let points: Vec<DVec3> = prism(n).iter().map(|p| q * *p).collect();
        let b = made(&points);
        assert_eq!(counts(&b), [2 * n, 3 * n, n + 2]);
        let area = 0.5 * n as f64 * (std::f64::consts::TAU / n as f64).sin();
        assert!((b.volume_m3 - area).abs() < 1e-13);
        is_sound(&b, &points, true);
    }
}

#[test]
fn random_points_on_spheres_are_all_corners_of_triangles() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    for n in (4..80).chain([100, 150, 200]) {
        let points: Vec<DVec3> = (0..n).map(|_| 4.0 * vector(&mut rng).normalize()).collect();
        let b = made(&points);
        assert_eq!(counts(&b), [n, 3 * n - 6, 2 * n - 4]);
        is_sound(&b, &points, true);
    }
}

#[test]
fn nearly_flat_and_crowded_points_are_wrapped() {
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    for k in 0..300 {
        // noise from far below to far above the tolerance, on a lattice, on a sphere or in a thin plate
        let noise = 10f64.powi(-(k % 16) - 1);
        let mut points = match k % 3 {
            0 => grid([4, 4, 4], DVec3::splat(2.0)),
            1 => (0..60).map(|_| vector(&mut rng).normalize()).collect(),
            _ => grid([9, 6, 2], DVec3::new(2.0, 1.5, 1e-3)),
        };
        points.extend_from_within(..);
        let scale = 10f64.powi(k % 7 - 3);
        points.iter_mut().for_each(|p| *p = (*p + 0.1 * noise * vector(&mut rng)) * scale);
        is_sound(&made(&points), &points, noise < 1e-8);
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let flat: Vec<DVec3> = (0..20).map(|_| turn_plane(vector(&mut rng))).collect();
    let line: Vec<DVec3> = (0..9).map(|k| DVec3::new(1.0, 2.0, -0.3) * k as f64).collect();
    let tiny: Vec<DVec3> = grid([2, 2, 2], DVec3::splat(1e-120));
    let cases: [(&[DVec3], &str); 7] = [
        (&[], "0 points"),
        (&[DVec3::X, DVec3::Y, DVec3::Z], "at least 4"),
        (&[DVec3::ONE; 12], "the same position"),
        (&line, "on one line"),
        (&flat, "in one plane"),
        (&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.0, f64::NAN, 1.0)], "point 4: a coordinate is not finite"),
        (&tiny, "metres"),
    ];
    for (points, text) in cases {
        let fault = ConvexPolyhedron::from_points(points).map(|b| counts(&b)).unwrap_err();
        assert!(fault.to_string().contains(text), "{fault} does not say `{text}`");
        assert_eq!(fault.exit_code(), 2);
    }
}

fn turn_plane(v: DVec3) -> DVec3 {
    DQuat::from_scaled_axis(DVec3::new(0.3, 1.0, -0.4)) * DVec3::new(v.x, v.y, 0.0) + DVec3::ONE
}

#[test]
fn a_tetrahedron_by_hand() {
    // corner of a cube of side a: volume a^3/6, centre a/4, inertia 3/40 m a^2 = a^5/80, products of it m a^2/80 = a^5/480
    let a = 2.0;
    let points = [DVec3::ZERO, a * DVec3::X, a * DVec3::Y, a * DVec3::Z];
    let faces: [&[u32]; 4] = [&[0, 2, 1], &[0, 3, 2], &[0, 1, 3], &[1, 2, 3]];
    let m = moments(&points, faces.into_iter());
    assert!((m.volume_m3 - a.powi(3) / 6.0).abs() < 1e-15 && (m.centre_m - DVec3::splat(a / 4.0)).length() < 1e-15);
    let inertia = m.inertia_m5();
    for (row, col) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
        let wanted = if row == col { a.powi(5) / 80.0 } else { a.powi(5) / 480.0 };
        assert!((inertia.col(col)[row] - wanted).abs() < 1e-15, "{row} {col}: {}", inertia.col(col)[row]);
    }
}

/// Integral of x_r x_s over the body by the divergence theorem: half of it is the flux of x_r^2 x_s e_r / 3 and so on;
/// each triangle by the 7-point rule that is exact to degree 5 (Radon 1948).
fn flux(b: &ConvexPolyhedron, field: impl Fn(DVec3) -> DVec3) -> f64 {
    let root = 15f64.sqrt();
    let (p, q) = ((6.0 - root) / 21.0, (6.0 + root) / 21.0);
    let mut rule = vec![([1.0 / 3.0; 3], 0.225)];
    for (a, w) in [(p, (155.0 - root) / 1200.0), (q, (155.0 + root) / 1200.0)] {
        let c = 1.0 - 2.0 * a;
        rule.extend([[c, a, a], [a, c, a], [a, a, c]].map(|l| (l, w)));
    }
    let mut sum = 0.0;
    for f in &b.faces {
        let corner = |k: usize| b.vertices_m[f.vertices[k] as usize];
        for k in 2..f.vertices.len() {
            let t = [corner(0), corner(k - 1), corner(k)];
            let area = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
            sum += rule.iter().map(|(l, w)| w * field(l[0] * t[0] + l[1] * t[1] + l[2] * t[2]).dot(area)).sum::<f64>();
        }
    }
    sum
}

#[test]
fn moments_are_those_of_the_divergence_theorem() {
    let mut rng = Pcg64Mcg::seed_from_u64(8);
    for n in [4, 5, 10, 40, 70] {
        let points: Vec<DVec3> = (0..n).map(|_| vector(&mut rng) * DVec3::new(3.0, 1.0, 0.4)).collect();
        let b = made(&points);
        let volume = flux(&b, |x| x / 3.0);
        assert!((volume / b.volume_m3 - 1.0).abs() < 1e-13, "{n}: {volume} {}", b.volume_m3);
        let square = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| flux(&b, |x| e * x.dot(e).powi(3) / 3.0));
        let inertia = DVec3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
        assert!((inertia - b.inertia_m5).length() < 1e-12 * b.inertia_m5.z, "{n}: {inertia} {}", b.inertia_m5);
        for (r, s, t) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            // div (x_r x_s x_t e_t) = x_r x_s
            let product = flux(&b, |x| DVec3::AXES[t] * x[r] * x[s] * x[t]);
            let first = flux(&b, |x| DVec3::AXES[r] * x[r] * x[r] * 0.5);
            assert!(product.abs() < 1e-13 * b.inertia_m5.z, "{n}: product of inertia {product}");
            assert!(first.abs() < 1e-13 * b.volume_m3, "{n}: first moment {first}");
        }
    }
}

#[test]
fn scaling_is_building_larger() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let points: Vec<DVec3> = (0..30).map(|_| vector(&mut rng) + DVec3::X).collect();
    let larger: Vec<DVec3> = points.iter().map(|p| 3.0 * *p).collect();
    let (a, b) = (made(&points).scaled(3.0), made(&larger));
    assert!((a.volume_m3 / b.volume_m3 - 1.0).abs() < 1e-14 && (a.radius_m / b.radius_m - 1.0).abs() < 1e-14);
    assert!((a.inertia_m5 - b.inertia_m5).length() < 1e-13 * b.inertia_m5.z);
    assert!((a.origin_m - b.origin_m).length() < 1e-14);
    assert!(a.faces.iter().zip(&b.faces).all(|(f, g)| (f.offset_m - g.offset_m).abs() < 1e-13));
}

/// Few positions on a small lattice: most points lie in planes and on lines with many others.
#[test]
fn lattice_points_give_their_hull_or_are_refused_as_flat() {
    let mut rng = Pcg64Mcg::seed_from_u64(10);
    let (mut made, mut flat, mut close) = (0, 0, 0);
    for k in 0..6000 {
        let (count, side) = (rng.random_range(4..40), rng.random_range(2..5));
        let noise = if k % 3 == 0 { 10f64.powi(-rng.random_range(3..10)) } else { 0.0 };
        let at = |rng: &mut Pcg64Mcg| DVec3::from_array([0; 3].map(|_| f64::from(rng.random_range(0..side))));
        let points: Vec<DVec3> = (0..count).map(|_| at(&mut rng) + noise * vector(&mut rng)).collect();
        match ConvexPolyhedron::from_points(&points) {
            Ok(b) => {
                is_sound(&b, &points, noise == 0.0);
                made += 1;
            }
            Err(e) if e.to_string().contains("all points ") => flat += 1,
            Err(e) if noise > 0.0 && e.to_string().contains("too thin") => flat += 1,
            Err(e) => {
                assert!(noise > 0.0 && e.to_string().contains("too close together"), "{e}: {points:?}");
                close += 1;
            }
        }
    }
    println!("{made} bodies, {flat} flat, {close} of 2000 noisy ones refused");
    assert!(made > 5000 && flat > 50 && close < 5);
}
