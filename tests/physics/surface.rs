//! Geometry of spheres and surfaces of triangles: area of a circle in a triangle, closest points, the tree of facets,
//! inside and outside.

use breccia::geometry::facet_tree::FacetTree;
use breccia::geometry::inside::inside;
use breccia::geometry::solids::cuboid_facets;
use breccia::geometry::surface::Surface;
use breccia::physics::surface::circle::{Side, share};
use breccia::physics::surface::facet::Facet;
use glam::{DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;

fn of(corners: [DVec2; 3]) -> f64 {
    share(&[0, 1, 2].map(|k| Side::between(corners[k], corners[(k + 1) % 3])))
}

fn draw(random: &mut Pcg64Mcg, size: f64) -> DVec2 {
    DVec2::new(random.random_range(-size..size), random.random_range(-size..size))
}

/// Half a circle, a quarter, a sixth, a segment, all of it, none, and a triangle within the circle.
#[test]
fn share_of_a_circle_in_known_triangles() {
    let v = |x: f64, y: f64| DVec2::new(x, y);
    let segment = (PI / 3.0 - 3f64.sqrt() / 4.0) / PI;
    let cases = [
        ([v(-9.0, 0.0), v(9.0, 0.0), v(0.0, 9.0)], 0.5),
        ([v(0.0, 0.0), v(9.0, 0.0), v(0.0, 9.0)], 0.25),
        ([v(0.0, 0.0), v(9.0, 0.0), v(4.5, 4.5 * 3f64.sqrt())], 1.0 / 6.0),
        ([v(0.5, -99.0), v(99.0, 0.0), v(0.5, 99.0)], segment),
        ([v(-9.0, -9.0), v(9.0, -9.0), v(0.0, 18.0)], 1.0),
        ([v(1.0, -99.0), v(99.0, 0.0), v(1.0, 99.0)], 0.0),
        ([v(0.2, -0.1), v(0.5, 0.1), v(0.1, 0.4)], 0.085 / PI),
    ];
    for (corners, wanted) in cases {
        assert!((of(corners) - wanted).abs() < 1e-14, "{corners:?}: {} not {wanted}", of(corners));
    }
}

/// 300 triangles against 200,000 points each: the share is within 5 standard deviations.
#[test]
fn share_of_a_circle_in_any_triangle() {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    for _ in 0..300 {
        let mut c = [0; 3].map(|_: i32| draw(&mut random, 1.8));
        if (c[1] - c[0]).perp_dot(c[2] - c[0]) < 0.0 {
            c.swap(1, 2);
        }
        let within = |p: DVec2| (0..3).all(|k| (c[(k + 1) % 3] - c[k]).perp_dot(p - c[k]) >= 0.0);
        let n = 200_000;
        let hits = (0..n).filter(|_| {
            let (r, angle) = (random.random_range(0.0f64..1.0).sqrt(), random.random_range(0.0..2.0 * PI));
            within(r * DVec2::from_angle(angle))
        });
        let sampled = hits.count() as f64 / f64::from(n);
        let bound = 5.0 * (sampled.max(1e-4) / f64::from(n)).sqrt();
        assert!((of(c) - sampled).abs() < bound, "{c:?}: {} not {sampled}", of(c));
    }
}

/// However a triangle is cut, its parts have its share.
#[test]
fn shares_of_parts_add_up() {
    let mut random = Pcg64Mcg::seed_from_u64(8);
    for _ in 0..10_000 {
        let mut c = [0; 3].map(|_: i32| draw(&mut random, 3.0));
        if (c[1] - c[0]).perp_dot(c[2] - c[0]) < 0.0 {
            c.swap(1, 2);
        }
        let p = c[0].lerp(c[1], random.random_range(0.01..0.99)).lerp(c[2], random.random_range(0.01..0.99));
        let parts: f64 = (0..3).map(|k| of([c[k], c[(k + 1) % 3], p])).sum();
        assert!((parts - of(c)).abs() < 1e-12, "{c:?} at {p}: {parts} not {}", of(c));
    }
}

/// The closest point of a triangle beats 2,000 others in it, and no step from it leads closer.
#[test]
fn closest_points() {
    let mut random = Pcg64Mcg::seed_from_u64(9);
    let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_: i32| random.random_range(-size..size)));
    for _ in 0..300 {
        let (facet, p) = (Facet::new([vector(1.0), vector(1.0), vector(1.0)]), vector(2.0));
        let best = facet.closest(p);
        for _ in 0..2000 {
            let w = vector(0.5) + 0.5;
            let q = facet.corner.iter().zip(w.to_array()).map(|(c, w)| *c * w).sum::<DVec3>() / w.element_sum();
            assert!(p.distance(best) <= p.distance(q) + 1e-12);
            assert!((q - best).dot(p - best) <= 1e-12, "{facet:?} {p}: towards {q}");
        }
    }
}

/// A star with deep valleys between its points, not convex.
pub fn star(points: usize) -> Surface {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let (vertices, triangles) = cuboid_facets(DVec3::ONE, points);
    let lengths: Vec<f64> = vertices.iter().map(|_| random.random_range(0.5..1.5)).collect();
    Surface::new("star", vertices.iter().zip(lengths).map(|(v, l)| v.normalize() * l).collect(), triangles)
}

/// The tree finds every facet in reach, as looking at all does.
#[test]
fn tree_finds_all_facets_in_reach() {
    let surface = star(9);
    let tree = FacetTree::new(&surface);
    let mut sorted = tree.boxes.order.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().enumerate().all(|(k, f)| k as u32 == *f));
    let mut random = Pcg64Mcg::seed_from_u64(5);
    for _ in 0..500 {
        let p = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.8..1.8)));
        let reach = random.random_range(0.01..0.6);
        let found = tree.boxes.within(p, reach);
        for (k, corners) in tree.corners_m.iter().enumerate() {
            let close = Facet::new(*corners).closest(p).distance(p) < reach;
            assert!(!close || found.contains(&k), "facet {k} at {p} within {reach}");
        }
        assert!(found.len() < tree.boxes.order.len());
    }
}

/// Solid angle of a triangle from the origin (van Oosterom and Strackee 1983).
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (x, y, z) = (a.length(), b.length(), c.length());
    2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}

/// Rays and the winding number by solid angles agree, also in line with vertices and edges.
#[test]
fn inside_a_star() {
    let surface = star(9);
    let tree = FacetTree::new(&surface);
    let mut random = Pcg64Mcg::seed_from_u64(6);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let p = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.2..1.2)));
        let turns: f64 = tree.corners_m.iter().map(|c| solid_angle(c.map(|c| c - p))).sum::<f64>() / (4.0 * PI);
        assert_eq!(inside(&tree, p), turns > 0.5, "{p}: {turns}");
        counts[usize::from(turns > 0.5)] += 1;
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
    let (vertices, triangles) = cuboid_facets(DVec3::new(2.0, 3.0, 4.0), 4);
    let tree = FacetTree::new(&Surface::new("box", vertices.clone(), triangles));
    assert!(vertices.iter().all(|v| inside(&tree, *v * 0.99) && !inside(&tree, *v * 1.01)));
}
