//! What adds up over a run: sums that f32 alone could not hold, or words too short for a long run. Each test fails with them.

use crate::common::*;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::model::free_asteroid::Asteroid;
use breccia::model::scenario::*;
use glam::{DMat3, DVec3};

/// Acceleration of the weakest gravity that runs are meant for (m/s2).
const WEAK: f64 = 1e-6;
/// Time steps: soft spheres here, at the default share of a contact time, and contact dynamics (s).
const STEPS_S: [f64; 2] = [1.7e-3, 1.0];

fn falling(method: Method) -> Scenario {
    let mut s = scenario(vec![material()]);
    s.method = method;
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.6, 0.0, -0.8) * WEAK }];
    s
}

fn engines(s: [&Scenario; 2], b: &breccia::model::body::Bodies) -> [Box<dyn Engine>; 2] {
    let soft = SoftSphere::new(gpu(), s[0], b, STEPS_S[0], Default::default()).expect("engine");
    let rigid = ContactDynamics::new(gpu(), s[1], b, STEPS_S[1], Default::default()).expect("engine");
    [Box::new(soft), Box::new(rigid)]
}

/// A body at 0.1 m/s falls under 1e-6 m/s2, 10 km from the origin: f32 holds 0.1 m/s to 7e-9 m/s, and 10 km to 1 mm; a step
/// adds 1.7e-9 m/s and 0.17 mm. Expected: v = g t, and the way by v, to the rounding of fixed point.
#[test]
fn velocities_and_positions_take_what_weak_gravity_adds() {
    let [soft, rigid] = [Method::SoftSphere, Method::ContactDynamics(rigid_settings())].map(falling);
    let start = DVec3::new(1e4, -2e3, 7.0);
    let mut b = bodies(&[(start, R), (start + 50.0 * DVec3::Y, R)], 3350.0);
    b.velocity_m_s = vec![DVec3::new(0.0, 0.1, 0.06); 2];
    let steps = 3000;
    for (mut e, dt) in engines([&soft, &rigid], &b).into_iter().zip(STEPS_S) {
        e.run_to(steps).expect("steps");
        let after = e.snapshot().expect("snapshot").bodies;
        let time = steps as f64 * dt;
        let gained = DVec3::new(0.6, 0.0, -0.8) * WEAK * time;
        for k in 0..2 {
            let off = (after.velocity_m_s[k] - b.velocity_m_s[k]).distance(gained) / gained.length();
            let way = b.velocity_m_s[k] * time + 0.5 * gained * time;
            let astray = (after.position_m[k] - b.position_m[k]).distance(way);
            println!("{}: velocity off by {off:.1e} of g t, position by {astray:.1e} m", e.describe());
            // Kicks are f32, and rounded at 2^-59 L; ways at 2^-39 L a step, and L is 0.25 m and, of long steps, 32 m.
            let length = if dt < 0.1 { 0.25 } else { 32.0 };
            assert!(off < 1e-6 && astray < steps as f64 * length * 2f64.powi(-38), "{off:e}, {astray:e}");
        }
    }
}

/// The position of a wall that moves steadily is its speed times the steps: 64 bits of displacement hold 32 L alone,
/// after which a floor that withdraws would come back from above.
#[test]
fn walls_go_farther_than_a_word_of_displacement() {
    let mut s = scenario(vec![material()]);
    s.run.time_step_s = Some(1e-3);
    let speed = 1.8; // 0.0072 L a step, near the most there can be
    s.walls = vec![wall(DVec3::Z * -speed)];
    let b = bodies(&[(DVec3::Z * 1.0, R), (DVec3::new(3.0, 0.0, 1.0), R)], 3350.0);
    let mut e = SoftSphere::new(gpu(), &s, &b, 1e-3, Default::default()).expect("engine");
    // 8,000 steps: 58 L, 14 m
    for step in [4000, 5000, 8000] {
        e.run_to(step).unwrap_or_else(|fault| panic!("the floor came back: {fault}"));
    }
    let after = e.snapshot().expect("snapshot");
    assert!(after.wall_contacts.is_empty() && after.bodies.velocity_m_s[0] == DVec3::ZERO, "{:?}", after.wall_contacts);
}

/// Thousands of anchors: what is left of a body's room is a sum of f32 that must never come out too large. The way of a step is
/// so chosen that rounding takes half a unit too little off at each of the first 10,000.
#[test]
fn room_ends_where_it_should() {
    let mut s = scenario(vec![material()]);
    s.run.time_step_s = Some(1e-3);
    s.neighbours.skin_radii = 0.02;
    let (length, way) = (0.25, 819.49 * 2f64.powi(-14)); // L (m); (L), 2^-14 L is what f32 holds of 512 to 1,024 L
    let mut b = bodies(&[(DVec3::ZERO, R)], 3350.0);
    b.velocity_m_s[0] = DVec3::X * way * length / 1e-3;
    let mut e = SoftSphere::new(gpu(), &s, &b, 1e-3, Default::default()).expect("engine");
    e.run_to(1).expect("steps");
    let lists = e.core.list_statistics().1;
    // half of what 2,048 L of empty cells leave
    let room = 0.5 * (2048.0 - 1.0 / 64.0 - 2.0 * R / length) - 0.5 * 0.02 * R / length;
    let steps = (room / way) as u64;
    e.run_to(steps - steps / 500).expect("steps");
    assert_eq!(e.core.list_statistics().1, lists, "the room ended more than a five-hundredth too early");
    e.run_to(steps + 2).expect("steps");
    assert_eq!(e.core.list_statistics().1, lists + 1, "the body went on beyond its room");
}

/// Iterations of a row add up on the host: 9,000 steps and their iterations, however often the device's words were emptied.
#[test]
#[ignore = "minutes: 9,000 steps of contact dynamics"]
fn counts_of_iterations_go_on_over_many_steps() {
    let mut s = scenario(vec![material().with("friction_sliding", 0.3).with("restitution_normal", 0.0)]);
    s.method = Method::ContactDynamics(rigid_settings());
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: DVec3::Z * -1e-3 }];
    s.walls = vec![wall(DVec3::ZERO)];
    let b = bodies(&[(DVec3::Z * R, R)], 3350.0);
    let mut e = ContactDynamics::new(gpu(), &s, &b, 0.01, Default::default()).expect("engine");
    let mut solved = |step: u64| {
        e.run_to(step).expect("steps");
        e.snapshot().expect("snapshot").solved.expect("rigid")
    };
    let (early, late) = (solved(8000), solved(9000));
    assert_eq!((early.steps, late.steps), (8000, 9000));
    assert!(late.iterations > early.iterations && early.iterations > 0, "{early:?} {late:?}");
    e.restart_counts().expect("counts");
    assert_eq!(e.snapshot().expect("snapshot").solved.expect("rigid").steps, 0);
}

/// A grain that friction holds on a slope of 10 degrees under 1e-6 m/s2. Contacts see velocities in windows of 2^-37 L
/// a step, 1e-9 m/s: faster than that it must not creep. Windows of f32 at a speed of 0.1 m/s would see 7e-9 m/s.
#[test]
fn springs_hold_a_grain_under_weak_gravity() {
    let m = material().with("friction_rolling", 0.5).with("friction_sliding", 0.6);
    let mut s = scenario(vec![m]);
    let slope = 10f64.to_radians();
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(slope.sin(), 0.0, -slope.cos()) * WEAK }];
    s.walls = vec![wall(DVec3::ZERO)];
    let b = bodies(&[(DVec3::Z * R, R)], 3350.0);
    let mut e = engine(&s, &b);
    let dt = e.time_step_s();
    run_to(&mut e, 6000);
    let early = e.snapshot().expect("snapshot");
    run_to(&mut e, 12_000);
    let late = e.snapshot().expect("snapshot");
    let way = late.bodies.position_m[0].distance(early.bodies.position_m[0]);
    let fallen = 0.5 * WEAK * slope.sin() * (6000.0 * dt).powi(2);
    println!("moved by {way:.1e} m in {:.0} s, free {fallen:.1e} m", 6000.0 * dt);
    // L is 0.25 m
    assert!(way < 6000.0 * 0.25 * 2f64.powi(-37) && fallen > 5e-6, "{way:e} of {fallen:e}");
    let (force, weight) = (late.wall_contacts[0].force_n, b.mass_kg[0] * WEAK);
    assert!((force.z - weight * slope.cos()).abs() < 0.02 * weight && force.x < 0.0, "{force} N of {weight} N");
}

/// A grain of 14 kg on Bennu under 1e-6 m/s2 at a step of 2 ms: torque impulses of 7e-6 N m s, where f64 holds the
/// angular momentum to 1.2e-4 N m s. Sums of f64 alone would keep nothing.
#[test]
fn small_torques_and_forces_count() {
    let bennu = 7.3e10 * 0.4 * 245.0f64.powi(2);
    let start = Asteroid::new(7.3e10, DMat3::from_diagonal(DVec3::splat(bennu)), DVec3::Z * 4.06e-4);
    let (steps, push) = (1_000_000, 14.0 * 1e-6 * 0.002);
    let mut body = start;
    (0..steps).for_each(|_| body.step(DVec3::X * push, DVec3::Z * push * 250.0, DVec3::ZERO, 0.002));
    let given = start.motion.angular.z - body.motion.angular.z;
    let wanted = f64::from(steps) * push * 250.0;
    assert!(push * 250.0 < start.motion.angular.z * 2f64.powi(-54), "too large a torque shows nothing: {wanted}");
    // The sum shows what it has in steps of 1.2e-4.
    assert!((given - wanted).abs() < 1.3e-4, "{given} of {wanted} N m s");
    assert!((body.motion.momentum.x + f64::from(steps) * push).abs() < 1e-15 * f64::from(steps) * push);
    // Of equal kicks the way is that of half the last speed.
    let way = 0.5 * body.motion.momentum.x / 7.3e10 * f64::from(steps + 1) * 0.002;
    assert!((body.motion.centre_m.x / way - 1.0).abs() < 1e-14, "{} of {way} m", body.motion.centre_m.x);
}
