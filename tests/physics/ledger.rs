//! The energy ledger: what contacts dissipate and moving walls put in, over short and long runs.

use crate::common::*;
use breccia::engine::Engine;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::model::scenario::Wall;
use glam::DVec3;

/// With friction that never slips, the springs are still stretched when the bodies part; what they hold is booked as lost.
#[test]
fn the_ledger_closes_when_stretched_springs_are_dropped() {
    let m = material().with("restitution_normal", 1.0).with("friction_sliding", 100.0).with("friction_rolling", 5.0);
    let mut s = scenario(vec![m]);
    s.run.time_step_fraction = 0.002;
    let mut b = bodies(&[(DVec3::ZERO, 0.1), (DVec3::new(0.2001, 0.0, 0.0), 0.1)], 3350.0);
    b.velocity_m_s[1] = DVec3::new(-0.01, 0.02, 0.0);
    b.spin_rad_s[0] = DVec3::new(0.0, 0.1, 0.3);
    let energy = |e: &mut SoftSphere| {
        let shot = e.snapshot().expect("snapshot");
        assert!(shot.contacts.is_empty());
        let inertia = |k: usize| 0.4 * shot.bodies.mass_kg[k] * shot.bodies.radius_m[k].powi(2);
        let kinetic = |k: usize| {
            shot.bodies.mass_kg[k] * shot.bodies.velocity_m_s[k].length_squared()
                + inertia(k) * shot.bodies.spin_rad_s[k].length_squared()
        };
        let lost = shot.dissipated;
        (0.5 * (kinetic(0) + kinetic(1)), lost.normal_j + lost.sliding_j + lost.rolling_j + lost.twisting_j)
    };
    let mut engine = engine(&s, &b);
    let before = energy(&mut engine);
    run_to(&mut engine, 1500);
    let after = energy(&mut engine);
    assert!(after.1 > 0.05 * before.0, "the springs held little: {after:?}");
    assert!((after.0 + after.1 - before.0).abs() < 1e-3 * before.0, "{before:?} {after:?}");
}

/// A ball that rolls between a floor and a moving plate.
fn rolling() -> SoftSphere {
    let m = material().with("friction_rolling", 0.2);
    let mut s = scenario(vec![m]);
    let squeeze = 1e-3;
    let top = Wall {
        name: "plate".into(),
        point_m: DVec3::Z * 2.0 * (R - squeeze),
        normal: -DVec3::Z,
        ..wall(DVec3::X * 0.005)
    };
    s.walls = vec![wall(DVec3::ZERO), top];
    let mut b = bodies(&[(DVec3::Z * (R - squeeze), R)], 3350.0);
    b.velocity_m_s[0] = DVec3::X * 0.0025;
    b.spin_rad_s[0] = DVec3::Y * 0.0025 / (R - squeeze);
    engine(&s, &b)
}

/// A ball rolls between a floor and a moving plate, and loses the same amount in every step. Numbers of f32 that only
/// ever grow would have lost a hundredth of the sum by the end, and stop growing altogether after 16 million steps.
#[test]
fn the_ledger_of_many_equal_losses_closes() {
    const ROWS: u64 = 100;
    const STEPS: u64 = 2000;
    let mut engine = rolling();
    let mut energy = |step: u64| {
        run_to(&mut engine, step);
        let shot = engine.snapshot().expect("snapshot");
        assert_eq!(shot.wall_contacts.len(), 2);
        let again = engine.snapshot().expect("snapshot");
        assert_eq!((shot.dissipated.rolling_j, shot.wall_work_j), (again.dissipated.rolling_j, again.wall_work_j));
        (shot.dissipated.sliding_j + shot.dissipated.rolling_j, shot.wall_work_j)
    };
    let rows: Vec<_> = (1..=ROWS).map(|row| energy(row * STEPS)).collect();
    let row = |k: usize| (rows[k].0 - rows[k - 1].0, rows[k].1 - rows[k - 1].1);
    let (early, late) = (row(2), row(ROWS as usize - 1));
    println!("a row loses {:.6e} J early, {:.6e} J late; work {:.6e}, {:.6e} J", early.0, late.0, early.1, late.1);
    assert!(early.0 > 0.0 && (late.0 - early.0).abs() < 1e-4 * early.0, "losses dwindle: {early:?}, {late:?}");
    assert!((late.1 - early.1).abs() < 1e-4 * early.1, "work dwindles: {early:?}, {late:?}");
    assert!((late.0 - late.1).abs() < 1e-3 * late.1, "the ledger does not close: {late:?}");
}

/// The same in two rows, the second of 100,000 steps: slots are emptied between rows too. Sums of f32 over the whole row would
/// be a hundredth off.
#[test]
fn the_ledger_of_a_long_row_closes() {
    const STEPS: u64 = 100_000;
    let mut engine = rolling();
    let mut sums = |step: u64| {
        run_to(&mut engine, step);
        let shot = engine.snapshot().expect("snapshot");
        (shot.dissipated.sliding_j + shot.dissipated.rolling_j, shot.wall_work_j)
    };
    let rows = [sums(2000), sums(4000), sums(4000 + STEPS)];
    let (short, long) =
        ((rows[1].0 - rows[0].0, rows[1].1 - rows[0].1), (rows[2].0 - rows[1].0, rows[2].1 - rows[1].1));
    let times = STEPS as f64 / 2000.0;
    println!("a step loses {:.7e} J in a short row, {:.7e} J in a long one", short.0 / 2000.0, long.0 / STEPS as f64);
    // 8,192 additions to one f32: 5e-4 at most, and half of it on the whole
    assert!((long.0 / (times * short.0) - 1.0).abs() < 5e-4, "losses: {short:?}, {long:?}");
    assert!((long.1 / (times * short.1) - 1.0).abs() < 5e-4, "work: {short:?}, {long:?}");
}
