//! Row and frame 0 of bodies that start in contact, and ledgers of strongly damped collisions.

use crate::common::{R, bodies, engine, gpu, material, reference, rigid_settings, scenario, wall};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics as Rigid;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::measure::columns::column;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::physics::time_step::time_step;
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use glam::DVec3;

/// Two spheres that overlap by 1e-3 R, the lower one in a floor by 2e-3 R.
fn pressed() -> (Scenario, breccia::model::body::Bodies) {
    let mut s = scenario(vec![material()]);
    s.walls = vec![wall(DVec3::ZERO)];
    let low = R * (1.0 - 2e-3);
    (s, bodies(&[(DVec3::Z * low, R), (DVec3::Z * (low + R * (2.0 - 1e-3)), R)], 3350.0))
}

#[test]
fn soft_spheres_have_their_contacts_and_springs_at_step_0() {
    let (s, b) = pressed();
    let shots: [Snapshot; 2] = [engine(&s, &b).snapshot().expect("GPU"), reference(&s, &b).snapshot().expect("f64")];
    for shot in shots {
        assert_eq!((shot.contacts.len(), shot.wall_contacts.len()), (1, 1));
        let row = measure(&shot, &s, &mut Baseline::default());
        assert_eq!((row[column("contacts")], row[column("coordination")]), (1.0, 1.0));
        let k = 1.0103e4;
        let held = 0.5 * k * ((1e-3 * R).powi(2) + (2e-3 * R).powi(2));
        // positions of 2^-38 L against overlaps of 1e-3 R
        assert!((row[column("elastic_j")] / held - 1.0).abs() < 1e-6, "{} J, {held} J", row[column("elastic_j")]);
        let push = shot.contacts[0].normal_force_n();
        assert!((push / (k * 1e-3 * R) - 1.0).abs() < 1e-6, "{push} N");
        assert_eq!(row[column("energy_residual_j")], 0.0);
    }
}

/// Springs at the start count in the ledger: what the bodies gain as they spring apart does not come from nothing.
#[test]
fn the_ledger_counts_the_springs_of_the_start() {
    let (mut s, b) = pressed();
    s.materials[0].set("restitution_normal", 1.0);
    s.run.time_step_fraction = 0.005;
    let mut gpu = engine(&s, &b);
    let mut f64 = reference(&s, &b);
    let engines: [&mut dyn Engine; 2] = [&mut gpu, &mut f64];
    for engine in engines {
        let mut baseline = Baseline::default();
        let held = measure(&engine.snapshot().expect("start"), &s, &mut baseline)[column("elastic_j")];
        engine.run_to(400).expect("steps");
        let row = measure(&engine.snapshot().expect("end"), &s, &mut baseline);
        assert_eq!(row[column("contacts")], 0.0, "they have sprung apart");
        let off = row[column("energy_residual_j")] / held;
        // Half a step's drift at the start, (w dt)^2 / 8 = 3e-5; before, the residual was all that the springs held.
        assert!(held > 0.0 && off.abs() < 1e-2, "{off} of what the springs held");
    }
}

#[test]
fn rigid_bodies_show_what_touches_at_step_0() {
    let (mut s, b) = pressed();
    let settings = rigid_settings();
    s.method = Method::ContactDynamics(settings);
    s.run.time_step_s = Some(0.1);
    let shots = [
        Rigid::new(gpu(), &s, &b, 0.1, Default::default()).expect("opens").snapshot().expect("GPU"),
        RigidReference::new(&s, &settings, &b, 0.1).expect("opens").snapshot().expect("f64"),
    ];
    for shot in shots {
        assert_eq!((shot.contacts.len(), shot.wall_contacts.len()), (1, 1));
        assert_eq!(shot.contacts[0].force_n, DVec3::ZERO, "no step has been taken");
        assert!((shot.contacts[0].overlap_m / (1e-3 * R) - 1.0).abs() < 1e-6);
    }
    // Ten boxes on each other: nine faces on faces, of at least three points each.
    let stack = load("stack_of_boxes", &[]).expect("parses");
    let boxes = generate(&stack).expect("makes bodies");
    let shot = Rigid::new(gpu(), &stack, &boxes, 0.1, Default::default()).expect("opens").snapshot().expect("GPU");
    let row = measure(&shot, &stack, &mut Baseline::default());
    assert!(row[column("contacts")] >= 27.0, "{} contacts", row[column("contacts")]);
    assert!((row[column("coordination_by_kind")] - 2.0 * 9.0 * 3.0 / 10.0).abs() < 1e-12);
}

/// What the ledger misses of a head-on or oblique collision, over what is dissipated, at the automatic step.
fn missed(e: f64, tension: &str, aside: f64) -> f64 {
    let rock =
        material().with("restitution_normal", e).with("restitution_tangential", e).with("normal_tension", tension);
    let s = scenario(vec![rock]);
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::new(2.0001 * R, 0.0, 0.0), R)], 3350.0);
    b.velocity_m_s[1] = DVec3::new(-0.01, aside, 0.0);
    let dt = time_step(&s, &b).dt_s;
    let mut engine = reference(&s, &b);
    let mut baseline = Baseline::default();
    measure(&engine.snapshot().expect("start"), &s, &mut baseline);
    // Three seconds: the pair meets after 1 ms and is apart, or creeps, after ten contact times of 0.06 s.
    engine.run_to((3.0 / dt) as u64).expect("steps");
    let row = measure(&engine.snapshot().expect("end"), &s, &mut baseline);
    let lost: f64 = ["normal", "sliding"].iter().map(|c| row[column(&format!("dissipated_{c}_j"))]).sum();
    row[column("energy_residual_j")].abs() / lost
}

/// The bar is 1 %. With steps of 2 % of the contact time alone it was 6 % at e = 0, and without tension 7 % at 0.05, 33 %
/// at 0.02.
#[test]
fn ledgers_of_strongly_damped_collisions_close() {
    for (e, tension) in [(0.0, "kept"), (0.02, "kept"), (0.2, "kept"), (0.2, "none"), (0.05, "none"), (0.02, "none")] {
        for aside in [0.0, 0.01] {
            let off = missed(e, tension, aside);
            println!("e = {e}, tension {tension}, aside {aside}: {:.3} %", 100.0 * off);
            assert!(off < 0.01, "e = {e}, tension {tension}, aside {aside}: {off}");
        }
    }
}

/// A restitution of 0 without tension needs the strongest dashpot: steps of 2 % of a contact time threw spheres apart at
/// many times their speed.
#[test]
fn a_dead_collision_without_tension_gains_nothing() {
    let rock = material().with("restitution_normal", 0.0).with("normal_tension", "none");
    let s = scenario(vec![rock]);
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::new(2.0001 * R, 0.0, 0.0), R)], 3350.0);
    b.velocity_m_s[1] = -0.01 * DVec3::X;
    let dt = time_step(&s, &b).dt_s;
    let mut engine = reference(&s, &b);
    engine.run_to((0.1 / dt) as u64).expect("steps");
    let v = &engine.snapshot().expect("snapshot").bodies.velocity_m_s;
    assert!((v[1] - v[0]).length() < 0.01, "they parted at {} m/s", (v[1] - v[0]).length());
}

/// A typed step that the dashpots are too strong for causes a warning that says what it costs.
#[test]
fn check_warns_of_a_step_too_long_for_the_dashpots() {
    let dir = tempfile::tempdir().expect("folder");
    let file = dir.path().join("damped.toml");
    let text = |step: &str| {
        format!(
            "format = 1\n[run]\nduration_s = 1.0\n{step}\n[[material]]\ndensity_kg_m3 = 3350.0\nstiffness_normal_n_m = 1e4\n\
             restitution_normal = 0.0\nfriction_sliding = 0.0\n[[bodies]]\ngenerator = \"lattice\"\ncount = 8\n\
             grid_spacing_m = 0.3\nradius_m = 0.1\n"
        )
    };
    let said = |step: &str| {
        std::fs::write(&file, text(step)).expect("writes");
        crate::common::command::text(&["check", file.to_str().expect("utf8")])
    };
    let automatic = said("");
    assert!(!automatic.contains("WARNING") && automatic.contains("five times the damping time"), "{automatic}");
    let long = said("time_step_fraction = 0.08");
    assert!(long.contains("WARNING") && long.contains("energy ledger will miss"), "{long}");
}
