//! Bodies with nobody near roam beyond the skin of the neighbour list: lists stay few, and nobody is missed.

use crate::common::{bodies, engine, material, run_to, scenario};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics as RigidOnGpu;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use glam::{DQuat, DVec3};

const DENSITY: f64 = 3350.0;
const R: f64 = 0.1;
/// Of Bennu, in one step of a regolith run.
const GM: f64 = 4.89;
const DT: f64 = 0.0017;

fn spiral(k: usize, n: usize) -> DVec3 {
    let z = 1.0 - (2 * k + 1) as f64 / n as f64;
    let turn = 2.399963 * k as f64;
    DVec3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z)
}

/// Grains on circular orbits from 260 m to 35 km, seen from a frame that turns in 4.3 hours; there some move 4 cm a step.
fn shed(n: usize) -> (Scenario, Bodies) {
    let turn = DVec3::new(0.0, 0.0, 4.06e-4);
    let mut s = scenario(vec![material()]);
    s.run.time_step_s = Some(DT);
    s.gravity.push(GravitySource::Central { gm_m3_s2: GM, position_m: DVec3::ZERO });
    s.gravity.push(GravitySource::RotatingFrame { rotation_rad_s: turn });
    let radius = |k: usize| 260.0 * (35e3f64 / 260.0).powf(k as f64 / (n - 1) as f64);
    let spheres: Vec<_> = (0..n).map(|k| (radius(k) * spiral(k, n), R)).collect();
    let mut b = bodies(&spheres, DENSITY);
    for (k, (x, _)) in spheres.iter().enumerate() {
        let way = x.cross(spiral((k + 7) % n, n)).normalize();
        b.velocity_m_s[k] = (GM / x.length()).sqrt() * way - turn.cross(*x);
    }
    (s, b)
}

#[test]
fn orbits_out_to_the_hill_sphere_cost_no_lists() {
    let (s, b) = shed(200);
    let mut e = engine(&s, &b);
    let steps = 20_000;
    run_to(&mut e, steps);
    let (pairs, lists) = e.core.list_statistics();
    let fastest = b.velocity_m_s.iter().map(|v| v.length()).fold(0.0, f64::max);
    println!("{lists} lists in {steps} steps; a list a skin would be {:.0}", steps as f64 * fastest * DT / (0.05 * R));
    assert!(pairs == 0 && lists < 40, "{pairs} pairs, {lists} lists");
    let after = e.snapshot().expect("snapshot").bodies;
    let mut worst = 0.0f64;
    for (k, x) in b.position_m.iter().enumerate() {
        let (time, r) = (steps as f64 * DT, x.length());
        let inertial = b.velocity_m_s[k] + DVec3::Z.cross(*x) * 4.06e-4;
        let normal = x.cross(inertial).normalize();
        let orbit = DQuat::from_axis_angle(normal, (GM / r).sqrt() / r * time) * *x;
        worst = worst.max((DQuat::from_rotation_z(-4.06e-4 * time) * orbit).distance(after.position_m[k]));
    }
    println!("{worst:.1e} m off the circles after {} s", steps as f64 * DT);
    assert!(worst < 1e-5);
}

/// Pairs that come from 0.3 to 300 m apart, at a metre a second each, one of them from behind the other's old position.
#[test]
fn who_comes_from_afar_is_met() {
    let gaps = [0.3, 1.7, 9.0, 60.0, 300.0];
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e5)]);
    s.run.time_step_s = Some(DT);
    let mut spheres = vec![];
    for (k, gap) in gaps.iter().enumerate() {
        let at = DVec3::new(0.0, 2e3 * k as f64, 17.3);
        spheres.extend([(at, R), (at + DVec3::new(2.0 * R + gap, 0.0, 0.0), R)]);
    }
    let mut b = bodies(&spheres, DENSITY);
    (0..gaps.len()).for_each(|k| b.velocity_m_s[2 * k + 1] = DVec3::new(-1.0, 0.0, 0.0));
    b.velocity_m_s[8] = DVec3::new(0.97, 0.0, 0.0);
    let mut e = engine(&s, &b);
    run_to(&mut e, 110_000);
    let after = e.snapshot().expect("snapshot").bodies;
    for (k, gap) in gaps.iter().enumerate() {
        let rebound = after.velocity_m_s[2 * k + 1].x - after.velocity_m_s[2 * k].x;
        let closing = if k == 4 { 1.97 } else { 1.0 };
        println!("from {gap} m: restitution {:.4}", rebound / closing);
        // 16 steps a contact
        assert!((rebound / closing - 0.55).abs() < 0.05, "missed, or met late, from {gap} m");
    }
    println!("{} lists", e.core.list_statistics().1);
    assert!(e.core.list_statistics().1 < 3000, "a list a skin would be 22,000");
}

/// The same onto facets, from heights of every size of coarse cells.
#[test]
fn who_falls_from_afar_bounces() {
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e5)]);
    let shape = SurfaceKind::Box { size_m: DVec3::new(60.0, 60.0, 8.0), subdivisions: 20 };
    let mut spec = AsteroidSpec::new(shape, 2000.0);
    spec.motion = Motion::Fixed;
    s.asteroid = Some(spec);
    s.run.time_step_s = Some(5e-4);
    let heights = [0.02, 0.5, 2.0, 7.0, 30.0];
    let spheres: Vec<_> =
        heights.iter().enumerate().map(|(k, h)| (DVec3::new(9.0 * k as f64 - 20.0, 3.1, 4.0 + R + h), R)).collect();
    let mut b = bodies(&spheres, DENSITY);
    b.velocity_m_s.fill(DVec3::new(0.0, 0.0, -1.0));
    let mut e = engine(&s, &b);
    run_to(&mut e, 62_000);
    for (h, v) in heights.iter().zip(&e.snapshot().expect("snapshot").bodies.velocity_m_s) {
        println!("from {h} m: restitution {:.4}", v.z);
        assert!((v.z - 0.55).abs() < 0.02, "missed, or met late, from {h} m");
    }
}

/// What is too fast is so in inertial space: in the frame a body may do what it likes, but not before walls.
#[test]
fn too_fast_is_told_at_the_start() {
    let (s, mut b) = shed(20);
    b.velocity_m_s[3] += DVec3::new(0.0, 200.0, 0.0); // beyond 1 L a step
    let told = breccia::engine::gpu::prepare::prepare(&s, &b, DT, false).err().expect("accepted").to_string();
    assert!(told.contains("too fast for a step of 1.7 ms"), "{told}");
    let (mut s, b) = shed(20);
    s.walls.push(crate::common::wall(DVec3::ZERO));
    let told = breccia::engine::gpu::prepare::prepare(&s, &b, DT, false).err().expect("accepted").to_string();
    assert!(told.contains("too fast for a step of 1.7 ms"), "{told}");
}

/// All walls that are too fast are listed.
#[test]
fn every_wall_that_is_too_fast_is_told() {
    let (mut s, b) = (scenario(vec![material()]), bodies(&[(DVec3::ZERO, 1.0)], 2000.0));
    let fast = |name: &str| Wall { name: name.into(), ..crate::common::wall(DVec3::new(0.0, 0.0, 1e4)) };
    s.walls = vec![fast("one"), fast("other")];
    let told = breccia::engine::gpu::prepare::prepare(&s, &b, DT, false).err().expect("accepted").to_string();
    assert!(told.contains("wall.one.velocity_m_s") && told.contains("wall.other.velocity_m_s"), "{told}");
}

/// One grain on an orbit of e = 0.9 in 16,000 steps a turn, 0.4 L a step at the least distance, where 1/128 L is the most for
/// bodies in company; on both engines alike.
#[test]
fn a_sparse_orbit_may_be_fast() {
    let (a, eccentricity) = (60.0, 0.9f64);
    let period = std::f64::consts::TAU * (a * a * a / GM).sqrt();
    let mut s = scenario(vec![material()]);
    s.gravity.push(GravitySource::Central { gm_m3_s2: GM, position_m: DVec3::ZERO });
    s.run.time_step_s = Some(period / 16_000.0);
    let mut b = bodies(&[(DVec3::X * a * (1.0 - eccentricity), R)], DENSITY);
    b.velocity_m_s[0] = DVec3::Y * (GM / a * (1.0 + eccentricity) / (1.0 - eccentricity)).sqrt();
    let way = b.velocity_m_s[0].length() * period / 16_000.0 / 0.25;
    assert!(way > 5.0 / 128.0, "slow enough for company: {way} L a step");
    let mut at = vec![];
    let engines: [Box<dyn Engine>; 2] = [Box::new(engine(&s, &b)), Box::new(crate::common::reference(&s, &b))];
    for mut e in engines {
        e.run_to(16_000).expect("an orbit");
        at.push(e.snapshot().expect("snapshot").bodies.position_m[0]);
    }
    println!("{way:.2} L a step; engines {:.1e} m apart after a turn", at[0].distance(at[1]));
    // The field is f32 on the GPU, 6e-8 of a fall of 6 m in 5 s, about 10^4 times.
    assert!(at[0].distance(at[1]) < 1e-2);
}

/// In company, or before a wall, the same speed is refused at the start by the GPU engine, and ends a run of either.
#[test]
fn fast_bodies_in_company_are_told() {
    let mut s = scenario(vec![material()]);
    s.run.time_step_s = Some(DT);
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::X * 0.6, R)], DENSITY);
    b.velocity_m_s[1] = DVec3::Y * 8.0;
    let told = breccia::engine::gpu::prepare::prepare(&s, &b, DT, false).err().expect("accepted").to_string();
    assert!(told.contains("near other bodies, walls and surfaces"), "{told}");
    // Two that are alone at the start and meet.
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::X * 30.0, R)], DENSITY);
    b.velocity_m_s[1] = DVec3::X * -8.0;
    let engines: [Box<dyn Engine>; 2] = [Box::new(engine(&s, &b)), Box::new(crate::common::reference(&s, &b))];
    for mut e in engines {
        let told = e.run_to(4000).expect_err("went on").to_string();
        assert!(told.contains("body 1") && told.contains("moves too fast"), "{told}");
        assert!(told.contains("lower run.time_step_s") && !told.contains("overlap_max"), "{told}");
    }
}

/// Rigid bodies that fall to 2 % of their radius a step, side by side: too fast for windows that serve bodies at rest, and
/// taken with the key that makes them wider.
#[test]
fn rigid_bodies_are_as_fast_as_the_scenario_says() {
    let (radius, pull, step) = (1.8, 4e-4, 1.0);
    let b = bodies(&[(DVec3::ZERO, radius), (DVec3::new(0.0, 2.5 * radius, 0.0), radius)], DENSITY);
    let mut s = scenario(vec![material().with("restitution_normal", 0.0)]);
    s.gravity.push(GravitySource::Uniform { acceleration_m_s2: DVec3::new(pull, 0.0, 0.0) });
    for (speed_max_m_s, goes) in [(None, false), (Some(0.05), true)] {
        s.method = Method::ContactDynamics(ContactDynamics { speed_max_m_s, ..crate::common::rigid_settings() });
        let mut e = RigidOnGpu::new(crate::common::gpu(), &s, &b, step, Default::default()).expect("opens");
        match e.run_to(100).and_then(|()| e.snapshot()) {
            Ok(now) => {
                let speed = now.bodies.velocity_m_s[0].x;
                assert!(goes && (speed / (100.0 * step * pull) - 1.0).abs() < 1e-6, "{speed_max_m_s:?}: {speed} m/s");
            }
            Err(error) => {
                let told = error.to_string();
                assert!(!goes && told.contains("contact_dynamics.speed_max_m_s"), "{speed_max_m_s:?}: {told}");
            }
        }
    }
}

/// The smallest coarse cells of the first two bodies, (-3, -3, 3) and (24, 11, -6), have one key in the table of occupied
/// cells, and L is 1 m. The third body is on its way to the second.
#[test]
fn a_lone_body_meets_one_whose_cell_has_the_key_of_another() {
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e6)]);
    s.run.time_step_s = Some(1e-3);
    let at = [[-10.0, -10.0, 14.0], [99.9, 46.0, -22.0], [91.9, 46.0, -22.0]];
    let mut b = bodies(&at.map(|p| (DVec3::from(p), 0.4)), 2000.0);
    b.velocity_m_s[2] = DVec3::X;
    let mut e = engine(&s, &b);
    e.run_to(10_000).expect("steps");
    let velocity = e.snapshot().expect("snapshot").bodies.velocity_m_s;
    assert!(velocity[1].x > 0.5 && velocity[2].x < 0.5, "the third went through the second: {velocity:?}");
}

/// Bodies that rest in inertial space are fast in a frame that turns about a far axis: neither engine takes that for a fault, and both
/// have them where they are.
#[test]
fn rest_far_from_the_axis_of_a_frame_is_no_speed() {
    let mut s = scenario(vec![material()]);
    let rate = 0.5 * DVec3::Z;
    s.gravity = vec![GravitySource::RotatingFrame { rotation_rad_s: rate }];
    let mut b = bodies(&[(DVec3::new(60.0, 0.0, 0.0), 0.05), (DVec3::new(60.099, 0.0, 0.0), 0.05)], 2000.0);
    b.velocity_m_s = b.position_m.iter().map(|p| -rate.cross(*p)).collect();
    let (mut gpu, mut exact) = (engine(&s, &b), crate::common::reference(&s, &b));
    let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
    let apart = both.map(|engine| {
        engine.run_to(200).expect("steps");
        let found = engine.snapshot().expect("snapshot").bodies.position_m;
        found[0].distance(found[1])
    });
    assert!((apart[0] - apart[1]).abs() < 1e-5 && apart[0] > 0.0991, "{apart:?}");
}
