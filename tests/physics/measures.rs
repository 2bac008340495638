//! Rows and quantities in cases that are worked out by hand.

use crate::common::{bodies, material, scenario};
use breccia::base::units::G;
use breccia::model::body::Bodies;
use breccia::model::gravity::{GravitySource, SelfGravityMethod};
use breccia::model::scenario::{FrameEvent, Scenario};
use breccia::model::snapshot::{Contact, FrameState, Snapshot, WallContact};
use breccia::model::wall::{Block, Wall};
use breccia::physics::measure::columns::columns;
use breccia::physics::measure::events::Events;
use breccia::physics::measure::frame_events::Watch;
use breccia::physics::measure::outcome::outcome;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

const SELF_GRAVITY: GravitySource =
    GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: None };

/// The quantities of a run with these rows.
fn quantities(s: &Scenario, shots: &[Snapshot]) -> BTreeMap<String, f64> {
    let (mut events, mut baseline, mut rows) = (Events::default(), Baseline::default(), vec![]);
    for shot in shots {
        events.observe(shot, s);
        rows.push(measure(shot, s, &mut baseline));
    }
    outcome(&rows, &events, s)
}

/// A value that is not a number was not measured. It does not count as a drift of zero.
#[test]
fn a_column_without_numbers_meets_no_expectation() {
    let scenario = crate::common::scenario(vec![crate::common::material()]);
    let mut shot = Snapshot { bodies: crate::common::bodies(&[(DVec3::ZERO, 1.0)], 2000.0), ..Snapshot::default() };
    shot.bodies.velocity_m_s[0] = DVec3::X;
    shot.bodies.spin_rad_s[0] = DVec3::Z;
    let drifts = ["momentum_drift", "angular_momentum_drift", "energy_drift"];
    let sound = quantities(&scenario, &[shot.clone(), shot.clone()]);
    assert_eq!(drifts.map(|name| sound.get(name).copied()), [Some(0.0); 3]);
    (shot.bodies.velocity_m_s[0], shot.bodies.spin_rad_s[0]) = (DVec3::NAN, DVec3::NAN);
    let broken = quantities(&scenario, &[shot.clone(), shot]);
    assert_eq!(drifts.map(|name| broken.get(name).copied()), [None; 3]);
}

fn row(s: &Scenario, shot: &Snapshot, column: &str) -> f64 {
    let k = columns(s).iter().position(|name| name == column).unwrap_or_else(|| panic!("no column {column}"));
    measure(shot, s, &mut Baseline::default())[k]
}

/// Two spheres of 1 m that touch, on the axis x.
fn pair() -> Bodies {
    bodies(&[(-DVec3::X, 1.0), (DVec3::X, 1.0)], 2000.0)
}

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found}, {wanted} expected");
}

/// About their line two spheres have less inertia than across it: second moments of 6 R^2 and R^2 a mass.
#[test]
fn spin_is_angular_momentum_over_the_inertia_about_its_axis() {
    let mut b = pair();
    let spin = 3e-4;
    b.spin_rad_s = vec![spin * DVec3::X; 2];
    let mass_kg: f64 = b.mass_kg.iter().sum();
    let shot = Snapshot { bodies: b, ..Snapshot::default() };
    let found = quantities(&scenario(vec![material()]), &[shot])["spin_over_critical_max"];
    close(found, spin / (G * mass_kg / 6f64.sqrt()).sqrt(), 1e-9);
}

/// Bodies that fly off make all of them together ever less dense: only rows of a pile that is whole say how fast it turned.
#[test]
fn a_pile_that_has_come_apart_does_not_say_how_fast_it_turned() {
    let four = [-3.0, -1.0, 1.0, 3.0].map(|x| (x * DVec3::X, 1.0));
    let mut b = bodies(&four, 2000.0);
    b.spin_rad_s = vec![3e-4 * DVec3::Z; 4];
    let whole = Snapshot { bodies: b, ..Snapshot::default() };
    let mut apart = whole.clone();
    apart.bodies.position_m[3] *= 10.0;
    apart.bodies.velocity_m_s[3] = DVec3::Y;
    let s = scenario(vec![material()]);
    let of = |shots: &[Snapshot]| quantities(&s, shots).get("spin_over_critical_max").copied();
    let alone = of(std::slice::from_ref(&whole)).expect("whole");
    assert_eq!(of(&[whole.clone(), apart.clone()]), Some(alone));
    assert_eq!(of(std::slice::from_ref(&apart)), None, "three quarters are not the pile");
}

/// The ball of all solid volume, of cubes as of spheres.
#[test]
fn bodies_merge_to_a_ball_of_their_solid_volume() {
    let text = "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1\ntime_step_s = 0.5\n[[material]]\nname = \"rock\"\n\
                density_kg_m3 = 3000\nrestitution_normal = 0\nfriction_sliding = 0.5\n[[bodies]]\ngenerator = \"lattice\"\ncount = 8\n\
                grid_spacing_m = 4\nradius_m = 1\nshape = { kind = \"regular\", solid = \"cube\" }\n";
    let b = generate(&parse(text, "cubes.toml", &[]).expect("parses")).expect("bodies");
    let side = 2.0 / 3f64.sqrt();
    close(b.merged_radius_m(), (8.0 * side.powi(3) / (4.0 / 3.0 * std::f64::consts::PI)).cbrt(), 1e-12);
    close(bodies(&[(DVec3::ZERO, 1.0), (4.0 * DVec3::X, 1.0)], 1.0).merged_radius_m(), 2f64.cbrt(), 1e-12);
}

/// At rest in a frame that turns: the contact carries gravity less what the turn takes.
#[test]
fn the_virial_theorem_holds_in_turning_frames() {
    let (mut s, b) = (scenario(vec![material()]), pair());
    let rotation_rad_s = 2e-4 * DVec3::Z;
    s.gravity = vec![SELF_GRAVITY, GravitySource::RotatingFrame { rotation_rad_s }];
    let m = b.mass_kg[0];
    let pull = G * m / 4.0;
    let force_n = m * (pull - rotation_rad_s.length_squared());
    let contact = Contact { i: 0, j: 1, normal: DVec3::X, force_n: -force_n * DVec3::X, ..Contact::default() };
    let frame = FrameState {
        origin_m: DVec3::ZERO,
        orientation: DQuat::from_rotation_z(0.3),
        velocity_m_s: DVec3::ZERO,
        spin_rad_s: rotation_rad_s,
        asteroid: None,
    };
    let mut shot = Snapshot {
        bodies: b,
        frame: Some(frame),
        contacts: vec![contact],
        self_acceleration_m_s2: vec![pull * DVec3::X, -pull * DVec3::X],
        ..Snapshot::default()
    };
    assert!(row(&s, &shot, "virial_residual").abs() < 1e-12);
    s.gravity.push(GravitySource::Central { gm_m3_s2: 1.0, position_m: DVec3::Y });
    assert!(row(&s, &shot, "virial_residual").is_nan(), "a centre pulls besides");
    s.gravity.clear();
    shot.self_acceleration_m_s2.clear();
    assert!(row(&s, &shot, "virial_residual").is_nan(), "nothing attracts");
    assert!(!quantities(&s, &[shot]).contains_key("virial_residual_final"));
}

/// Some bodies of a turning frame are in that frame too, and in inertial space their accelerations turn as they do.
#[test]
fn a_part_of_a_snapshot_is_in_its_frame() {
    let orientation = DQuat::from_rotation_z(0.7);
    let frame = FrameState {
        origin_m: DVec3::Y,
        orientation,
        velocity_m_s: DVec3::Z,
        spin_rad_s: 2e-4 * DVec3::Z,
        asteroid: None,
    };
    let pull = 1e-6 * DVec3::X;
    let self_acceleration_m_s2 = vec![pull, -pull];
    let shot = Snapshot { bodies: pair(), frame: Some(frame), self_acceleration_m_s2, ..Snapshot::default() };
    let [whole, part] = [&shot, &shot.part(&[1])].map(Snapshot::in_inertial_space);
    assert_eq!(whole.bodies.position_m[1], part.bodies.position_m[0]);
    assert_eq!(whole.bodies.velocity_m_s[1], part.bodies.velocity_m_s[0]);
    assert!((whole.self_acceleration_m_s2[0] - orientation * pull).length() < 1e-21);
}

/// Two bodies fall together from rest, in one interval of the series: by Kepler, from a distance of 20 m to 2 m.
#[test]
fn a_fall_from_rest_ends_after_the_time_of_kepler() {
    let mut s = scenario(vec![material()]);
    s.gravity = vec![SELF_GRAVITY];
    let (far, touch) = (20.0, 2.0);
    let apart = |d: f64| bodies(&[(DVec3::ZERO, 1.0), (d * DVec3::X, 1.0)], 2000.0);
    let m = apart(far).mass_kg[0];
    let pull = G * m / (far * far) * DVec3::X;
    let before =
        Snapshot { bodies: apart(far), self_acceleration_m_s2: vec![pull, -pull], time_s: 5.0, ..Snapshot::default() };
    let after = Snapshot { bodies: apart(touch), time_s: 1e9, ..Snapshot::default() };
    let found = quantities(&s, &[before, after]);
    let share = touch / far;
    let fall_s = (far.powi(3) / (4.0 * G * m)).sqrt() * (share.sqrt().acos() + (share * (1.0 - share)).sqrt());
    close(found["contact_time_s"], 5.0 + fall_s, 1e-9);
    close(found["contact_speed_m_s"], (4.0 * G * m * (1.0 / touch - 1.0 / far)).sqrt(), 1e-12);
}

/// Straight past each other, 1.2 m aside: the speed of approach falls on the way.
#[test]
fn an_oblique_approach_slows_down() {
    let at = |x: f64| {
        let mut b = bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(x, 1.2, 0.0), 1.0)], 2000.0);
        b.velocity_m_s[1] = -0.1 * DVec3::X;
        b
    };
    let before = Snapshot { bodies: at(10.0), ..Snapshot::default() };
    let after = Snapshot { bodies: at(1.0), time_s: 90.0, ..Snapshot::default() };
    let found = quantities(&scenario(vec![material()]), &[before, after]);
    close(found["contact_time_s"], (10.0 - 1.6) / 0.1, 1e-9);
    close(found["contact_speed_m_s"], 0.1 * 0.8, 1e-12);
}

/// The first contact begins and ends between two rows: a later one is not taken for it.
#[test]
fn a_contact_between_two_rows_is_not_the_next_one() {
    let at = |time_s: f64, x: f64, speed: f64| {
        let mut b = bodies(&[(DVec3::ZERO, 1.0), (x * DVec3::X, 1.0)], 2000.0);
        b.velocity_m_s[1] = speed * DVec3::X;
        Snapshot { bodies: b, time_s, ..Snapshot::default() }
    };
    let s = scenario(vec![material()]);
    let rows = [at(0.0, 3.0, -1.0), at(2.0, 3.0, 1.0), at(4.0, 2.5, -1.0), at(4.6, 1.9, -1.0)];
    let found = quantities(&s, &rows);
    assert!(!found.contains_key("contact_time_s") && !found.contains_key("contact_speed_m_s"), "{found:?}");
    let found = quantities(&s, &rows[2..]);
    close(found["contact_time_s"], 4.5, 1e-9);
}

/// A sphere at the side of a block, pushed off, dragged and twisted: the wall has the force at the point of contact, and the
/// couple.
#[test]
fn sides_of_blocks_and_couples_count() {
    let mut s = scenario(vec![material()]);
    let block = Block { half_size_m: DVec3::splat(2.0), orientation: DQuat::IDENTITY };
    s.walls = vec![Wall { block: Some(block), ..Wall::plane("block", DVec3::ZERO, DVec3::Z) }];
    let mut b = bodies(&[(DVec3::new(3.0, 0.5, 0.0), 1.0)], 2000.0);
    b.velocity_m_s[0] = DVec3::new(-0.2, 0.0, 0.0);
    let (force_n, couple_n_m) = (DVec3::new(150.0, 30.0, 0.0), -7.0 * DVec3::X);
    let torque_n_m = couple_n_m + (-DVec3::X).cross(force_n);
    let contact = WallContact { force_n, torque_n_m, ..WallContact::default() };
    let shot = Snapshot { bodies: b, wall_contacts: vec![contact], ..Snapshot::default() };
    assert_eq!(row(&s, &shot, "wall.block.force_x_n"), -150.0);
    assert_eq!(row(&s, &shot, "wall.block.torque_x_n_m"), 7.0);
    // the point of contact is (2, 0.5, 0)
    assert_eq!(row(&s, &shot, "wall.block.torque_z_n_m"), 0.5 * 150.0 - 2.0 * 30.0);
    let found = quantities(&s, &[shot]);
    assert_eq!(found["wall_force_max_n"], 150.0);
    assert!(!found.contains_key("tangential_velocity_ratio"), "it moves straight at the side: {found:?}");
}

/// Of one body at the mass centre there is no half; of equal energies the first is the peak.
#[test]
fn a_lone_body_has_no_half_radius() {
    let at = |time_s: f64| {
        let mut b = bodies(&[(DVec3::ZERO, 1.0)], 2000.0);
        b.velocity_m_s[0] = DVec3::X;
        Snapshot { bodies: b, time_s, ..Snapshot::default() }
    };
    let found = quantities(&scenario(vec![material()]), &[at(0.0), at(1.0), at(2.0)]);
    assert!(!found.contains_key("half_radius_time_s"), "{found:?}");
    assert_eq!(found["kinetic_peak_time_s"], 0.0);
}

/// Two equal bodies part for ever from the speed on at which their energy is zero, about the centre half of that of one body.
#[test]
fn equal_bodies_escape_each_other() {
    let mut s = scenario(vec![material()]);
    s.gravity = vec![SELF_GRAVITY];
    s.output.frame_events = vec![FrameEvent::Escape];
    let mut watch = Watch::default();
    let mut escapes = |share: f64| {
        let mut b = bodies(&[(-10.0 * DVec3::X, 1.0), (10.0 * DVec3::X, 1.0)], 2000.0);
        let speed = share * (G * (b.mass_kg[0] + b.mass_kg[1]) / 20.0 * 2.0).sqrt();
        b.velocity_m_s = vec![-0.5 * speed * DVec3::Y, 0.5 * speed * DVec3::Y];
        !watch.observe(&Snapshot { bodies: b, ..Snapshot::default() }, &[], &s).is_empty()
    };
    assert_eq!([0.9, 0.99, 1.01].map(&mut escapes), [false, false, true]);
}

/// Two bodies that move straight away from each other have no orbital angular momentum but for rounding.
#[test]
fn a_ratio_to_rounding_of_zero_is_left_out() {
    let name = "angular_momentum_orbital_ratio_final";
    let shot = |aside_m_s: f64| {
        let mut b = pair();
        let along = (b.position_m[1] - b.position_m[0]).normalize();
        let aside = along.any_orthonormal_vector();
        b.velocity_m_s = [-1.0, 1.0].map(|side| side * (along + aside_m_s * aside)).to_vec();
        Snapshot { bodies: b, ..Snapshot::default() }
    };
    let found = |first: f64| quantities(&scenario(vec![material()]), &[shot(first), shot(0.5)]).get(name).copied();
    assert_eq!(found(1e-13), None);
    close(found(0.25).expect("a ratio"), 2.0, 1e-9);
}
