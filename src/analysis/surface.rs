//! Points on the surfaces of bodies, for what knows points only.

use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::model::body::Bodies;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use std::borrow::Cow;
use std::f64::consts::{PI, TAU};

/// Depth of points below the surface, at random up to this (radius): many points exactly on one sphere would make each
/// question whose sphere holds whom a case for exact arithmetic, at several times the cost.
const DEPTH: f64 = 1e-9;

/// Spheres above the mean have so many points that these lie no farther apart than the mean radius: a ball of four of them must not
/// slip between.
fn count_on(count: usize, radius_m: f64, mean_radius_m: f64) -> usize {
    let least = (4.0 * PI * (radius_m / mean_radius_m).powi(2)).ceil() as usize;
    if radius_m > mean_radius_m { count.max(least) } else { count }
}

/// `count` points on each body's surface, or more on spheres above the mean, body by body. On a sphere they follow a Fibonacci spiral (Swinbank and Purser
/// 2006), turned at random, the same for the same id: equally turned spirals would all miss the same directions. A
/// polyhedron has its corners, however many, and then random points of its edges and faces up to `count`.
pub fn points_on(bodies: &Bodies, count: usize) -> Vec<DVec3> {
    let (usual, mean_radius_m) = (spiral(count), bodies.mean_radius_m());
    let on_sphere = |radius_m: f64| match count_on(count, radius_m, mean_radius_m) {
        more if more > count => Cow::Owned(spiral(more)),
        _ => Cow::Borrowed(&usual[..]),
    };
    let points_of = |k: usize| {
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(bodies.id[k].into());
        let (centre, radius) = (bodies.position_m[k], bodies.radius_m[k]);
        let (turn, points) = match &bodies.polyhedra {
            Some(p) => (p.orientation[k], on_faces(p.parts(k), count, &mut rng)),
            None => (random_turn(&mut rng), on_sphere(radius).iter().map(|p| radius * *p).collect()),
        };
        points.into_iter().map(move |p| centre + rng.random_range(1.0 - DEPTH..1.0) * (turn * p))
    };
    (0..bodies.len()).flat_map(points_of).collect()
}

/// All corners, and by turns points of edges and of faces, anywhere with equal chances by length and by area, until there
/// are `count`: points of faces alone would let a ball sink in over the edges between corners.
fn on_faces(parts: &[ConvexPolyhedron], count: usize, rng: &mut rand_pcg::Pcg64Mcg) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = parts.iter().flat_map(|p| &p.vertices_m).copied().collect();
    let corner = |p: &ConvexPolyhedron, v: u32| p.vertices_m[v as usize];
    let edge = |p: &ConvexPolyhedron| -> Vec<[DVec3; 3]> {
        p.edges.iter().map(|e| e.vertices.map(|v| corner(p, v))).map(|[a, b]| [a, b, b]).collect()
    };
    let fan = |p: &ConvexPolyhedron| -> Vec<[DVec3; 3]> {
        let of = |v: &[u32]| (2..v.len()).map(|k| [v[0], v[k - 1], v[k]].map(|c| corner(p, c))).collect::<Vec<_>>();
        p.faces.iter().flat_map(|f| of(&f.vertices)).collect()
    };
    let edges = Chances::new(parts.iter().flat_map(edge).collect(), |[a, b, _]| a.distance(b));
    let faces = Chances::new(parts.iter().flat_map(fan).collect(), |[a, b, c]| (b - a).cross(c - a).length());
    while points.len() < count {
        let [a, b, c] = if points.len().is_multiple_of(2) { edges.draw(rng) } else { faces.draw(rng) };
        let [across, along] = [0; 2].map(|_| rng.random_range(0.0..1.0f64));
        // by the root all of a triangle is as likely, and all of an edge without it
        let across = if b == c { across } else { across.sqrt() };
        points.push(a + across * (b - a + along * (c - b)));
    }
    points
}

/// Triangles, each drawn as often as its weight says.
struct Chances {
    triangles: Vec<[DVec3; 3]>,
    /// of the weights up to each
    sums: Vec<f64>,
}

impl Chances {
    fn new(triangles: Vec<[DVec3; 3]>, weight: impl Fn([DVec3; 3]) -> f64) -> Chances {
        let mut sum = 0.0;
        let mut add = |t: &[DVec3; 3]| {
            sum += weight(*t);
            sum
        };
        let sums = triangles.iter().map(&mut add).collect();
        Chances { triangles, sums }
    }

    fn draw(&self, rng: &mut rand_pcg::Pcg64Mcg) -> [DVec3; 3] {
        let last = self.triangles.len() - 1;
        let at = rng.random_range(0.0..1.0) * self.sums[last];
        self.triangles[self.sums.partition_point(|s| *s < at).min(last)]
    }
}

/// Unit vectors, each for an equal area.
fn spiral(count: usize) -> Vec<DVec3> {
    let golden = PI * (3.0 - 5f64.sqrt());
    let point = |k: usize| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sine, cosine) = (golden * k as f64).sin_cos();
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * cosine, across * sine, z)
    };
    (0..count).map(point).collect()
}

/// A rotation out of all with equal chances (Shoemake 1992).
fn random_turn(rng: &mut rand_pcg::Pcg64Mcg) -> DQuat {
    let [u, v, w] = [0; 3].map(|_| rng.random_range(0.0..1.0));
    let (a, b) = (f64::sqrt(1.0 - u), f64::sqrt(u));
    DQuat::from_xyzw(a * (TAU * v).sin(), a * (TAU * v).cos(), b * (TAU * w).sin(), b * (TAU * w).cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_on_the_sphere_and_balance() {
        for count in [32, 500] {
            let spiral = spiral(count);
            let mean = spiral.iter().sum::<DVec3>() / count as f64;
            assert!(spiral.iter().all(|p| (p.length() - 1.0).abs() < 1e-15));
            assert!(mean.length() < 0.7 / count as f64, "{count}: {mean}");
        }
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(1);
        for _ in 0..100 {
            assert!((random_turn(&mut rng).length() - 1.0).abs() < 1e-15);
        }
    }
}
