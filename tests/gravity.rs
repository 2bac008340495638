//! Tree gravity against the direct sum in f64: the table of docs/gravity.md
//! (`cargo test --test gravity -- --nocapture` prints it).

mod common;

use breccia::body::Bodies;
use breccia::engine::Engine;
use breccia::scenario::model::{GravitySource, SelfGravityMethod};
use common::*;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const G: f64 = breccia::solver::prepare::G;

/// A random point of a ball.
fn in_ball(random: &mut Pcg64) -> DVec3 {
    loop {
        let p = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.0..1.0)));
        if p.length_squared() <= 1.0 {
            return p;
        }
    }
}

fn cloud(n: usize, place: impl Fn(usize, &mut Pcg64) -> DVec3) -> Bodies {
    let mut random = Pcg64::seed_from_u64(5);
    // Masses of 0.5 to 1.5; radii are small, next to nothing touches.
    let one = |k: usize| (place(k, &mut random), 0.002 * (0.5 + ((k * 7919) % 1000) as f64 * 1e-3).cbrt());
    bodies(&(0..n).map(one).collect::<Vec<_>>(), 3000.0)
}

fn uniform(n: usize) -> Bodies {
    cloud(n, |_, random| 10.0 * in_ball(random))
}

/// Nine tenths in clumps of very different density, the rest far away, out to a thousand times the clumps' distance.
fn clustered(n: usize) -> Bodies {
    cloud(n, |k, random| match k % 10 {
        0 => 10_f64.powf(random.random_range(1.0..4.0)) * in_ball(random).normalize(),
        c => DVec3::new((c % 3) as f64, (c / 3) as f64, (c % 2) as f64) * 6.0 + 0.3 * c as f64 * in_ball(random),
    })
}

/// Accelerations of the method, those of the direct sum in f64, and potentials likewise.
fn fields(bodies: &Bodies, method: SelfGravityMethod) -> [(Vec<DVec3>, Vec<f64>); 2] {
    let mut s = scenario(vec![material()]);
    s.guards.overlap_max = 2.0;
    s.gravity.push(GravitySource::SelfGravity { method, update_every: Some(1) });
    let mut engine = engine(&s, bodies);
    run_to(&mut engine, 2); // the relative criterion needs a field from before
    let shot = engine.snapshot().expect("snapshot");
    let (x, m) = (&shot.bodies.position_m, &shot.bodies.mass_kg);
    let exact = (0..x.len()).map(|i| {
        let mut sum = (DVec3::ZERO, 0.0);
        for j in (0..x.len()).filter(|j| *j != i) {
            let d = x[j] - x[i];
            let inverse = d.length_recip();
            sum.0 += G * m[j] * inverse.powi(3) * d;
            sum.1 -= G * m[j] * inverse;
        }
        sum
    });
    let exact = exact.unzip();
    [(shot.self_acceleration_m_s2, shot.self_potential_j_kg), exact]
}

fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(s, c), v| (s + v * v, c + 1));
    (sum / f64::from(count.max(1))).sqrt()
}

#[test]
fn the_tree_is_as_accurate_as_its_table_says() {
    use SelfGravityMethod::*;
    for (name, bodies) in [("uniform", uniform(10_000)), ("clustered", clustered(10_000))] {
        for method in [
            Direct,
            TreeGeometric { opening_angle: 0.5 },
            TreeGeometric { opening_angle: 0.6 },
            TreeGeometric { opening_angle: 0.8 },
            TreeRelative { accuracy: 1e-2 },
            TreeRelative { accuracy: 3e-3 },
            TreeRelative { accuracy: 1e-3 },
            TreeRelative { accuracy: 3e-4 },
        ] {
            let begun = std::time::Instant::now();
            let [(a, p), (exact_a, exact_p)] = fields(&bodies, method);
            let scale = rms(exact_a.iter().map(|a| a.length()));
            let error = rms(a.iter().zip(&exact_a).map(|(a, b)| a.distance(*b))) / scale;
            let mut own: Vec<f64> = a.iter().zip(&exact_a).map(|(a, b)| a.distance(*b) / b.length()).collect();
            own.sort_by(f64::total_cmp);
            let potential = rms(p.iter().zip(&exact_p).map(|(p, q)| p / q - 1.0));
            let net: DVec3 = a.iter().zip(&bodies.mass_kg).map(|(a, m)| *a * *m).sum();
            let size: f64 = a.iter().zip(&bodies.mass_kg).map(|(a, m)| a.length() * *m).sum();
            println!(
                "{name:9} {method:?}: rms {error:.2e}, own median {:.1e} p99 {:.1e} max {:.1e}, potential {potential:.1e}, net force {:.1e} ({:.1} s)",
                own[own.len() / 2],
                own[own.len() * 99 / 100],
                own[own.len() - 1],
                net.length() / size,
                begun.elapsed().as_secs_f64(),
            );
        }
    }
}
