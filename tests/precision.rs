//! What plain f32 coordinates cannot do: each of these tests fails with them.

mod common;
use breccia::engine::Engine;
use breccia::scenario::model::*;
use common::*;
use glam::DVec3;

const NORMAL: DVec3 = DVec3::new(0.48, 0.60, 0.64);

/// Grains resting on one another on an oblique plane 250 m from the origin: largest speed in the second half.
fn resting_speed(count: usize, steps: u64) -> f64 {
    let mut m = material();
    (m.friction_rolling, m.friction_twisting) = (0.3, 0.3); // a column of smooth spheres buckles
    let mut s = scenario(vec![m.clone()]);
    let (g, r) = (6e-5, 0.1);
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: -g * NORMAL }];
    let ground = 250.0 * NORMAL;
    s.walls = vec![Wall::plane("ground", ground, NORMAL)];
    let mass = m.density_kg_m3 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
    let overlap = |above: usize| mass * g * above as f64 / 1.0103e4;
    let mut height = 0.0;
    let places: Vec<_> = (0..count)
        .map(|k| {
            height += if k == 0 { r } else { 2.0 * r } - overlap(count - k);
            (ground + height * NORMAL, r)
        })
        .collect();
    let mut engine = engine(&s, &bodies(&places, m.density_kg_m3));
    let mut largest = 0.0f64;
    for k in 1..=20 {
        run_to(&mut engine, steps * k / 20);
        if k > 10 {
            let speeds = engine.snapshot().expect("snapshot").bodies.velocity_m_s;
            largest = speeds.iter().map(|v| v.length()).fold(largest, f64::max);
        }
    }
    largest
}

/// The promise is 1e-8 m/s; f32 positions give 4e-4 m/s at this distance.
const SPURIOUS_SPEED_M_S: f64 = 1e-8;

#[test]
fn a_resting_grain_rests() {
    let speed = resting_speed(1, 20_000);
    println!("one grain: {speed:.2e} m/s");
    assert!(speed < SPURIOUS_SPEED_M_S, "{speed}");
}

#[test]
fn a_column_of_ten_rests() {
    let speed = resting_speed(10, 60_000);
    println!("ten grains: {speed:.2e} m/s");
    assert!(speed < SPURIOUS_SPEED_M_S, "{speed}");
}

/// Energy of an hour's orbit about a point mass; f32 velocities lose 4e-4 of it.
#[test]
fn an_hour_of_orbit_keeps_its_energy() {
    let mut s = scenario(vec![material()]);
    let (gm, dt) = (5.197_f64, 3565.0 / 2f64.powi(21));
    s.gravity = vec![GravitySource::Central { gm_m3_s2: gm, position_m: DVec3::ZERO }];
    let mut b = bodies(&[(DVec3::X * 300.0, 0.1)], 3350.0);
    b.velocity_m_s[0] = DVec3::new(0.0, 1.05 * (gm / 300.0).sqrt(), 0.01);
    let mut engine =
        breccia::solver::soft_sphere::SoftSphere::new(gpu(), &s, &b, dt, Default::default()).expect("engine");
    let mut energy = || {
        let now = engine.snapshot().expect("snapshot");
        let held = now.central_gm_m3_s2.expect("central");
        let now = now.bodies;
        let e = 0.5 * now.velocity_m_s[0].length_squared() - held / now.position_m[0].length();
        run_to(&mut engine, (3600.0 / dt) as u64);
        e
    };
    let (first, last) = (energy(), energy());
    let drift = ((last - first) / first).abs();
    println!("one hour of orbit: dE/E {drift:.2e}");
    assert!(drift < 1e-9, "{drift}");
}

/// Collisions and gravity of 27 bodies: the same bits wherever the system stands.
#[test]
fn a_shift_changes_no_bit() {
    same_bits_after_a_shift(SelfGravityMethod::Direct);
    same_bits_after_a_shift(SelfGravityMethod::TreeRelative { accuracy: 1e-3 });
}

fn same_bits_after_a_shift(method: SelfGravityMethod) {
    let run = |shift: DVec3| {
        let mut s = scenario(vec![material()]);
        s.gravity = vec![GravitySource::SelfGravity { method, update_every: Some(10) }];
        // Multiples of 2^-10 m, so that the shifted start is exact in f64 too.
        let f = |k: usize| (k % 3) as f64 * 0.25 + ((k * 7919) % 31) as f64 / 1024.0;
        let places: Vec<_> =
            (0..27).map(|k| (DVec3::new(f(k), f(k / 3), f(k / 9)) + shift, 0.08 + 0.001 * (k % 5) as f64)).collect();
        let mut b = bodies(&places, 3350.0);
        for k in 0..27 {
            b.velocity_m_s[k] = (shift - b.position_m[k] + DVec3::splat(0.25)) * 0.0625;
        }
        let mut s = s.clone();
        s.guards.overlap_max = 0.5;
        let mut engine = engine(&s, &b);
        run_to(&mut engine, 8000);
        let end = engine.snapshot().expect("snapshot");
        let places: Vec<DVec3> = end.bodies.position_m.iter().map(|p| *p - shift).collect();
        (places, end.bodies.spin_rad_s, end.contacts.len())
    };
    let here = run(DVec3::ZERO);
    assert!(here.1.iter().any(|w| w.length() > 0.0), "nothing collided: the test shows nothing");
    for shift in [DVec3::splat(10_240.0), DVec3::new(1_234.567_871_093_75, -4_321.110_351_562_5, 77.776_367_187_5)] {
        let there = run(shift);
        assert_eq!(here.1, there.1, "spins differ after a shift by {shift}");
        assert_eq!(here.2, there.2);
    }
}
