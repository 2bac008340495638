//! Clusters against cases with known answers, and against all pairs.

use crate::common::clusters as truth;
use breccia::analysis::cluster_report::Clusters;
use breccia::analysis::tracks::Tracks;
use breccia::model::snapshot::Snapshot;
use breccia::physics::measure::aggregates::aggregates;
use breccia::physics::measure::clusters::{Cluster, clusters};
use breccia::physics::measure::links::by_gap;
use glam::DVec3;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;

const G: f64 = 6.6743e-11;
const DENSITY: f64 = 2000.0;
/// of grains in a ball (m)
const GRAIN: f64 = 10.0;
/// Gap of touching grains (mean radius).
const NEAR: f64 = 0.01;

/// Centres of a cubic lattice of touching grains within `reach` grain diameters.
fn ball(middle: DVec3, reach: i32) -> Vec<(DVec3, f64)> {
    let side = 2 * reach + 1;
    let at = |k: i32| {
        DVec3::new((k % side - reach).into(), (k / side % side - reach).into(), (k / side / side - reach).into())
    };
    let all = (0..side * side * side).map(at).filter(|p| p.length() <= f64::from(reach));
    all.map(|p| (middle + 2.0 * GRAIN * p, GRAIN)).collect()
}

/// Bodies at these positions, a velocity for each group of them.
fn instant(groups: &[(Vec<(DVec3, f64)>, DVec3)]) -> Snapshot {
    let spheres: Vec<_> = groups.iter().flat_map(|g| g.0.clone()).collect();
    let mut bodies = crate::common::bodies(&spheres, DENSITY);
    bodies.velocity_m_s = groups.iter().flat_map(|(spheres, v)| vec![*v; spheres.len()]).collect();
    Snapshot { bodies, ..Snapshot::default() }
}

fn found(s: &Snapshot, minimum: usize) -> Vec<Cluster> {
    clusters(s, &by_gap(&s.bodies, NEAR), minimum)
}

fn report(s: &Snapshot, minimum: usize) -> Clusters {
    Clusters::of(s, found(s, minimum), "gaps".into(), minimum)
}

fn mass(s: &Snapshot) -> f64 {
    s.bodies.mass_kg.iter().sum()
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{what}: {found}, {expected} expected");
}

/// Two equal balls of 123 grains, about 35 ball radii apart, the second one passing at `speed`.
fn passing(speed: impl Fn(f64, f64) -> f64) -> (Snapshot, f64, f64) {
    let (apart, shift) = (2400.0, DVec3::new(3e5, -1e5, 7e4));
    let one = ball(shift, 3);
    let m = mass(&instant(&[(one.clone(), DVec3::ZERO)]));
    let drift = DVec3::new(0.3, -2.0, 0.7);
    let flying = drift + speed(m, apart) * DVec3::Y;
    (instant(&[(one, drift), (ball(shift + apart * DVec3::X, 3), flying)]), m, apart)
}

#[test]
fn two_balls_that_fly_apart_are_two_clusters() {
    let (mut s, m, apart) = passing(|m, d| (4.1 * G * m / d).sqrt());
    let (n, middle, turn) = (s.bodies.len() / 2, s.bodies.position_m[s.bodies.len() / 4], DVec3::new(0.0, 2e-5, 1e-5));
    for k in 0..n {
        s.bodies.velocity_m_s[k] += turn.cross(s.bodies.position_m[k] - middle);
        s.bodies.spin_rad_s[k] = turn;
    }
    let r = report(&s, 50);
    assert_eq!((r.count, r.free_bodies, r.bound_pairs.len(), r.free_mass_share), (2, 0, 0, 0.0));
    // equal masses: the one with the lowest id comes first
    for (row, range, centre) in [(&r.list[0], 0..n, middle), (&r.list[1], n..2 * n, middle + apart * DVec3::X)] {
        assert_eq!(row.aggregate.indices, range.collect::<Vec<_>>());
        assert_eq!((row.by_contact, row.sizes.len()), (n, 1));
        close(row.mean_body_mass_ratio, 1.0, 1e-12, "mean body mass");
        assert_eq!((row.sizes[0].bodies, row.sizes[0].bodies_of_all), (n, 2 * n));
        close(row.aggregate.mass_kg, m, 1e-12, "mass");
        close(row.aggregate.mass_share, 0.5, 1e-12, "share");
        assert!((row.aggregate.centre_m - centre).length() < 1e-7);
    }
    assert!((r.list[0].rotation.angular_velocity_rad_s - turn).length() < 1e-13);
    close(r.list[0].rotation.rigid_share.unwrap(), 1.0, 1e-9, "rigid share");
    assert!(r.list[1].rotation.angular_velocity_rad_s.length() < 1e-13);
}

/// Faster than the escape speed from one ball, slower than that of the pair, v^2 = 3 G M / d across: two clusters in the
/// pericentre of an ellipse of semi-major axis 2 d and eccentricity 1/2.
#[test]
fn a_binary_is_told_by_its_orbit() {
    let (s, m, d) = passing(|m, d| (3.0 * G * m / d).sqrt());
    let r = report(&s, 50);
    assert_eq!((r.count, r.bound_pairs.len(), r.bound_pairs[0].ranks), (2, 1, [0, 1]));
    let orbit = &r.bound_pairs[0].orbit;
    close(orbit.semi_major_axis_m, 2.0 * d, 1e-9, "semi-major axis");
    close(orbit.eccentricity, 0.5, 1e-9, "eccentricity");
    close(orbit.energy_j, -0.25 * G * m * m / d, 1e-9, "energy");
    let period = std::f64::consts::TAU * (8.0 * d * d * d / (2.0 * G * m)).sqrt() / 3600.0;
    close(orbit.orbit_period_h, period, 1e-9, "period");
    // below the escape speed from one ball the other belongs to it, though they do not touch
    let (slow, ..) = passing(|m, d| (1.8 * G * m / d).sqrt());
    let one = report(&slow, 50);
    assert_eq!((one.count, one.list[0].by_contact, one.list[0].aggregate.bodies), (1, 123, 246));
}

/// One grain between two balls that fly apart makes one group of them as long as it touches both.
#[test]
fn a_grain_that_touches_both_joins_two_balls() {
    let away = 100.0 * DVec3::X;
    let made = |gap: f64| {
        let bridge = DVec3::new(4.0 * 2.0 * GRAIN, 0.0, 0.0);
        instant(&[
            (ball(DVec3::ZERO, 3), -away),
            (vec![(bridge, GRAIN)], DVec3::ZERO),
            (ball((8.0 * 2.0 * GRAIN + gap) * DVec3::X, 3), away),
        ])
    };
    let n = ball(DVec3::ZERO, 3).len();
    let joined = found(&made(0.0), 2);
    assert_eq!(joined.iter().map(|c| (c.indices.len(), c.by_contact)).collect::<Vec<_>>(), [(2 * n + 1, 2 * n + 1)]);
    let parted: BTreeSet<_> = found(&made(1.0), 2).into_iter().map(|c| c.indices.len()).collect();
    assert_eq!(parted, BTreeSet::from([n + 1, n]));
}

/// Light grains about a ball, at 0.97 and 1.03 times the escape speed where they are: the slow ones belong to it.
#[test]
fn satellites_below_the_escape_speed_belong_to_a_ball() {
    let mut rng = Pcg64Mcg::seed_from_u64(8);
    let drift = DVec3::new(5.0, 1.0, -4.0);
    let core = ball(DVec3::ZERO, 4);
    let n = core.len();
    let mut any = || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0))).normalize();
    let around: Vec<_> = (0..120).map(|k| ((120.0 + 15.0 * f64::from(k)) * any(), 0.05)).collect();
    let mut s = instant(&[(core, drift), (around, drift)]);
    let mut bound: Vec<usize> = (0..n).collect();
    for k in n..s.bodies.len() {
        let at = s.bodies.position_m[k];
        let well: f64 = (0..n).map(|j| G * s.bodies.mass_kg[j] / s.bodies.position_m[j].distance(at)).sum();
        let part = if k % 3 == 0 { 0.97 } else { 1.03 };
        s.bodies.velocity_m_s[k] += part * (2.0 * well).sqrt() * any();
        bound.extend((k % 3 == 0).then_some(k));
    }
    assert_eq!(found(&s, 50), [Cluster { indices: bound, by_contact: n }]);
    let r = report(&s, 50);
    assert_eq!(
        (r.free_bodies, r.list[0].sizes.len(), r.list[0].sizes[0].bodies, r.list[0].sizes[1].bodies),
        (80, 2, 40, n)
    );
}

#[test]
fn a_stream_of_fast_grains_has_no_cluster() {
    let grains = (0..400).map(|k| (vec![(f64::from(k) * 30.0 * DVec3::X, GRAIN)], f64::from(k) * 0.1 * DVec3::X));
    let s = instant(&grains.collect::<Vec<_>>());
    let r = report(&s, 2);
    assert_eq!((r.count, r.free_bodies, r.free_mass_share, r.bound_pairs.len()), (0, 400, 1.0, 0));
    assert_eq!(report(&s, 1).count, 400);
}

/// Where no group can hold what does not touch it, clusters are the connected components.
#[test]
fn fast_aggregates_are_friends_of_friends() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut at = || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    let spheres: Vec<_> = (0..1500).map(|k| (8.0 * at(), 0.2 + 0.1 * f64::from(k % 4))).collect();
    let mut s = instant(&[(spheres, DVec3::ZERO)]);
    let links = by_gap(&s.bodies, NEAR);
    let components = aggregates(&s, &links);
    for a in &components {
        let fast = at();
        a.indices.iter().for_each(|k| s.bodies.velocity_m_s[*k] = fast);
    }
    let large: BTreeSet<Vec<usize>> = components.into_iter().map(|a| a.indices).filter(|p| p.len() >= 3).collect();
    assert!(large.len() > 20, "{} components", large.len());
    let found = clusters(&s, &links, 3);
    assert!(found.iter().all(|c| c.by_contact == c.indices.len()));
    assert_eq!(found.into_iter().map(|c| c.indices).collect::<BTreeSet<_>>(), large);
}

/// Clumps of grains of sizes 1:4 thrown about at speeds around their escape speeds.
fn cloud(seed: u64, speed: f64) -> Snapshot {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut any = || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    let clump = |k: usize, any: &mut dyn FnMut() -> DVec3| {
        let middle = 900.0 * any();
        let width = 25.0 + 20.0 * (k % 5) as f64;
        (0..6 + 7 * (k % 7)).map(|j| (middle + width * any(), 4.0 * (1 + j % 4) as f64)).collect::<Vec<_>>()
    };
    let groups: Vec<_> = (0..14).map(|k| (clump(k, &mut any), 2.0 * speed * any())).collect();
    let mut s = instant(&groups);
    s.bodies.velocity_m_s.iter_mut().for_each(|v| *v += speed * any());
    s
}

#[test]
fn random_clouds_have_the_clusters_of_all_pairs() {
    let (mut several, mut bound) = (0, 0);
    for seed in 0..24 {
        let s = cloud(seed, 0.003 * 1.35f64.powi(seed as i32 % 8));
        let links = by_gap(&s.bodies, NEAR);
        let touching: BTreeSet<[u32; 2]> = links.iter().flat_map(|[a, b]| [[*a, *b], [*b, *a]]).collect();
        let touch = |a: usize, b: usize| touching.contains(&[a as u32, b as u32]);
        let found = clusters(&s, &links, 6);
        let expected: Vec<Vec<usize>> =
            truth::clusters(&s, &touch, 6).into_iter().map(|c| c.into_iter().collect()).collect();
        assert_eq!(found.iter().map(|c| c.indices.clone()).collect::<Vec<_>>(), expected, "cloud {seed}");
        several += usize::from(found.len() > 2);
        bound += found.iter().filter(|c| c.by_contact < c.indices.len()).count();
    }
    assert!(several > 8 && bound > 20, "clouds too easy: {several} with more than two clusters, {bound} bound");
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    for seed in 30..36 {
        let s = cloud(seed, 0.01);
        let mut order: Vec<usize> = (0..s.bodies.len()).collect();
        order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        let mixed = Snapshot { bodies: s.bodies.select(&order), ..Snapshot::default() };
        let renamed = |c: Cluster| c.indices.iter().map(|k| order[*k]).collect::<BTreeSet<_>>();
        let there: Vec<BTreeSet<usize>> = found(&mixed, 6).into_iter().map(renamed).collect();
        let here: Vec<BTreeSet<usize>> = found(&s, 6).into_iter().map(|c| c.indices.into_iter().collect()).collect();
        assert!(!here.is_empty());
        assert_eq!(here, there, "cloud {seed}");
    }
}

#[test]
fn a_cluster_keeps_its_number() {
    let bodies = crate::common::bodies(&vec![(DVec3::ZERO, 1.0); 12], 1000.0);
    let mut tracks = Tracks::default();
    let mut follow = |clusters: &[&[usize]]| tracks.follow(&bodies, clusters.iter().copied());
    assert_eq!(follow(&[&[0, 1, 2, 3, 4], &[5, 6, 7]]), [0, 1]);
    // ranks change ranks, and body 4 goes over
    assert_eq!(follow(&[&[4, 5, 6, 7, 8], &[0, 1, 2, 3]]), [1, 0]);
    // one breaks in two: the larger part goes on, the other one is new
    assert_eq!(follow(&[&[4, 5, 8, 9], &[6, 7], &[0, 1, 2, 3]]), [1, 2, 0]);
    // one is gone for a while, two are one
    assert_eq!(follow(&[&[0, 1, 2, 3, 6, 7]]), [0]);
    assert_eq!(follow(&[&[4, 5, 8], &[10, 11]]), [1, 3]);
}
