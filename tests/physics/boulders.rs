//! Boulders with thousands of neighbours: loops over them must reach the last one, or the run must say that it cannot.
//! Forces of the last step and momentum against the engine in f64, which knows no lists.

use crate::common::*;
use breccia::base::error::Error;
use breccia::engine::Engine;
use breccia::model::scenario::{Neighbours, Scenario};
use glam::DVec3;

/// Radius of the boulder (m).
const BOULDER: f64 = 1.0;

fn scene(skin_radii: f64) -> Scenario {
    let mut s = scenario(vec![material()]);
    s.neighbours = Neighbours { skin_radii, hash_ratio: 4.0 };
    s
}

/// A boulder, and `n` grains of a hundredth of its radius evenly over it, pressed in more on one side.
fn coated(n: usize) -> Vec<(DVec3, f64)> {
    let r = BOULDER / 100.0;
    let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let grain = |k: usize| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / n as f64;
        let (s, c) = (turn * k as f64).sin_cos();
        let out = DVec3::new((1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z);
        (out * (BOULDER + r * (1.0 - 0.004 * (2.0 + out.x))), r)
    };
    // Not the first in memory: lower neighbours and higher ones.
    (0..n / 3).map(grain).chain([(DVec3::ZERO, BOULDER)]).chain((n / 3..n).map(grain)).collect()
}

/// A boulder in a bed of grains on a lattice, all overlapping a little, as thick as the list looks.
fn bedded(ratio: f64) -> Vec<(DVec3, f64)> {
    let r = BOULDER / ratio;
    let reach = BOULDER * 1.12 + r;
    let side = (reach / (1.98 * r)).ceil() as i32;
    let mut spheres = vec![(DVec3::ZERO, BOULDER)];
    for k in 0..(2 * side + 1).pow(3) {
        let n = 2 * side + 1;
        let at =
            DVec3::new((k % n - side) as f64, (k / n % n - side) as f64, (k / n / n - side) as f64 + 0.3) * 1.98 * r;
        if at.length() < reach && at.length() > BOULDER + 0.97 * r {
            spheres.push((at, r));
        }
    }
    spheres
}

/// Momentum that is left of that which moves, after so many steps; and the boulder's velocity against the f64 engine's.
fn compare(s: &Scenario, spheres: &[(DVec3, f64)], steps: u64) -> [f64; 2] {
    let b = bodies(spheres, 3350.0);
    let boulder = spheres.iter().position(|p| p.1 == BOULDER).expect("boulder");
    let mut engine = engine(s, &b);
    run_to(&mut engine, steps);
    let now = engine.snapshot().expect("snapshot").bodies;
    let mut truth = reference(s, &b);
    truth.run_to(steps).expect("steps");
    let wanted = truth.snapshot().expect("snapshot").bodies.velocity_m_s[boulder];
    let momenta = || now.velocity_m_s.iter().zip(&now.mass_kg).map(|(v, m)| *v * *m);
    let drift = momenta().sum::<DVec3>().length() / momenta().map(DVec3::length).sum::<f64>();
    let off = now.velocity_m_s[boulder].distance(wanted) / wanted.length();
    println!("{} bodies, {steps} steps: momentum {drift:.1e}, boulder {off:.1e}", spheres.len());
    [drift, off]
}

/// Forces are f32: each is off by 3e-8 of itself, at random, and the boulder's sum of 20,000 by about 1e-7 of what it went
/// through; what a lost neighbour gives is 5e-5 and more.
const DRIFT: f64 = 5e-7;
/// Radii are rounded to 2^-24 L: to 1e-4 of an overlap of 1e-3 of a grain's radius.
const BOULDER_OFF: f64 = 2e-4;

#[test]
fn twenty_thousand_neighbours() {
    // grains are 10 r from each other's lists at the usual skin: thinner here, or each had 70 neighbours
    let s = scene(0.02);
    for n in [2_500, 20_000] {
        let [drift, off] = compare(&s, &coated(n), 2);
        assert!(drift < DRIFT, "momentum drift {drift:.1e} with {n} neighbours");
        assert!(off < BOULDER_OFF, "the boulder's velocity is off by {off:.1e} with {n} neighbours");
    }
}

/// The bed presses from all sides, so that what is left of the sum is small and its error the larger part of it.
#[test]
fn boulder_in_a_bed() {
    let [drift, off] = compare(&scene(0.1), &bedded(25.0), 3);
    assert!(drift < DRIFT && off < 1e-3, "momentum {drift:.1e}, boulder {off:.1e}");
}

#[test]
#[ignore = "minutes in f64"]
fn boulder_in_a_fine_bed() {
    let [drift, off] = compare(&scene(0.1), &bedded(40.0), 3);
    assert!(drift < DRIFT && off < 1e-3, "momentum {drift:.1e}, boulder {off:.1e}");
}

/// A boulder under 60,000 grains, more than its list may hold: an error that says what to do.
#[test]
fn too_many_neighbours_are_an_error() {
    let b = bodies(&coated(60_000), 3350.0);
    let mut engine = engine(&scene(0.002), &b);
    let Err(Error::Numerical(text)) = engine.run_to(1) else { panic!("no error") };
    assert!(
        text.contains("body 20000 has more than") && text.contains("50,000 neighbours") && text.contains("skin_radii"),
        "{text}"
    );
}
