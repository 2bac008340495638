//! Contact dynamics where things turn or are taken away: held gravity and the ledger in a turning frame, added rotations, a
//! plate with a servo that is gone.

use super::servo::{DOWN, ball, column, opened, rows, servo, text};
use crate::common::rigid::FLOOR;
use breccia::engine::Engine;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::model::scenario::Method;
use breccia::model::snapshot::Snapshot;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;

/// Spin of two spheres of 1 m on a circular orbit, 3 m apart (rad/s).
const ORBIT: f64 = 2.035_08e-4;

/// Two spheres at rest in the frame of their orbit, whose gravity is held for 50 steps of 0.5 s.
fn orbit() -> String {
    text(
        "speed_max_m_s = 0.1",
        &format!(
            "[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = [1.5, 0, 0], radius_m = 1 }}, {{ position_m = [-1.5, 0, 0], radius_m = 1 }}]\n\
             [[gravity]]\nkind = \"self\"\nupdate_every = 50\n\
             [[gravity]]\nkind = \"rotating_frame\"\nrotation_rad_s = [0, 0, {ORBIT}]\n"
        ),
    )
}

/// Held gravity points to where bodies are in the frame, which carries them along: a third of a rotation leaves them there.
#[test]
fn held_gravity_does_not_drag_bodies_in_a_turning_frame() {
    const STEPS: u64 = 20_000;
    let (scenario, mut gpu) = opened(&orbit());
    let parsed = parse(&orbit(), "test.toml", &[]).expect("scenario");
    let bodies = generate(&parsed).expect("bodies");
    let Method::ContactDynamics(settings) = &parsed.method else { panic!("contact dynamics") };
    let mut reference = RigidReference::new(&scenario, settings, &bodies, 0.5).expect("engine");
    let found = [&mut gpu as &mut dyn Engine, &mut reference].map(|engine| {
        engine.run_to(STEPS).expect("runs");
        engine.snapshot().expect("snapshot").bodies.position_m
    });
    for (name, p) in ["gpu", "reference"].iter().zip(&found) {
        assert!((p[0].distance(p[1]) - 3.0).abs() < 1e-3, "{name}: {p:?}");
    }
    assert!(found[0][0].distance(found[1][0]) < 1e-5, "{found:?}");
}

/// Nothing acts on a box that turns freely, so the ledger of the frame that it is seen in keeps its sum.
#[test]
fn the_ledger_of_a_turning_frame_counts_the_extent_of_bodies() {
    let box_of_4_m = "[[bodies]]\ngenerator = \"list\"\nshape = { kind = \"box\", size_m = [4, 1, 1] }\nbody = [{ position_m = [0, 0, 0], spin_rad_s = [0, 0.02, 0] }]\n";
    let frame = "[[gravity]]\nkind = \"rotating_frame\"\nrotation_rad_s = [0, 0, 0.02]\n";
    let (scenario, rows, _) = rows(&text("speed_max_m_s = 1.0", &format!("{box_of_4_m}{frame}")), 8, 50);
    let [residual, rotation] = ["energy_residual_j", "kinetic_rotational_j"].map(|name| column(&scenario, name));
    for row in &rows {
        assert!(row[residual].abs() < 1e-5 * rows[0][rotation], "{} of {}", row[residual], rows[0][rotation]);
    }
}

/// A rotation that is added at an instant turns a box from that instant on: by 0.8 rad in 8 s at 0.1 rad/s.
#[test]
fn an_added_rotation_turns_boxes_from_its_instant_on() {
    let boxes = "[[bodies]]\ngenerator = \"list\"\nshape = { kind = \"box\", size_m = [1, 1, 1] }\nbody = [{ position_m = [0, 0, 0] }, { position_m = [3, 0, 0] }]\n";
    let (_, mut engine) = opened(&text("speed_max_m_s = 1.0", boxes));
    let angle = |s: &Snapshot, k: usize| {
        let q = s.bodies.polyhedra.as_ref().expect("boxes").orientation[k];
        let along = q * DVec3::X;
        along.y.atan2(along.x)
    };
    engine.run_to(4).expect("runs");
    engine.spin(0.1 * DVec3::Z, None).expect("added");
    let added = engine.snapshot().expect("snapshot");
    engine.run_to(20).expect("runs");
    let last = engine.snapshot().expect("snapshot");
    for k in [0, 1] {
        assert!(angle(&added, k).abs() < 1e-7, "{}", angle(&added, k));
        assert!((angle(&last, k) - 0.8).abs() < 1e-5, "{}", angle(&last, k));
    }
}

/// A plate that a servo drives stops where it is taken away, and goes no faster the longer it is gone.
#[test]
fn a_servo_ends_with_its_plate() {
    let keys = "servo_force_n = 2000.0\nservo_mass_kg = 5000.0\nremoved_at_s = 2.0";
    let press = servo("press", "[0.0, 0.0, 2.0]", DOWN, keys);
    let scene = format!("{}{FLOOR}{press}", ball("[0.0, 0.0, 1.0]", 1.0));
    let (scenario, rows, _) = rows(&text("speed_max_m_s = 1.0", &scene), 6, 100);
    let [travel, speed] = ["travel_m", "speed_m_s"].map(|name| column(&scenario, &format!("wall.press.{name}")));
    assert!(rows[1..].iter().all(|row| row[speed] == 0.0 && row[travel] == rows[1][travel]), "{rows:?}");
}

/// A plate of typed velocity that is taken away stands still in rows and frames, also beside one that a servo drives.
#[test]
fn a_typed_velocity_ends_with_its_plate() {
    let [typed, driven] =
        ["velocity_m_s = [0.0, 0.0, -0.001]\nremoved_at_s = 2.0", "servo_force_n = 1.0\nservo_mass_kg = 5e6"];
    let plates = [("lid", "[0.0, 0.0, 3.0]", typed), ("press", "[0.0, 0.0, 4.0]", driven)];
    let plates = plates.map(|(name, point, keys)| servo(name, point, DOWN, keys)).concat();
    let (scenario, rows, last) = rows(&text("speed_max_m_s = 1.0", &(ball("[0.0, 0.0, 1.0]", 1.0) + &plates)), 6, 100);
    let [travel, speed] = ["travel_m", "speed_m_s"].map(|name| column(&scenario, &format!("wall.lid.{name}")));
    for row in &rows[1..] {
        assert!(row[speed] == 0.0 && (row[travel] - 0.002).abs() < 1e-12, "{} m, {} m/s", row[travel], row[speed]);
    }
    assert!((last.wall_motion[0].travel_m - 0.002).abs() < 1e-12, "{:?}", last.wall_motion);
}
