//! Walls that answer to force: they accelerate by F/m, carry no more and no less than F at rest, keep the ledger, restart.

use crate::common::gpu;
use crate::common::rigid::FLOOR;
use crate::common::write_frame;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::model::scenario::Scenario;
use breccia::model::snapshot::Snapshot;
use breccia::physics::measure::columns::columns;
use breccia::physics::measure::outcome::QUANTITIES;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::physics::rigid::judge::quad_dv;
use breccia::render::scene::{Frame, Quantity};
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;

/// A scenario of contact dynamics at 0.5 s a step: settings, and what else is in it.
pub fn text(settings: &str, rest: &str) -> String {
    format!(
        "format = 1\nseed = 3\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1000.0\ntime_step_s = 0.5\n\
         [contact_dynamics]\n{settings}\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000.0\n\
         restitution_normal = 0.0\nfriction_sliding = 0.4\n{rest}"
    )
}

pub fn servo(name: &str, point: &str, normal: &str, keys: &str) -> String {
    format!("[[wall]]\nkind = \"plate\"\nname = \"{name}\"\npoint_m = {point}\nnormal = {normal}\n{keys}\n")
}

pub const DOWN: &str = "[0.0, 0.0, -1.0]";

pub fn opened(text: &str) -> (Scenario, ContactDynamics) {
    let scenario = parse(text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    let bodies = generate(&scenario).unwrap_or_else(|e| panic!("{e}"));
    let dt = scenario.run.time_step_s.expect("typed");
    let engine = ContactDynamics::new(gpu(), &scenario, &bodies, dt, Default::default());
    (scenario, engine.unwrap_or_else(|e| panic!("{e}")))
}

/// Runs and measures every `steps` steps, first row included: rows and the last instant.
pub fn rows(text: &str, times: u64, steps: u64) -> (Scenario, Vec<Vec<f64>>, Snapshot) {
    let (scenario, mut engine) = opened(text);
    let (mut baseline, mut rows, mut last) = (Baseline::default(), vec![], Snapshot::default());
    for k in 0..=times {
        engine.run_to(k * steps).expect("runs");
        last = engine.snapshot().expect("snapshot");
        rows.push(measure(&last, &scenario, &mut baseline));
    }
    (scenario, rows, last)
}

pub fn column(scenario: &Scenario, name: &str) -> usize {
    columns(scenario).iter().position(|c| c == name).unwrap_or_else(|| panic!("no column {name}"))
}

pub fn ball(position: &str, radius: f64) -> String {
    format!("[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = {position}, radius_m = {radius} }}]\n")
}

/// Four balls of 1 m on the floor at the corners of a square.
fn four() -> String {
    let positions = ["[0, 0, 1]", "[3, 0, 1]", "[0, 3, 1]", "[3, 3, 1]"];
    let list: Vec<_> = positions.iter().map(|p| format!("{{ position_m = {p}, radius_m = 1.0 }}")).collect();
    format!("[[bodies]]\ngenerator = \"list\"\nbody = [{}]\n", list.join(", "))
}

#[test]
fn a_free_plate_accelerates_by_its_force_over_its_mass() {
    // far from its only body, askew
    let keys = "servo_force_n = 3.0\nservo_mass_kg = 7000.0";
    let far = servo("plate", "[-40.0, 30.0, -20.0]", "[3.0, -4.0, 5.0]", keys);
    let (scenario, rows, last) = rows(&text("", &format!("{}{far}", ball("[0, 0, 0]", 1.0))), 4, 100);
    for row in &rows {
        let (t, a) = (row[1], 3.0 / 7000.0);
        let [travel, speed] = ["travel_m", "speed_m_s"].map(|c| row[column(&scenario, &format!("wall.plate.{c}"))]);
        // F/m is an f32 in code units, normals are rounded at 2^-30
        assert!((speed - a * t).abs() <= 1e-7 * a * t, "{speed} m/s after {t} s");
        assert!((travel - 0.5 * a * t * t).abs() <= 1e-7 * a * t * t, "{travel} m after {t} s");
    }
    assert_eq!(last.bodies.velocity_m_s[0], DVec3::ZERO);
    assert_eq!(rows[4][column(&scenario, "wall_work_j")], 0.0);
}

#[test]
fn a_plate_keeps_to_its_largest_speed() {
    for (force, way) in [(3.0, 1.0), (-3.0, -1.0)] {
        let keys = format!("servo_force_n = {force}\nservo_mass_kg = 7000.0\nservo_speed_max_m_s = 0.02");
        let plate = servo("plate", "[0.0, 0.0, 90.0]", DOWN, &keys);
        let (scenario, rows, _) = rows(&text("", &format!("{}{plate}", ball("[0, 0, 0]", 1.0))), 4, 100);
        let speed: Vec<_> = rows.iter().map(|r| r[column(&scenario, "wall.plate.speed_m_s")]).collect();
        assert!((speed[1] / way - 0.02).abs() < 2e-8 && (speed[4] / way - 0.02).abs() < 2e-8, "{speed:?}");
    }
}

/// F and the weight of what it carries reach the floor; nothing moves any more.
#[test]
fn a_resting_plate_shows_its_force_and_does_not_swing() {
    for mass in [500.0, 2e4, 2e5] {
        let keys = format!("servo_force_n = 20.0\nservo_mass_kg = {mass}");
        let lid = servo("lid", "[0.0, 0.0, 2.0]", DOWN, &keys);
        let gravity = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-3]\n";
        let all = text("tolerance = 1e-5", &format!("{}{FLOOR}{lid}{gravity}", four()));
        let (scenario, rows, _) = rows(&all, 20, 50);
        let at = |row: &Vec<f64>, name: &str| row[column(&scenario, name)];
        let weight = 4.0 * 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        for row in &rows[1..] {
            let (lid, floor) = (at(row, "wall.lid.force_z_n"), at(row, "wall.floor.force_z_n"));
            assert!((lid - 20.0).abs() < 20e-3, "mass {mass}: {lid} N on the lid");
            assert!((floor + 20.0 + weight).abs() < 50e-3, "mass {mass}: {floor} N on the floor");
            assert!(at(row, "wall.lid.speed_m_s").abs() < 1e-7, "mass {mass}: {} m/s", at(row, "wall.lid.speed_m_s"));
            assert!(at(row, "wall.lid.travel_m").abs() < 1e-6, "mass {mass}: {} m", at(row, "wall.lid.travel_m"));
        }
    }
}

/// All three go on together, at (F1 - F2) / (m1 + m + m2); each contact carries what its plate does not need.
#[test]
fn a_grain_between_two_plates_is_pushed_by_the_difference() {
    let (left, right) = ("servo_force_n = 5.0\nservo_mass_kg = 3e4", "servo_force_n = 2.0\nservo_mass_kg = 1e4");
    let left = servo("left", "[-1.0, 0.0, 0.0]", "[1.0, 0.0, 0.0]", left);
    let right = servo("right", "[1.0, 0.0, 0.0]", "[-1.0, 0.0, 0.0]", right);
    let all = text("tolerance = 1e-6\niterations_max = 4000", &format!("{}{left}{right}", ball("[0, 0, 0]", 1.0)));
    let (scenario, rows, last) = rows(&all, 4, 50);
    let at = |row: &Vec<f64>, name: &str| row[column(&scenario, name)];
    let a = 3.0 / (4e4 + 2000.0 * 4.0 / 3.0 * std::f64::consts::PI);
    for row in &rows[1..] {
        let speeds = [at(row, "wall.left.speed_m_s"), -at(row, "wall.right.speed_m_s")];
        for speed in speeds {
            assert!((speed / (a * row[1]) - 1.0).abs() < 1e-4, "{speed} m/s, {} expected", a * row[1]);
        }
        let forces = [-at(row, "wall.left.force_x_n"), at(row, "wall.right.force_x_n")];
        for (force, expected) in forces.into_iter().zip([5.0 - 3e4 * a, 2.0 + 1e4 * a]) {
            assert!((force / expected - 1.0).abs() < 1e-4, "{force} N, {expected} expected");
        }
    }
    let moved = last.bodies.position_m[0].x / (0.5 * a * last.time_s.powi(2));
    assert!((moved - 1.0).abs() < 1e-4, "the grain moved {moved} of its way");
}

/// A pile in a box under a lid that comes down on it.
fn pressed(settings: &str, shape: &str) -> String {
    let sides = "[[wall]]\nkind = \"box\"\nname = \"box\"\nmin_m = [-3.2, -3.2, -3.2]\nmax_m = [3.2, 3.2, 30.0]\n";
    let lid = servo("lid", "[0.0, 0.0, 3.3]", DOWN, "servo_force_n = 20.0\nservo_mass_kg = 2e4");
    let gravity = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-3]\n";
    let bodies = "[[bodies]]\ngenerator = \"lattice\"\ncount = 27\ngrid_spacing_m = 2.1\n\
                  radius_m = { min_m = 0.8, max_m = 1.0 }\n";
    text(settings, &format!("{bodies}{shape}{sides}{lid}{gravity}"))
}

const GRAINS: &str = "shape = { kind = \"grain\" }\n";

#[test]
fn the_ledger_closes_and_the_judge_confirms_the_laws() {
    for shape in ["", GRAINS] {
        let (scenario, rows, _) = rows(&pressed("tolerance = 1e-4\niterations_max = 2000", shape), 10, 30);
        let at = |name: &str| rows[10][column(&scenario, name)];
        let lost = at("dissipated_normal_j") + at("dissipated_sliding_j");
        assert!(at("wall_work_j") > 10.0 && lost > 10.0, "{} J, {lost} J", at("wall_work_j"));
        let residual = rows.iter().map(|r| r[column(&scenario, "energy_residual_j")].abs()).fold(0.0, f64::max);
        // polyhedra turn by an implicit step, which the ledger sees
        assert!(residual < if shape.is_empty() { 1e-5 } else { 1e-3 } * lost, "{residual} J of {lost} J");
        let (_, mut engine) = opened(&pressed("tolerance = 1e-4\niterations_max = 2000", shape));
        engine.run_to(250).expect("runs");
        let (problem, impulses) = engine.problem().expect("reads back");
        let on_lid = problem.contacts.iter().filter(|c| problem.bodies[c.j].along.is_some()).count();
        assert!(on_lid > 0, "{on_lid} contacts on the lid");
        // of polyhedra the inertia is that of the next step
        let found = quad_dv(&problem, &impulses).relative;
        assert!(found < if shape.is_empty() { 1.5e-4 } else { 5e-3 }, "E = {found:e}");
    }
}

#[test]
fn a_pressed_pile_goes_on_from_a_checkpoint_byte_by_byte() {
    for shape in ["", GRAINS] {
        let (_, mut whole) = opened(&pressed("", shape));
        whole.run_to(150).expect("runs");
        let half = whole.save().expect("saves");
        whole.run_to(260).expect("runs");
        let (_, mut other) = opened(&pressed("", shape));
        other.restore(&half).expect("restores");
        other.run_to(260).expect("runs");
        for (a, b) in whole.save().expect("saves").iter().zip(&other.save().expect("saves")) {
            assert!(a == b, "`{}` differs after a restart", a.0);
        }
        let [a, b] = [whole.snapshot(), other.snapshot()].map(|s| s.expect("snapshot").wall_motion);
        assert!(a == b && a[6].travel_m > 0.5, "{a:?}, {b:?}");
    }
}

#[test]
fn frames_hold_where_the_walls_are() {
    let (_, mut engine) = opened(&pressed("", ""));
    engine.run_to(100).expect("runs");
    let (run, snapshot) = (tempfile::tempdir().expect("folder"), engine.snapshot().expect("snapshot"));
    write_frame(run.path(), 0, &snapshot, false).expect("frame");
    let frame = Frame::read(&run.path().join("frames/000000"), &Quantity::None, false).expect("frame");
    assert!(frame.wall_travel_m[..6] == [0.0; 6] && frame.wall_travel_m[6] == snapshot.wall_motion[6].travel_m);
    assert!(frame.wall_travel_m[6] > 0.1);
    assert!(["wall_force_final_n", "wall_force_max_n"].iter().all(|q| QUANTITIES.iter().any(|k| k.name == *q)));
}

#[test]
fn a_plate_that_runs_away_is_named() {
    let keys = "servo_force_n = 3.0\nservo_mass_kg = 7.0";
    let (_, mut engine) =
        opened(&text("", &format!("{}{}", ball("[0, 0, 0]", 1.0), servo("ram", "[0, 0, 90]", DOWN, keys))));
    let said = engine.run_to(100).expect_err("too fast").to_string();
    assert!(said.contains("wall `ram` moves too fast") && said.contains("servo_speed_max_m_s"), "{said}");
}

#[test]
fn wrong_servos_are_refused_with_a_way_out() {
    let with = |kind: &str, keys: &str| {
        let wall = format!("[[wall]]\nkind = \"{kind}\"\npoint_m = [0, 0, 5]\nnormal = [0, 0, -1]\n{keys}\n");
        text("", &format!("{}{wall}", ball("[0, 0, 0]", 1.0)))
    };
    let good = "servo_force_n = 1.0\nservo_mass_kg = 10.0";
    parse(&with("plate", good), "test.toml", &[]).expect("is right");
    let soft = with("plate", good)
        .replace("method = \"contact_dynamics\"\n", "")
        .replace("[contact_dynamics]\n", "")
        .replace("density_kg_m3", "speed_max_m_s = 0.1\ndensity_kg_m3");
    for (text, texts) in [
        (with("plate", "servo_force_n = 1.0"), vec!["servo_mass_kg", "missing"]),
        (with("plate", "servo_mass_kg = 1.0"), vec!["servo_force_n", "missing"]),
        (with("plate", "servo_force_n = 1.0\nservo_mass_kg = 0.0"), vec!["servo_mass_kg", "0 is not positive"]),
        (with("plate", "servo_force_n = 1.0\nservo_mass_kg = -2.0"), vec!["servo_mass_kg", "-2 is not positive"]),
        (with("plate", &format!("{good}\nservo_speed_max_m_s = 0.0")), vec!["servo_speed_max_m_s", "not positive"]),
        (
            with("plate", &format!("{good}\nvelocity_m_s = [0, 0, -1]")),
            vec!["velocity_m_s", "conflicts with servo_force_n"],
        ),
        (with("plate", "servo_force_n = 1e16\nservo_mass_kg = 1.0"), vec!["servo_force_n", "outside"]),
        (with("plate", ""), vec!["velocity_m_s", "servo_force_n", "plane"]),
        (with("plane", good), vec!["servo_force_n", "kind = \"plate\""]),
        (soft, vec!["servo_force_n", "contact_dynamics", "velocity_m_s"]),
    ] {
        let said = parse(&text, "test.toml", &[]).expect_err("is wrong").to_string();
        assert!(texts.iter().all(|t| said.contains(t)), "{said} lacks one of {texts:?}");
    }
    let refused = |text: &str| {
        let scenario = parse(text, "test.toml", &[]).expect("parses");
        let bodies = generate(&scenario).expect("bodies");
        let engine = ContactDynamics::new(gpu(), &scenario, &bodies, 0.5, Default::default());
        engine.err().expect("refused").to_string()
    };
    let said = refused(
        &with("plate", good).replace("[contact_dynamics]\n", "[contact_dynamics]\nsolver = \"gauss_seidel\"\n"),
    );
    assert!(said.contains("Gauss-Seidel") && said.contains("wall `wall`") && said.contains("\"jacobi\""), "{said}");
    let said = refused(&with("plate", &format!("{good}\nservo_speed_max_m_s = 3.0")));
    assert!(said.contains("servo_speed_max_m_s: 3 m/s is too fast for a step"), "{said}");
}
