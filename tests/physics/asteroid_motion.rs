//! A free asteroid: its own rotation, what it and the bodies give each other, and that nothing of it is lost.

use crate::common::asteroid::{GM, asteroid, tumbling};
use crate::common::write_frame;
use crate::common::{bodies, engine, material, reference, wall};
use breccia::engine::Engine;
use breccia::model::free_asteroid::Asteroid;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::frame::{coupling, rigid};
use breccia::physics::measure::columns::columns;
use breccia::physics::measure::momentum::MomentumSums;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::record::files::recorded::Recorded;
use glam::{DMat3, DQuat, DVec3};

fn tumbler() -> Asteroid {
    let axes = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.5, 0.8));
    let inertia = axes * DMat3::from_diagonal(DVec3::new(1.0, 1.35, 1.7)) * axes.transpose();
    Asteroid::new(1.0, inertia, DVec3::new(6e-3, -2e-3, 8e-3))
}

fn turn(body: &Asteroid, mut q: DQuat, h: f64, steps: u32) -> DQuat {
    for _ in 0..steps {
        q = (q * DQuat::from_scaled_axis(body.turn_rad(q, h))).normalize();
    }
    q
}

/// Energy of a free body over 100,000 steps of 0.1 s, and of 60 s: the rule keeps it whatever the step. The angular momentum
/// in inertial axes is the state; the spin must give it back.
#[test]
fn tumbling_keeps_its_energy_and_angular_momentum() {
    let body = tumbler();
    for (h, steps) in [(0.1, 100_000), (60.0, 10_000)] {
        let energy = body.kinetic_j(DQuat::IDENTITY)[1];
        let q = turn(&body, DQuat::IDENTITY, h, steps);
        let off = (body.kinetic_j(q)[1] / energy - 1.0).abs();
        let back = q * (body.inertia_kg_m2 * body.spin_rad_s(q));
        let momentum = back.distance(body.motion.angular) / body.motion.angular.length();
        println!("{steps} steps of {h} s: energy off by {off:.2e}, angular momentum by {momentum:.2e}");
        assert!(off < 1e-10 && momentum < 1e-10);
    }
}

/// Against the same with steps ten times as short: of second order. A step in which the body turns far is cut, so that its
/// error is that of a short one: 3e-7 of the 20 rad, however long it is.
#[test]
fn tumbling_is_of_second_order_and_long_steps_are_cut() {
    let body = tumbler();
    let fine = turn(&body, DQuat::IDENTITY, 0.01, 200_000);
    let off = |h: f64, steps: u32| turn(&body, DQuat::IDENTITY, h, steps).angle_between(fine);
    let [short, half, long, longest] = [off(0.16, 12_500), off(0.08, 25_000), off(10.0, 200), off(100.0, 20)];
    println!(
        "angle off after 2000 s (20 rad): {short:.3e} at 0.16 s, {half:.3e} at 0.08 s, {long:.3e} at 10 s, {longest:.3e} at 100 s"
    );
    assert!((short / half - 4.0).abs() < 0.1 && short < 1e-5);
    assert!(long < 1e-5 && longest < 1e-5, "a rate is off");
}

/// A box: (b2 + c2) m / 12.
#[test]
fn mass_and_inertia_come_from_surface_and_density() {
    let body = rigid(&asteroid(Motion::Fixed, DVec3::ZERO)).unwrap();
    let mass = 1500.0 * 30.0 * 22.0 * 16.0;
    assert!((body.mass_kg / mass - 1.0).abs() < 1e-12);
    let wanted = DVec3::new(22.0f64.powi(2) + 256.0, 900.0 + 256.0, 900.0 + 22.0f64.powi(2)) * mass / 12.0;
    let found = DVec3::new(body.inertia_kg_m2.x_axis.x, body.inertia_kg_m2.y_axis.y, body.inertia_kg_m2.z_axis.z);
    assert!((found / wanted - DVec3::ONE).length() < 1e-12, "{found} {wanted}");
}

/// Momentum and angular momentum of bodies and asteroid in inertial space, and the sums of magnitudes of bodies' parts.
fn total(s: &Snapshot) -> ([DVec3; 2], [f64; 2]) {
    let sums = MomentumSums::about(DVec3::ZERO, DVec3::ZERO, &s.inertial());
    let m = s.frame.unwrap().asteroid.unwrap().motion;
    let total = [sums.linear + m.momentum, sums.angular() + m.angular + m.centre_m.cross(m.momentum)];
    (total, [sums.linear_size, sums.angular_size])
}

/// Drift of momentum over what the bodies carry, and of angular momentum over the whole, the worst of ten looks.
fn drift(interval: u32, steps: u64) -> [f64; 2] {
    let (s, b) = tumbling(interval);
    let mut e = engine(&s, &b);
    let (start, _) = total(&e.snapshot().unwrap());
    let mut worst = [0.0f64; 2];
    let begun = std::time::Instant::now();
    for part in 1..=10 {
        e.run_to(steps / 10 * part).unwrap();
        let snapshot = e.snapshot().unwrap();
        let (now, size) = total(&snapshot);
        let size = [size[0], now[1].length()];
        for k in 0..2 {
            worst[k] = worst[k].max(now[k].distance(start[k]) / size[k]);
        }
        if part == 10 {
            let body = snapshot.frame.unwrap().asteroid.unwrap();
            let first = rigid(s.asteroid.as_ref().unwrap()).unwrap().motion;
            let given = body.motion.angular.distance(first.angular) / first.angular.length();
            println!(
                "  the asteroid moves at {:.3e} m/s, its angular momentum changed by {given:.3e}",
                body.velocity_m_s().length()
            );
            assert!(given > 1e-4, "the bodies did not touch it");
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "interval {interval}, {steps} steps, {:.1} us a step: drift {:.2e} of momentum, {:.2e} of angular momentum",
        1e6 * seconds / steps as f64,
        worst[0],
        worst[1]
    );
    worst
}

#[test]
fn nothing_is_lost_between_bodies_and_asteroid() {
    for interval in [1, 16] {
        let [momentum, angular] = drift(interval, 100_000);
        assert!(momentum < 1e-9 && angular < 1e-9, "{momentum} {angular}");
    }
}

#[test]
#[ignore = "minutes"]
fn nothing_is_lost_in_a_million_steps() {
    for interval in [1, 4, 16, 64] {
        let [momentum, angular] = drift(interval, 1_000_000);
        assert!(momentum < 1e-9 && angular < 1e-9, "{momentum} {angular}");
    }
}

/// Steps are the same however they are cut into calls, and go on from a checkpoint bit by bit.
#[test]
fn cuts_and_checkpoints_change_no_bit() {
    let (s, b) = tumbling(7);
    let mut whole = engine(&s, &b);
    whole.run_to(3000).unwrap();
    let mut cut = engine(&s, &b);
    for target in [1, 5, 7, 8, 30, 31, 999, 1500] {
        cut.run_to(target).unwrap();
    }
    let saved = cut.save().unwrap();
    let mut resumed = engine(&s, &b);
    resumed.restore(&saved).unwrap();
    resumed.run_to(3000).unwrap();
    cut.run_to(2000).unwrap();
    cut.run_to(3000).unwrap();
    let [a, b, c] = [&mut whole, &mut cut, &mut resumed].map(|e| e.save().unwrap());
    for ((a, b), c) in a.iter().zip(&b).zip(&c) {
        assert!(a.1 == b.1, "{} differs with the cuts", a.0);
        assert!(a.1 == c.1, "{} differs after the checkpoint", a.0);
    }
}

/// Both engines through the same steps, bounces included.
#[test]
fn both_engines_move_the_asteroid_alike() {
    let (s, b) = tumbling(4);
    let (mut gpu, mut cpu) = (engine(&s, &b), reference(&s, &b));
    for target in [100, 1000, 6000] {
        gpu.run_to(target).unwrap();
        cpu.run_to(target).unwrap();
        let (g, c) = (gpu.snapshot().unwrap(), cpu.snapshot().unwrap());
        let far = (0..b.len()).map(|k| g.bodies.position_m[k].distance(c.bodies.position_m[k])).fold(0.0, f64::max);
        let [gf, cf] = [g.frame.unwrap(), c.frame.unwrap()];
        let [ga, ca] = [gf.asteroid.unwrap().motion, cf.asteroid.unwrap().motion];
        let given = ca.momentum.length();
        let momentum = ga.momentum.distance(ca.momentum) / given;
        let angular = ga.angular.distance(ca.angular) / ca.angular.length();
        let turned = gf.orientation.angle_between(cf.orientation);
        println!(
            "step {target}: bodies {far:.2e} m, momentum {momentum:.2e}, angular {angular:.2e}, orientation {turned:.2e}"
        );
        assert!(far < 1e-5 && momentum < 1e-5 && angular < 1e-8 && turned < 1e-7);
        let (now, size) = total(&c);
        let (start, _) = total(&reference(&s, &b).snapshot().unwrap());
        assert!(now[0].distance(start[0]) < 1e-11 * size[0] && now[1].distance(start[1]) < 1e-10 * size[1]);
    }
}

/// Nothing pulls on a lone body beside an asteroid that tumbles: what was typed of its velocity and spin, with what the frame
/// turns at, it keeps in inertial space, however long the intervals are in which the frame turns steadily.
#[test]
fn a_typed_velocity_is_that_of_the_instant() {
    for interval in [1, 64] {
        let (mut s, _) = tumbling(interval);
        (s.gravity, s.run.time_step_s) = (vec![], Some(0.1));
        s.materials = vec![material().with("stiffness_normal_n_m", 1e3)];
        let mut b = bodies(&[(DVec3::new(10.0, 20.0, 60.0), 2.0)], 1500.0);
        (b.velocity_m_s[0], b.spin_rad_s[0]) = (DVec3::new(0.1, -0.2, 0.05), DVec3::new(1e-3, 2e-3, -1e-3));
        let rate = s.asteroid.as_ref().unwrap().rotation_rad_s;
        let typed = [b.velocity_m_s[0] + rate.cross(b.position_m[0]), b.spin_rad_s[0] + rate];
        for (name, mut e) in
            [("GPU", Box::new(engine(&s, &b)) as Box<dyn Engine>), ("f64", Box::new(reference(&s, &b)))]
        {
            for step in [0, 1, 300] {
                e.run_to(step).unwrap();
                let now = e.snapshot().unwrap().inertial().into_owned();
                let off = [now.velocity_m_s[0].distance(typed[0]), now.spin_rad_s[0].distance(typed[1])];
                println!("{name}, interval {interval}, step {step}: off {:.1e} m/s, {:.1e} rad/s", off[0], off[1]);
                assert!(off[0] < 1e-7 * typed[0].length() && off[1] < 1e-7 * typed[1].length());
            }
        }
    }
}

/// Where a boulder of a fifth of the asteroid's mass is after 2000 s in orbit, from the asteroid, in inertial axes; and where
/// two bodies in inertial space would have it, and a fixed asteroid (m).
fn orbit(time_step_s: f64) -> [DVec3; 3] {
    let (mut s, _) = tumbling(1);
    let steps = (2000.0 / time_step_s) as u64;
    s.walls.clear();
    s.gravity = vec![GravitySource::Central { gm_m3_s2: GM, position_m: DVec3::ZERO }];
    s.gravity.push(GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(1) });
    s.run.time_step_s = Some(time_step_s);
    s.materials = vec![material().with("stiffness_normal_n_m", 1e3)];
    let mut b = bodies(&[(DVec3::new(40.0, 0.0, 0.0), 8.0)], 1500.0);
    let w = s.asteroid.as_ref().unwrap().rotation_rad_s;
    let velocity = DVec3::new(0.0, 0.16, 0.05);
    b.velocity_m_s[0] = velocity - w.cross(b.position_m[0]);
    let mut e = engine(&s, &b);
    e.run_to(steps).unwrap();
    let snapshot = e.snapshot().unwrap();
    let found = snapshot.inertial().position_m[0] - snapshot.frame.unwrap().origin_m;
    let going = |share: f64| {
        let pull = |x: DVec3| -GM * (1.0 + share) / x.length().powi(3) * x;
        let (mut x, mut v, dt) = (b.position_m[0], velocity, e.time_step_s());
        for n in 0..steps {
            v += if n == 0 { 0.5 * dt } else { dt } * pull(x);
            x += v * dt;
        }
        x
    };
    let share = b.mass_kg[0] / rigid(s.asteroid.as_ref().unwrap()).unwrap().mass_kg;
    assert!(share > 0.1);
    [found, going(share), going(0.0)]
}

/// The reaction is felt, two steps late: what is off falls with the step, and vanishes with it.
#[test]
fn an_orbit_feels_the_reaction() {
    let [[coarse, truth, fixed], [fine, finer_truth, _]] = [0.25, 0.125].map(orbit);
    let off = [coarse.distance(truth), fine.distance(finer_truth)];
    let limit = (2.0 * fine - coarse).distance(finer_truth);
    println!(
        "of {:.2} m that a fixed asteroid is off, off {:.3} m at 0.25 s, {:.3} m at 0.125 s, {limit:.4} m in the limit",
        fixed.distance(truth),
        off[0],
        off[1]
    );
    assert!(off[0] < 0.06 * fixed.distance(truth) && (off[0] / off[1] - 2.0).abs() < 0.1);
    assert!(limit < 0.03 * off[0]);
}

/// Rows have all columns, the drift stays small, and a frame read back gives the same positions in inertial space.
#[test]
fn rows_and_frames_tell_of_the_asteroid() {
    let (s, b) = tumbling(3);
    let mut e = reference(&s, &b);
    let (mut baseline, names) = (Baseline::default(), columns(&s));
    let mut row = vec![];
    for target in [0, 500, 1000] {
        e.run_to(target).unwrap();
        row = measure(&e.snapshot().unwrap(), &s, &mut baseline);
        assert_eq!(row.len(), names.len());
    }
    let of = |name: &str| row[names.iter().position(|c| c == name).unwrap()];
    assert!(of("total_momentum_drift") < 1e-12 && of("total_angular_momentum_drift") < 1e-12);
    let given = DVec3::new(
        of("asteroid_momentum_x_kg_m_s"),
        of("asteroid_momentum_y_kg_m_s"),
        of("asteroid_momentum_z_kg_m_s"),
    );
    assert!(given.length() > 1.0, "{given}");
    let (kinetic, whole) = (of("asteroid_kinetic_j"), of("mechanical_energy_j"));
    let parts = ["kinetic_translational_j", "kinetic_rotational_j", "elastic_j", "gravitational_j"].map(of);
    assert!((parts.iter().sum::<f64>() + kinetic - whole).abs() < 1e-9 * whole.abs());
    let (run, snapshot) = (tempfile::tempdir().unwrap(), e.snapshot().unwrap());
    write_frame(run.path(), 0, &snapshot, true).unwrap();
    let read = Recorded::read(&run.path().join("frames/000000")).unwrap().instant.in_inertial_space();
    let wanted = snapshot.in_inertial_space();
    for k in 0..b.len() {
        assert!(read.bodies.position_m[k].distance(wanted.bodies.position_m[k]) < 1e-12);
        assert!(read.bodies.velocity_m_s[k].distance(wanted.bodies.velocity_m_s[k]) < 1e-15);
        assert!(read.bodies.position_m[k].distance(snapshot.bodies.position_m[k]) > 0.01);
    }
}

/// What a free asteroid cannot take the reaction of is refused with the remedy.
#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |change: &dyn Fn(&mut Scenario), words: &[&str]| {
        let (mut s, _) = tumbling(1);
        change(&mut s);
        let told = coupling(&s, 1e-2).expect_err("accepted").to_string();
        words.iter().for_each(|w| assert!(told.contains(w), "`{w}` is not in: {told}"));
    };
    let uniform = GravitySource::Uniform { acceleration_m_s2: DVec3::Z };
    refused(&|s| s.gravity.push(uniform.clone()), &["uniform", "would not feel it", "asteroid.motion"]);
    let aside = GravitySource::Central { gm_m3_s2: 1.0, position_m: DVec3::X };
    refused(&|s| s.gravity.push(aside.clone()), &["position_m", "mass centre"]);
    let turning = GravitySource::RotatingFrame { rotation_rad_s: DVec3::Z };
    refused(&|s| s.gravity.push(turning.clone()), &["rotating_frame", "asteroid.rotation_rad_s"]);
    refused(&|s| s.walls.push(wall(DVec3::Z)), &["wall.floor", "walls are fixed to"]);
    let spin = SpinUp {
        increment_rad_s: DVec3::Z,
        interval_s: 1.0,
        initial_rad_s: DVec3::ZERO,
        start_s: 0.0,
        end_s: None,
        bodies: Default::default(),
    };
    refused(&|s| s.spin_up = Some(spin), &["spin_up", "remove"]);
}
