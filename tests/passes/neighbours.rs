//! Contacts that the whole engine finds against all pairs: what it chooses itself, such as levels, cells and windows, and
//! the list's growth. The passes alone: `tests/passes/passes.rs`, `tests/passes/properties.rs`.

use crate::common::*;
use breccia::engine::Engine;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Runs one step and compares the contacts found with all pairs. Returns the number of contacts.
fn compare(spheres: &[(DVec3, f64)]) -> usize {
    let mut s = scenario(vec![material()]);
    s.guards.overlap_max = 0.5;
    let b = bodies(spheres, 3350.0);
    let mut engine = engine(&s, &b);
    run_to(&mut engine, 1);
    let now = engine.snapshot().expect("snapshot");
    let found: Vec<(u32, u32)> = now.contacts.iter().map(|c| (c.i, c.j)).collect();
    let mut wanted = vec![];
    for i in 0..spheres.len() {
        for j in i + 1..spheres.len() {
            // Well inside, so that one step cannot part them and radii rounded to 2^-24 L do not matter.
            if spheres[i].0.distance(spheres[j].0) < (spheres[i].1 + spheres[j].1) * (1.0 - 1e-5) {
                wanted.push((i as u32, j as u32));
            }
        }
    }
    for pair in &wanted {
        assert!(found.contains(pair), "missed {pair:?} of {} pairs", wanted.len());
    }
    for &(i, j) in &found {
        let (a, b) = (spheres[i as usize], spheres[j as usize]);
        assert!(a.0.distance(b.0) < (a.1 + b.1) * (1.0 + 1e-5), "{i} {j} do not touch");
    }
    wanted.len()
}

fn cloud(n: usize, size: f64, radius: (f64, f64), seed: u64) -> Vec<(DVec3, f64)> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut point = || DVec3::new(rng.random(), rng.random(), rng.random());
    let points: Vec<DVec3> = (0..n).map(|_| point() * size).collect();
    points.into_iter().map(|p| (p, rng.random_range(radius.0..=radius.1))).collect()
}

/// Keeps only bodies that overlap no other by more than 0.4 of the smaller radius: the guard would stop deeper ones.
fn thin(spheres: Vec<(DVec3, f64)>) -> Vec<(DVec3, f64)> {
    let mut kept: Vec<(DVec3, f64)> = vec![];
    for (p, r) in spheres {
        if kept.iter().all(|(q, s)| p.distance(*q) > r + s - 0.4 * r.min(*s)) {
            kept.push((p, r));
        }
    }
    kept
}

#[test]
fn size_ratio_of_thirty() {
    let mut spheres = vec![(DVec3::ZERO, 3.0), (DVec3::X * 5.9, 3.0)];
    spheres.extend(cloud(2500, 7.0, (0.1, 0.12), 4).into_iter().map(|(p, r)| (p - DVec3::splat(3.5), r)));
    let n = compare(&thin(spheres));
    println!("{n} contacts at 1:30");
    assert!(n > 50, "{n}: too few to show anything");
}

#[test]
fn ejecta_far_away_cost_nothing() {
    let mut spheres = thin(cloud(500, 1.5, (0.1, 0.1), 5));
    spheres.push((DVec3::new(1.0e6, -1.0e6, 1.0e6), 0.1)); // 1e7 radii
    spheres.push((DVec3::new(1.0e6 + 0.19, -1.0e6, 1.0e6), 0.1));
    assert!(compare(&spheres) > 50);
}

/// A wide spray of windows that would alias if the far difference were not checked.
#[test]
fn bodies_a_window_apart_do_not_touch() {
    // L = 0.25 m for R = 0.1 m; the 32-bit window repeats every 4 L = 1 m.
    let spheres: Vec<_> =
        (0..64).map(|k| (DVec3::new((k % 4) as f64, (k / 4 % 4) as f64, (k / 16) as f64), 0.1)).collect();
    assert_eq!(compare(&spheres), 0);
}

#[test]
fn lists_grow_and_lose_no_contact() {
    // The skin is a share of the largest radius: near a big body, a hundred small grains are all neighbours of one
    // another, far more pairs than the first capacity of eight a body.
    let mut spheres = vec![(DVec3::splat(-3.0), 1.0)];
    spheres.extend((0..125).map(|k| (DVec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64) * 0.0199, 0.01)));
    let s = scenario(vec![material()]);
    let mut engine = engine(&s, &bodies(&spheres, 3350.0));
    run_to(&mut engine, 1);
    let (pairs, _) = engine.core.list_statistics();
    assert!(pairs > 5000, "{pairs} pairs: the list did not have to grow");
    assert_eq!(engine.snapshot().expect("snapshot").contacts.len(), 3 * 100, "neighbours of a 5 x 5 x 5 cube");
}
