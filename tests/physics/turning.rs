//! Time steps in which a body, a frame or an asteroid turns by more than half a rotation.

use crate::common::*;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::record::check::check;
use glam::DVec3;
use std::f64::consts::PI;

const STEP_S: f64 = 10.0;

fn one(spin: f64) -> Bodies {
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::X * 5.0, R)], 3350.0);
    b.spin_rad_s[1] = DVec3::new(0.6, 0.0, -0.8) * spin;
    b
}

fn rigid() -> Scenario {
    let mut s = scenario(vec![material()]);
    s.method = Method::ContactDynamics(rigid_settings());
    s.run.time_step_s = Some(STEP_S);
    s.run.duration_s = 1000.0;
    s
}

#[test]
fn steps_above_half_a_rotation_are_refused() {
    let half = PI / STEP_S;
    check(&rigid(), &one(0.999 * half)).expect("just below");
    let told = |s: &Scenario, b: &Bodies| check(s, b).expect_err("accepted").to_string();
    let of_body = told(&rigid(), &one(1.001 * half));
    for word in [
        "run.time_step_s: 10 s is more than half the rotation period of body 1, 9.99",
        "lower it, or let the body turn slower",
    ] {
        assert!(of_body.contains(word), "{of_body}");
    }
    let mut s = rigid();
    s.gravity = vec![GravitySource::RotatingFrame { rotation_rad_s: DVec3::Z * 0.4 }];
    assert!(told(&s, &one(0.0)).contains("of the rotating frame, 7.854"), "{}", told(&s, &one(0.0)));
    let mut s = rigid();
    let increment_rad_s = DVec3::Z * 0.004;
    s.spin_up = Some(SpinUp {
        start_s: 0.0,
        initial_rad_s: DVec3::ZERO,
        increment_rad_s,
        interval_s: 10.0,
        end_s: None,
        bodies: Default::default(),
    });
    assert!(told(&s, &one(0.0)).contains("let [spin_up] add less"), "{}", told(&s, &one(0.0)));
}

/// Collisions may spin a body up beyond any check: each engine stops and names it.
#[test]
fn a_body_that_turns_too_far_ends_the_run() {
    let b = one(1.01 * PI / STEP_S);
    let mut soft = scenario(vec![material()]);
    soft.run.time_step_s = Some(STEP_S);
    let settings = rigid_settings();
    let mut engines: [Box<dyn Engine>; 4] = [
        Box::new(SoftSphere::new(gpu(), &soft, &b, STEP_S, Default::default()).expect("engine")),
        Box::new(reference(&soft, &b)),
        Box::new(ContactDynamics::new(gpu(), &rigid(), &b, STEP_S, Default::default()).expect("engine")),
        Box::new(RigidReference::new(&rigid(), &settings, &b, STEP_S).expect("engine")),
    ];
    for e in &mut engines {
        let told = e.run_to(20).expect_err("went on").to_string();
        let right = told.contains("body 1") && told.contains("turns by more than half a rotation in one step");
        assert!(right, "{}: {told}", e.describe());
    }
}
