//! What plain f32 coordinates cannot do: each of these tests fails with them.

use crate::common::*;
use breccia::engine::Engine;
use breccia::model::scenario::*;
use glam::DVec3;

const NORMAL: DVec3 = DVec3::new(0.48, 0.60, 0.64);

/// Grains resting on one another on an oblique plane 250 m from the origin: largest speed in the second half.
fn resting_speed(count: usize, steps: u64) -> f64 {
    // a column of smooth spheres buckles
    let m = material().with("friction_rolling", 0.3).with("friction_twisting", 0.3);
    let mut s = scenario(vec![m.clone()]);
    let (g, r) = (6e-5, 0.1);
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: -g * NORMAL }];
    let ground = 250.0 * NORMAL;
    s.walls = vec![Wall::plane("ground", ground, NORMAL)];
    let mass = m.density_kg_m3 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
    let overlap = |above: usize| mass * g * above as f64 / 1.0103e4;
    let mut height = 0.0;
    let spheres: Vec<_> = (0..count)
        .map(|k| {
            height += if k == 0 { r } else { 2.0 * r } - overlap(count - k);
            (ground + height * NORMAL, r)
        })
        .collect();
    let mut engine = engine(&s, &bodies(&spheres, m.density_kg_m3));
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
#[ignore = "nightly: half a minute of one core; verify and the ledgers of other runs hold the same"]
fn an_hour_of_orbit_keeps_its_energy() {
    let mut s = scenario(vec![material()]);
    let (gm, dt) = (5.197_f64, 3565.0 / 2f64.powi(21));
    s.gravity = vec![GravitySource::Central { gm_m3_s2: gm, position_m: DVec3::ZERO }];
    let mut b = bodies(&[(DVec3::X * 300.0, 0.1)], 3350.0);
    b.velocity_m_s[0] = DVec3::new(0.0, 1.05 * (gm / 300.0).sqrt(), 0.01);
    let mut engine =
        breccia::engine::gpu::soft_sphere::SoftSphere::new(gpu(), &s, &b, dt, Default::default()).expect("engine");
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

/// Collisions and gravity of 27 bodies over a floor: the same bits wherever the system is, for any vector by which f64
/// can shift it: multiples of what f64 holds there, and others, whose rounding in f64 is less than half a unit of 2^-38
/// L.
#[test]
fn a_shift_changes_no_bit() {
    same_bits_after_a_shift(SelfGravityMethod::Direct);
    same_bits_after_a_shift(SelfGravityMethod::TreeRelative { accuracy: 1e-3 });
}

/// What a run leaves: positions from the first body's in units of 2^-38 L (f64 holds positions themselves to less than
/// half a unit), velocities, spins, contacts.
type Left = (Vec<DVec3>, Vec<DVec3>, Vec<DVec3>, usize);

/// Bodies from `spheres` fall together above a floor through `ground`.
fn fall_together(method: SelfGravityMethod, spheres: &[(DVec3, f64)], ground: DVec3) -> Left {
    let mut s = scenario(vec![material()]);
    s.gravity = vec![GravitySource::SelfGravity { method, update_every: Some(10) }];
    s.walls = vec![Wall::plane("floor", ground, DVec3::Z)];
    s.guards.overlap_max = 0.5;
    let mut b = bodies(spheres, 3350.0);
    for k in 0..27 {
        b.velocity_m_s[k] = (DVec3::splat(0.25) - home(k)) * 0.0625;
    }
    let mut engine = engine(&s, &b);
    run_to(&mut engine, 8000);
    let end = engine.snapshot().expect("snapshot");
    let first = end.bodies.position_m[0];
    let apart = end.bodies.position_m.iter().map(|p| ((*p - first) * 2f64.powi(40)).round()).collect();
    (apart, end.bodies.velocity_m_s, end.bodies.spin_rad_s, end.contacts.len() + end.wall_contacts.len())
}

/// Multiples of 2^-10 m.
fn home(k: usize) -> DVec3 {
    let f = |k: usize| (k % 3) as f64 * 0.25 + ((k * 7919) % 31) as f64 / 1024.0;
    DVec3::new(f(k), f(k / 3), f(k / 9))
}

fn same_bits_after_a_shift(method: SelfGravityMethod) {
    let radius = |k: usize| 0.08 + 0.001 * (k % 5) as f64;
    let ground = DVec3::Z * -0.125;
    let spheres = |shift: DVec3| (0..27).map(|k| (home(k) + shift, radius(k))).collect::<Vec<_>>();
    let here = fall_together(method, &spheres(DVec3::ZERO), ground);
    assert!(here.2.iter().any(|w| w.length() > 0.0), "nothing collided: the test shows nothing");
    for shift in [
        DVec3::new(1_234.567_871_093_75, -432.110_351_562_5, 77.776_367_187_5),
        DVec3::new(0.1, 0.2, 0.3),
        DVec3::new(-12.3456789, 47.11, 0.333_333_333_3),
    ] {
        assert_eq!(here, fall_together(method, &spheres(shift), ground + shift), "after a shift by {shift}");
    }
    // So far away f64 itself moves bodies by up to 1e-10 m: the same bits as those bodies near the origin.
    let far = DVec3::new(1_234_567.891, -654_321.123, 99_999.999);
    let there = spheres(far);
    let back: Vec<_> = there.iter().map(|(p, r)| (*p - there[0].0, *r)).collect();
    let floor = ground + far;
    let (there, back) = (fall_together(method, &there, floor), fall_together(method, &back, floor - there[0].0));
    assert_eq!((there.1, there.2, there.3), (back.1, back.2, back.3), "after a shift by {far}");
}

/// Grains of 1 cm on a body as large as Eros, 34 km long: 5.6e5 L from its middle to its ends. They bounce off a long face and
/// off an end as the f64 engine has it.
#[test]
fn a_centimetre_bounces_on_a_body_like_eros() {
    let half = DVec3::new(17_200.0, 5_600.0, 5_600.0);
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e3)]);
    let mut spec = AsteroidSpec::new(SurfaceKind::Box { size_m: 2.0 * half, subdivisions: 32 }, 2670.0);
    spec.motion = Motion::Fixed;
    s.asteroid = Some(spec);
    let r = 0.0087890625; // a multiple of 2^-24 L
    let mut b = bodies(
        &[
            (DVec3::new(-9_876.5, 321.1, half.z + r + 5e-3), r),
            (DVec3::new(half.x + r + 5e-3, -4_321.9, 1_234.5), r),
            (DVec3::new(half.x - 2e-4, 77.7, half.z + r + 5e-3), r), // at the edge
        ],
        2670.0,
    );
    b.velocity_m_s = vec![DVec3::new(0.01, 0.0, -0.1), DVec3::new(-0.1, 0.01, 0.0), DVec3::new(0.0, 0.005, -0.1)];
    let (mut gpu, mut f64s) = (engine(&s, &b), reference(&s, &b));
    let steps = (0.2 / gpu.time_step_s()) as u64;
    gpu.run_to(steps).expect("steps");
    f64s.run_to(steps).expect("steps");
    let [here, there] = [gpu.snapshot(), f64s.snapshot()].map(|s| s.expect("snapshot").bodies);
    assert!((here.velocity_m_s[0].z - 0.055).abs() < 1e-3 && (here.velocity_m_s[1].x - 0.055).abs() < 1e-3);
    for k in 0..3 {
        let off = here.velocity_m_s[k].distance(there.velocity_m_s[k]);
        println!("grain {k}: {} m/s, {off:.1e} from f64", here.velocity_m_s[k]);
        // Sides of facets of 1 km are known to 3e-7 m, of a contact's circle of 2 mm, which counts at an edge alone.
        assert!(off < [1e-5, 1e-5, 1e-4][k], "grain {k}: {off:e}");
    }
}
