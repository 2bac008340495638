//! Contact problems of random aggregates, and the drivers that solve them.

use breccia::engine::reference::solution::Driver;
use breccia::engine::reference::{coloured, jacobi, nsgs};
use breccia::physics::rigid::problem::{Body, Contact, Problem};
use breccia::physics::rigid::{Delassus, Diagonal};
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Every driver of a [`Problem`].
pub const DRIVERS: [(&str, Driver); 6] = [
    ("NSGS", nsgs::diagonal),
    ("NSGS exact", nsgs::exact),
    ("Jacobi 0.3", jacobi::relaxed),
    ("mass splitting", jacobi::mass_splitting),
    ("JacS", jacobi::spectral),
    ("GsN", coloured::solve),
];

/// What the bodies of an aggregate are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// arms along the normals, isotropic inertia
    Spheres,
    /// boxes of random sides 1 : 3 that are turned at random; normals up to about 30 degrees off the arms
    Boxes,
}

struct Placed {
    position: DVec3,
    body: Body,
    velocity: DVec3,
    spin: DVec3,
}

fn any(rng: &mut Pcg64Mcg) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)))
}

fn placed(shape: Shape, rng: &mut Pcg64Mcg) -> Placed {
    let (position, mass) = (3.0 * any(rng), rng.random_range(0.5..4.0));
    let body = match shape {
        Shape::Spheres => Body::sphere(mass, 0.5 * f64::cbrt(mass)),
        Shape::Boxes => {
            let side = DVec3::ONE + any(rng) * 0.5;
            let moments = mass / 12.0 * (DVec3::splat(side.length_squared()) - side * side);
            let turn = DMat3::from_quat(DQuat::from_scaled_axis(3.0 * any(rng)));
            let inverse_inertia = turn * DMat3::from_diagonal(1.0 / moments) * turn.transpose();
            Body { inverse_mass: 1.0 / mass, inverse_inertia, along: None }
        }
    };
    Placed { position, body, velocity: any(rng) - 0.3 * position, spin: any(rng) }
}

/// About `count` bodies in a box of 6 m that fall towards its centre, each in contact with all bodies nearer than 1.7
/// m, and a floor at -2.4 m, which is body `count`. Free velocities are those of the bodies: the problem has a
/// solution.
pub fn random_aggregate(shape: Shape, count: usize, friction: f64, cohesion: f64, seed: u64) -> Problem {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let placed: Vec<Placed> = (0..count).map(|_| placed(shape, &mut rng)).collect();
    let mut contacts = vec![];
    for i in 0..count {
        for j in i + 1..count {
            let (a, b) = (&placed[i], &placed[j]);
            let branch = a.position - b.position;
            if branch.length() < 1.7 {
                let tilt = if shape == Shape::Boxes { 0.3 * any(&mut rng) } else { DVec3::ZERO };
                let normal = (branch.normalize() + tilt).normalize();
                let (arm_i, arm_j) = (-0.5 * branch + 0.5 * tilt, 0.5 * branch + 0.5 * tilt);
                let at = |p: &Placed, arm: DVec3| p.velocity + p.spin.cross(arm);
                let velocity = at(a, arm_i) - at(b, arm_j);
                contacts.push(Contact { i, j, normal, arm_i, arm_j, velocity, friction, cohesion });
            }
        }
        let p = &placed[i];
        if p.position.z < -2.4 {
            let arm_i = -0.5 * DVec3::Z;
            let (velocity, normal, arm_j) = (p.velocity + p.spin.cross(arm_i), DVec3::Z, DVec3::ZERO);
            contacts.push(Contact { i, j: count, normal, arm_i, arm_j, velocity, friction, cohesion });
        }
    }
    let bodies = placed.into_iter().map(|p| p.body).chain([Body::WALL]).collect();
    Problem { bodies, contacts }
}

/// The largest eigenvalue of D^-1/2 W D^-1/2 by power iteration.
pub fn largest_eigenvalue(problem: &Problem, metric: &[Diagonal]) -> f64 {
    let root: Vec<Diagonal> = metric.iter().map(|d| d.reciprocal().square_root()).collect();
    let scaled =
        |v: &[DVec3]| -> Vec<DVec3> { (0..v.len()).map(|c| root[c].apply(v[c], problem.contacts[c].normal)).collect() };
    let mut v: Vec<DVec3> = (0..problem.count()).map(|c| DVec3::new(1.0, (c as f64).sin(), (c as f64).cos())).collect();
    let mut value = 0.0;
    for _ in 0..3000 {
        let size = v.iter().map(|x| x.length_squared()).sum::<f64>().sqrt();
        v.iter_mut().for_each(|x| *x /= size);
        let p = scaled(&v);
        let bodies = problem.state(&p);
        let w: Vec<DVec3> = (0..p.len()).map(|c| problem.velocity(&bodies, c) - problem.free_velocity(c)).collect();
        v = scaled(&w);
        value = v.iter().zip(&p).map(|(a, _)| a.length_squared()).sum::<f64>().sqrt();
    }
    value
}
