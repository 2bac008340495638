//! Contact dynamics whose steps are as long as bodies are wide, and contacts that are closed but for rounding.

use crate::common::rigid::{FLOOR, opened, text};
use breccia::engine::Engine;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;

const SMOOTH: &str = "restitution_normal = 0.0\nfriction_sliding = 0.0";

fn reference(text: &str) -> RigidReference {
    let s = parse(text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    let bodies = generate(&s).expect("makes bodies");
    let settings = s.method.contact_dynamics().expect("rigid");
    RigidReference::new(&s, settings, &bodies, s.run.time_step_s.expect("typed")).unwrap_or_else(|e| panic!("{e}"))
}

/// A body that goes through another within a step meets it, as in f64: the neighbour list holds whoever a step reaches.
#[test]
fn bodies_do_not_pass_through_each_other() {
    for step_s in [0.6, 1.5, 2.0, 3.0] {
        let bodies = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 1.0 }, \
                      { position_m = [40.5, 0.3, 0], radius_m = 1.0, velocity_m_s = [-1, 0, 0] }]\n";
        let text = text(step_s, "tolerance = 1e-5", SMOOTH, bodies);
        let steps = (80.0 / step_s) as u64;
        let (mut gpu, mut exact) = (opened(&text), reference(&text));
        gpu.run_to(steps).expect("steps");
        exact.run_to(steps).expect("steps");
        let kinetic = |shot: breccia::model::snapshot::Snapshot| {
            let b = shot.bodies;
            (0..2).map(|k| 0.5 * b.mass_kg[k] * b.velocity_m_s[k].length_squared()).sum::<f64>()
        };
        let (found, wanted) =
            (kinetic(gpu.snapshot().expect("snapshot")), kinetic(exact.snapshot().expect("snapshot")));
        println!("{step_s} s: {found:.2} J, {wanted:.2} J in f64");
        assert!((found / wanted - 1.0).abs() < 1e-3, "{step_s} s: {found} J, not {wanted} J");
    }
}

/// A step so long that radii would be rounded by percents is refused.
#[test]
fn radii_that_a_long_step_would_round_are_refused() {
    let bodies = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 0.01 }]\n";
    let text = text(10.0, "speed_max_m_s = 10.0", SMOOTH, bodies);
    let s = parse(&text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    let bodies = generate(&s).expect("makes bodies");
    let told = breccia::engine::gpu::limits::refuse(&s, &bodies, 10.0).expect_err("refused").to_string();
    assert!(
        told.contains("run.time_step_s: radii would be rounded by up to") && told.contains("speed_max_m_s"),
        "{told}"
    );
}

/// Cohesion without a range holds what it should, whatever rounding makes of a gap that is closed.
#[test]
fn cohesion_without_a_range_holds_closed_contacts() {
    let mass = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI;
    for radius in [1.0, 0.1, 0.3, 0.7] {
        let force = mass * f64::powi(radius, 3) * 1e-2 / 0.8;
        let material = format!("restitution_normal = 0.0\nfriction_sliding = 0.0\ncohesion_force_n = {force}");
        let rest = format!(
            "[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = [0.0, 0.0, -{radius}], radius_m = {radius} }}]\n\
             [[wall]]\nkind = \"plane\"\nname = \"ceiling\"\npoint_m = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, -1.0]\n\
             [[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-2]\n"
        );
        let text = text(0.1, "tolerance = 1e-5", &material, &rest);
        let engines: [Box<dyn Engine>; 2] = [Box::new(opened(&text)), Box::new(reference(&text))];
        for (name, mut engine) in ["GPU", "f64"].into_iter().zip(engines) {
            engine.run_to(100).expect("steps");
            let fell = engine.snapshot().expect("snapshot").bodies.position_m[0].distance(-radius * DVec3::Z);
            assert!(fell < 1e-4 * radius, "{name}, radius {radius}: fell by {fell} m");
        }
    }
}

/// A body in the place of a point mass feels nothing, on the GPU as in f64.
#[test]
fn a_body_at_the_centre_of_a_field_stays() {
    let rest = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 1.0 }]\n\
                [[gravity]]\nkind = \"central\"\ngm_m3_s2 = 1e-3\nposition_m = [0, 0, 0]\n";
    let mut gpu = opened(&text(0.1, "tolerance = 1e-5", SMOOTH, rest));
    gpu.run_to(10).expect("steps");
    assert_eq!(gpu.snapshot().expect("snapshot").bodies.position_m[0], DVec3::ZERO);
}

/// A field that brings a body to a wall within the step is seen before it: the body meets the wall as in f64.
#[test]
fn a_field_that_brings_a_body_to_a_wall_is_looked_ahead() {
    let bodies = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 1.08], radius_m = 1.0 }]\n\
                  [[wall]]\nkind = \"plane\"\nname = \"floor\"\nmaterial = \"rock\"\npoint_m = [0, 0, 0]\nnormal = [0, 0, 1]\n\
                  [[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -0.1]\n";
    let text = text(1.0, "tolerance = 1e-5\nspeed_max_m_s = 1.0", SMOOTH, bodies);
    let (mut gpu, mut exact) = (opened(&text), reference(&text));
    for step in [1, 2, 5] {
        gpu.run_to(step).expect("steps");
        exact.run_to(step).expect("steps");
        let height = |shot: breccia::model::snapshot::Snapshot| shot.bodies.position_m[0].z;
        let (found, wanted) = (height(gpu.snapshot().expect("snapshot")), height(exact.snapshot().expect("snapshot")));
        assert!((found - wanted).abs() < 1e-4, "step {step}: {found} m, not {wanted} m");
        assert!(found > 0.9999, "step {step}: {found} m is in the floor");
    }
}

/// What acts on all bodies alike presses none of their contacts, so that it is no measure of what a solver may leave.
#[test]
fn what_falls_together_is_solved_as_if_at_rest() {
    let pair = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 1.0 }, \
                { position_m = [2.0, 0, 0], radius_m = 1.0, velocity_m_s = [-1e-5, 0, 0] }]\n";
    let uniform = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -9.8]\n";
    let planet = "[[gravity]]\nkind = \"central\"\ngm_m3_s2 = 4e14\nposition_m = [1e8, 0, 0]\n";
    let floor =
        "[[wall]]\nkind = \"plane\"\nname = \"floor\"\nmaterial = \"rock\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1]\n";
    let pull = |more: &[&str]| {
        let text = text(1e-2, "tolerance = 1e-5\nspeed_max_m_s = 1.0", SMOOTH, &[&[pair], more].concat().concat());
        let s = parse(&text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
        breccia::physics::scales::pull_m_s2(&s, &generate(&s).expect("makes bodies"))
    };
    assert_eq!(pull(&[uniform]), 0.0);
    assert_eq!(pull(&[uniform, floor]), 9.8);
    let solid_m = 2f64.cbrt();
    assert!((pull(&[planet]) / (2.0 * 4e14 * solid_m / 1e24) - 1.0).abs() < 1e-6, "{}", pull(&[planet]));
    assert!((pull(&[planet, floor]) / 4e-2 - 1.0).abs() < 1e-6);
}

/// The speed that a step must hold is also that of the fall which the field and the walls allow: 45 mm/s from 1 m at 1e-3 m/s2.
#[test]
fn a_fall_onto_a_floor_is_as_fast_as_it_will_be() {
    let engine = |height: f64| {
        let drop = format!(
            "[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = [0, 0, {height}], radius_m = 0.05 }}]\n\
             [[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -1e-3]\n{FLOOR}"
        );
        opened(&text(0.05, "", "restitution_normal = 0.0\nfriction_sliding = 0.5", &drop))
    };
    let mut engine = engine(1.05);
    engine.run_to(1200).expect("it is no faster than its fall makes it");
    let last = engine.snapshot().expect("snapshot");
    assert!((last.bodies.position_m[0].z - 0.05).abs() < 1e-4, "{}", last.bodies.position_m[0]);
}
