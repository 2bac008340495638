//! Coordination numbers: what touches, what pulls across a gap, pairs by their gaps, and the kinds of polyhedra's contacts,
//! the same for both methods.

use crate::common::{bodies, engine, gpu, material, reference, rigid_settings, scenario};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics as Rigid;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::geometry::narrow::manifold::Kind;
use breccia::geometry::touching::TOUCH_TOLERANCE;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::{Contact, Snapshot};
use breccia::physics::measure::columns::{column, columns};
use breccia::physics::measure::events::Events;
use breccia::physics::measure::outcome::outcome;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::scenario::load;
use glam::DVec3;

fn counts(s: &Scenario, shot: &Snapshot) -> [f64; 3] {
    let row = measure(shot, s, &mut Baseline::default());
    ["contacts", "contacts_pulling", "coordination_geometric"].map(|c| row[column(c)])
}

/// The same by contact dynamics, with steps of `h` (s).
fn rigid(mut s: Scenario, law: Material, h: f64) -> Scenario {
    s.materials = vec![law];
    s.method = Method::ContactDynamics(ContactDynamics { tolerance: 1e-6, ..rigid_settings() });
    s.run.time_step_s = Some(h);
    s
}

fn both_rigid(s: &Scenario, b: &Bodies, h: f64) -> [Box<dyn Engine>; 2] {
    let settings = *s.method.contact_dynamics().expect("rigid");
    [
        Box::new(Rigid::new(gpu(), s, b, h, Default::default()).expect("opens")),
        Box::new(RigidReference::new(s, &settings, b, h).expect("opens")),
    ]
}

/// A sphere and its twelve neighbours in the densest packing: 36 pairs touch.
fn dozen() -> Bodies {
    let mut spheres = vec![(DVec3::ZERO, 1.0)];
    // about the overlap that their gravity presses them to
    let root = 2f64.sqrt() * (1.0 - 1e-6);
    for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        spheres.extend([DVec3::new(x, y, 0.0), DVec3::new(x, 0.0, y), DVec3::new(0.0, x, y)].map(|p| (root * p, 1.0)));
    }
    bodies(&spheres, 3000.0)
}

#[test]
fn both_methods_and_all_engines_find_the_same_pairs_in_one_pile() {
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e4).with("restitution_normal", 0.2)]);
    s.gravity = vec![GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(1) }];
    let b = dozen();
    let hard = rigid(s.clone(), material().with("restitution_normal", 0.0), 2.0);
    let [gpu, f64] = both_rigid(&hard, &b, 2.0);
    let runs: [(&Scenario, Box<dyn Engine>, u64); 4] = [
        (&s, Box::new(engine(&s, &b)), 400),
        (&s, Box::new(reference(&s, &b)), 400),
        (&hard, gpu, 20),
        (&hard, f64, 20),
    ];
    for (s, mut engine, steps) in runs {
        for step in [0, steps] {
            engine.run_to(step).expect("steps");
            let [contacts, pulling, near] = counts(s, &engine.snapshot().expect("snapshot"));
            let what = format!("{}, step {step}: {contacts} contacts", engine.describe());
            assert!((near - 72.0 / 13.0).abs() < 1e-12, "{what}, {near} by gaps");
            // Forces of the shell's own contacts are free to be zero among rigid bodies.
            assert!((12.0..=36.0).contains(&contacts) && pulling == 0.0, "{what}, {pulling} pull");
        }
    }
}

/// Two spheres 5e-3 of a radius apart that cohesion of a wider range draws together: they pull and do not touch.
#[test]
fn cohesion_across_a_gap_pulls_and_does_not_touch() {
    let gap = 5e-3;
    let sticky =
        material().with("restitution_normal", 0.0).with("cohesion_force_n", 1e-3).with("cohesion_range_m", 2e-2);
    let s = rigid(scenario(vec![]), sticky, 0.1);
    let mut b = bodies(&[(DVec3::ZERO, 1.0), (DVec3::X * (2.0 + gap), 1.0)], 3000.0);
    // They part slowly, held back by all that cohesion has.
    b.velocity_m_s[1] = 1e-4 * DVec3::X;
    for mut engine in both_rigid(&s, &b, 0.1) {
        engine.run_to(3).expect("steps");
        let shot = engine.snapshot().expect("snapshot");
        assert_eq!((shot.contacts.len(), counts(&s, &shot)), (1, [0.0, 1.0, 0.0]), "{}", engine.describe());
    }
}

/// A pair that closes within a step touches from the next one on, however long steps are.
#[test]
fn a_contact_that_closes_within_a_step_counts_from_the_next_one() {
    for h in [0.5, 1.0, 2.0] {
        let s = rigid(scenario(vec![]), material().with("restitution_normal", 0.0), h);
        let speed = 4e-3;
        // Detections are half a step ahead: it closes in the second half of the second step.
        let mut b = bodies(&[(DVec3::ZERO, 1.0), (DVec3::X * (2.0 + 2.25 * h * speed), 1.0)], 3000.0);
        b.velocity_m_s[1] = -speed * DVec3::X;
        for mut engine in both_rigid(&s, &b, h) {
            let mut at = |step: u64| {
                engine.run_to(step).expect("steps");
                let shot = engine.snapshot().expect("snapshot");
                (shot.contacts.len(), counts(&s, &shot)[0])
            };
            assert_eq!([at(2), at(3)], [(1, 0.0), (1, 1.0)], "h = {h} s");
        }
    }
}

/// Two boxes whose faces are near but touch at one corner, along an edge, or all over.
#[test]
fn kinds_count_no_more_points_than_carry() {
    let s = load("stack_of_boxes", &[]).expect("parses");
    let b = bodies(&[(DVec3::ZERO, 1.0), (DVec3::X * 2.0, 1.0)], 1000.0);
    let of = |kind: Kind, gaps: &[f64]| {
        let point = |gap: &f64| Contact { j: 1, kind, overlap_m: -gap, force_n: -DVec3::X, ..Contact::default() };
        let contacts = gaps.iter().map(point).collect();
        let shot = Snapshot { bodies: b.clone(), contacts, ..Snapshot::default() };
        measure(&shot, &s, &mut Baseline::default())[column("coordination_by_kind")]
    };
    assert_eq!([1, 2, 3, 4].map(|n| of(Kind::FaceFace, &vec![0.0; n])), [1.0, 2.0, 3.0, 3.0]);
    assert_eq!([1, 2].map(|n| of(Kind::FaceEdge, &vec![0.0; n])), [1.0, 2.0]);
    assert_eq!(of(Kind::FaceFace, &[0.0, 0.0, 2.0 * TOUCH_TOLERANCE, 2.0 * TOUCH_TOLERANCE]), 2.0);
}

/// Quantities are looked up by name: soft spheres have no solver, whatever their rows hold in that column.
#[test]
fn soft_spheres_have_no_steps_over_budget() {
    for (name, solver) in [("landslide_small", false), ("hopper_small", false), ("accretion_cd_spheres", true)] {
        let s = load(name, &[]).expect("parses");
        let rows = vec![vec![1.0; columns(&s).len()]; 4];
        let found = outcome(&rows, &Events::default(), &s);
        assert_eq!(found.get("solver_over_budget"), solver.then_some(&4.0), "{name}");
        assert_eq!(found.get("coordination_geometric_final"), Some(&1.0), "{name}");
    }
}
