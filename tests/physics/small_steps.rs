//! What a step adds is far below the unit of a state, or just beside it: nothing of it may be lost step by step.

use crate::common::{R, engine, material, reference, run_to, scenario, wall};
use breccia::engine::Engine;
use breccia::model::body::Bodies;
use breccia::model::scenario::{GravitySource, Scenario};
use glam::DVec3;

/// One sphere far from others, and where it is after so many steps on the GPU and in f64 (m, m/s).
fn after(s: &Scenario, b: &Bodies, steps: u64) -> [[DVec3; 2]; 2] {
    let mut gpu = engine(s, b);
    run_to(&mut gpu, steps);
    let mut exact = reference(s, b);
    exact.run_to(steps).expect("steps");
    let of = |shot: breccia::model::snapshot::Snapshot| [shot.bodies.position_m[0], shot.bodies.velocity_m_s[0]];
    [of(gpu.snapshot().expect("snapshot")), of(exact.snapshot().expect("snapshot"))]
}

/// Stiff bodies take short steps. A displacement of a few units of 2^-38 L a step, or of less than one, is right in the mean:
/// rounded to the nearest unit in every step alike, the slowest would stand still and the next go half as fast again.
#[test]
fn slow_bodies_go_as_far_as_they_should() {
    for speed in [2.0e-6, 2.6e-7, 1.8e-7, 4.0e-8] {
        let s = scenario(vec![material().with("stiffness_normal_n_m", 2.5e9)]);
        let mut b = crate::common::bodies(&[(DVec3::ZERO, R)], 3350.0);
        b.velocity_m_s[0] = DVec3::new(speed, -speed, 0.3 * speed);
        let [[found, _], [wanted, _]] = after(&s, &b, 20_000);
        let off = (found - wanted).length() / wanted.length();
        println!("{speed:e} m/s: {off:.1e} of the way");
        assert!(off < 2e-3, "{speed:e} m/s: {found} m, not {wanted} m");
    }
}

/// A pull of a unit of 2^-58 L a step and less acts in full.
#[test]
fn weak_gravity_pulls_as_it_should() {
    for pull in [5e-5, 1e-5, 1e-6, 1e-7] {
        let mut s = scenario(vec![material().with("stiffness_normal_n_m", 2.5e9)]);
        s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: pull * DVec3::new(-0.6, 0.0, 0.8) }];
        let b = crate::common::bodies(&[(DVec3::ZERO, R)], 3350.0);
        let [[_, found], [_, wanted]] = after(&s, &b, 20_000);
        let off = (found - wanted).length() / wanted.length();
        println!("{pull:e} m/s2: {off:.1e} of the speed");
        assert!(off < 2e-3, "{pull:e} m/s2: {found} m/s, not {wanted} m/s");
    }
}

/// A small sphere rests on a large one, whose stiffness makes its overlap less than half a unit of the windows of positions. Its
/// contact holds its weight: by windows alone it would be thrown up and fall for ever.
#[test]
fn a_light_sphere_rests_on_a_heavy_one() {
    const G: f64 = 0.02;
    let (stiffness, small) = (4.5e6, R / 8.0);
    let weight = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * 3350.0 * G;
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", stiffness)]);
    s.walls = vec![wall(DVec3::ZERO)];
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: -G * DVec3::Z }];
    let low = R - (weight(R) + weight(small)) / stiffness;
    let overlap = weight(small) / stiffness;
    assert!(overlap < 0.45 * 0.25 * 2f64.powi(-30), "L = 0.25 m, and windows would do");
    let b = crate::common::bodies(&[(DVec3::Z * low, R), (DVec3::Z * (low + R + small - overlap), small)], 3350.0);
    let mut gpu = engine(&s, &b);
    let mut mean = 0.0;
    for row in 1..=40 {
        run_to(&mut gpu, 500 * row);
        let shot = gpu.snapshot().expect("snapshot");
        let held = shot.contacts.first().map_or(0.0, |c| c.force_n.z.abs()) / weight(small);
        // a unit of the windows of velocities, which the dashpot sees, is a tenth of the weight
        assert!((held - 1.0).abs() < 0.5, "row {row}: {held} of the weight");
        mean += held / 40.0;
    }
    assert!((mean - 1.0).abs() < 0.05, "{mean} of the weight");
}
