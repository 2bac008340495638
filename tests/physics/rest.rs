//! `run.stop_when`: runs end when their bodies are at rest, on both engines and by both methods, and a restart changes no byte.

use breccia::model::snapshot::Snapshot;
use breccia::model::stored::frames::{last_frame, read_time};
use breccia::physics::measure::rest::kinetic_share;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::series;
use breccia::record::files::status::RunStatus;
use breccia::scenario::parse::parse;
use glam::DVec3;

use crate::common::command::breccia_in;

/// A few spheres that fall together, under this method.
fn cloud(run: &str, material: &str) -> String {
    format!(
        r#"format = 1
[run]
duration_s = "10 h"
stop_when = {{ kinetic_share_below = 1e-4, for_s = "10 min" }}
{run}
[[material]]
density_kg_m3 = 5164.0
restitution_normal = 0.2
friction_sliding = 0.4
{material}
[[bodies]]
generator = "lattice"
count = 8
grid_spacing_m = 10.0
radius_m = {{ min_m = 3.75, max_m = 5.0 }}
velocity_m_s = [0.0, 0.0, 0.5]
[[gravity]]
kind = "self"
[output]
frames = 5
series_rows = 600
"#
    )
}

const SOFT: [&str; 2] = ["", "speed_max_m_s = 0.02"];
const RIGID: [&str; 2] = ["method = \"contact_dynamics\"\ntime_step_s = 3.0", ""];

/// Runs it to its end, which comes early, with a row, a frame and a checkpoint of it.
fn ends_at_rest([run, material]: [&str; 2], engine: &str) {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("cloud.toml"), cloud(run, material)).expect("written");
    let output = breccia_in(folder.path(), &["run", "cloud.toml", "--engine", engine, "--out", "run"]).code(0);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    let dir = folder.path().join("run");
    let manifest = Manifest::read(&dir).expect("manifest");
    assert_eq!(manifest.status, RunStatus::Done);
    assert!(manifest.ended.starts_with("at rest") && told.contains(&manifest.ended), "{}: {told}", manifest.ended);
    let (columns, rows) = series::read(&dir.join("series.csv")).expect("series");
    let last = rows.last().expect("rows");
    let at = |name: &str| last[columns.iter().position(|c| c == name).expect("column")];
    assert!(at("step") < 0.9 * manifest.steps as f64, "not early: step {} of {}", at("step"), manifest.steps);
    assert_eq!(read_time(&last_frame(&dir).expect("frame")).expect("time"), (at("step") as u64, at("time_s")));
    let checkpoint = dir.join(format!("checkpoint/{:010}.ckpt", at("step") as u64));
    assert!(checkpoint.exists(), "no checkpoint of the end");
    // It fell, so that it was in motion before: rows are a minute apart, and the last ten are at rest.
    let kinetic = columns.iter().position(|c| c == "kinetic_translational_j").expect("column");
    let drift = 0.5 * at("momentum_z_kg_m_s") * 0.5;
    let motion: Vec<f64> = rows.iter().map(|r| (r[kinetic] - drift).abs()).collect();
    let most = motion.iter().copied().fold(0.0, f64::max);
    assert!(motion[motion.len() - 10..].iter().all(|m| *m < 0.01 * most), "{motion:?}");
    let rows_before = rows.len();
    breccia_in(folder.path(), &["resume", "run"]).code(0);
    assert_eq!(series::read(&dir.join("series.csv")).expect("series").1.len(), rows_before, "a run at rest went on");
}

#[test]
fn soft_spheres_end_at_rest() {
    ends_at_rest(SOFT, "gpu");
}

#[test]
fn rigid_spheres_end_at_rest() {
    ends_at_rest(RIGID, "gpu");
}

#[test]
fn the_reference_ends_at_rest() {
    ends_at_rest(RIGID, "reference");
}

#[test]
fn a_restart_ends_at_the_same_row_with_the_same_bytes() {
    let folder = tempfile::tempdir().expect("folder");
    let [run, material] = RIGID;
    std::fs::write(folder.path().join("cloud.toml"), cloud(run, material)).expect("written");
    breccia_in(folder.path(), &["run", "cloud.toml", "--out", "whole"]).code(0);
    let text = |dir: &str, file: &str| std::fs::read(folder.path().join(dir).join(file)).expect("file");
    let (_, rows) = series::read(&folder.path().join("whole/series.csv")).expect("series");
    // Within the time at rest, between two rows.
    let within = (rows[rows.len() - 4][0] as u64 + 1).to_string();
    breccia_in(folder.path(), &["run", "cloud.toml", "--out", "cut", "--stop-at-step", &within]).code(75);
    breccia_in(folder.path(), &["resume", "cut"]).code(0);
    assert!(text("whole", "series.csv") == text("cut", "series.csv"), "rows differ");
    assert!(text("whole", "manifest.json") == text("cut", "manifest.json"), "manifests differ");
    let frame = |dir: &str| last_frame(&folder.path().join(dir)).expect("frame");
    let positions = ["whole", "cut"].map(|dir| std::fs::read(frame(dir).join("position.npy")).expect("positions"));
    assert_eq!(frame("whole").file_name(), frame("cut").file_name());
    assert!(positions[0] == positions[1], "the last frames differ");
}

#[test]
fn the_share_is_of_the_motion_about_the_mass_centre() {
    let mut bodies = crate::common::bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(4.0, 0.0, 0.0), 1.0)], 1000.0);
    bodies.velocity_m_s = vec![DVec3::new(5.0, 1e-4, 0.0), DVec3::new(5.0, -1e-4, 0.0)];
    bodies.spin_rad_s[0] = DVec3::new(0.0, 0.0, 3e-4);
    let (m, potential) = (bodies.mass_kg[0], -7.0e-8);
    let s = Snapshot { bodies, self_potential_j_kg: vec![potential; 2], ..Snapshot::default() };
    let kinetic = m * 1e-8 + 0.2 * m * 9e-8;
    let share = kinetic_share(&s).expect("bound");
    assert!((share / (kinetic / (m * 7.0e-8)) - 1.0).abs() < 1e-6, "{share}");
    assert_eq!(kinetic_share(&Snapshot { self_potential_j_kg: vec![], ..s }), None);
}

#[test]
fn what_could_never_be_seen_is_refused() {
    let good = cloud(SOFT[0], SOFT[1]);
    parse(&good, "cloud.toml", &[]).expect("good");
    for (from, to, texts) in [
        ("[[gravity]]\nkind = \"self\"\n", "", ["run.stop_when", "give speed_below_m_s instead"]),
        ("kinetic_share_below = 1e-4, ", "", ["run.stop_when.kinetic_share_below", "and so is speed_below_m_s"]),
        ("kinetic_share_below = 1e-4", "speed_below_m_s = 0", ["run.stop_when.speed_below_m_s", "not positive"]),
        ("\"10 min\"", "\"10 s\"", ["run.stop_when", "output.series_rows"]),
        ("\"10 min\"", "\"11 h\"", ["run.stop_when", "run.duration_s"]),
        ("\"10 min\"", "0", ["run.stop_when.for_s", "not positive"]),
        ("1e-4", "-1", ["run.stop_when.kinetic_share_below", "not above 0"]),
        (", for_s = \"10 min\"", "", ["run.stop_when.for_s", "missing"]),
        ("for_s", "for", ["run.stop_when.for", "did you mean `for_s`"]),
        ("{ kinetic_share_below = 1e-4, for_s = \"10 min\" }", "1e-4", ["run.stop_when", "must be a table"]),
    ] {
        assert!(good.contains(from), "{from}");
        let error = parse(&good.replacen(from, to, 1), "cloud.toml", &[]).expect_err(to);
        assert_eq!(error.exit_code(), 2);
        texts.iter().for_each(|t| assert!(error.to_string().contains(t), "`{t}` is not in: {error}"));
    }
}

/// Bodies that are at rest because they have not met yet do not end a run: they fall together first.
#[test]
fn a_cold_start_is_no_rest() {
    let folder = tempfile::tempdir().expect("folder");
    let text = cloud(SOFT[0], SOFT[1]).replace("velocity_m_s = [0.0, 0.0, 0.5]\n", "").replace("1e-4", "1e-2");
    std::fs::write(folder.path().join("cold.toml"), text.replace("10 min", "1 min")).expect("written");
    breccia_in(folder.path(), &["run", "cold.toml", "--engine", "reference", "--out", "run"]).code(0);
    let (columns, rows) = series::read(&folder.path().join("run/series.csv")).expect("series");
    let last = |name: &str| rows[rows.len() - 1][columns.iter().position(|c| c == name).expect("column")];
    assert!(last("contacts") > 0.0, "ended after {} s without a contact", last("time_s"));
    let ended = Manifest::read(&folder.path().join("run")).expect("manifest").ended;
    assert!(ended.starts_with("at rest"), "{ended}");
}

const FLOOR: &str = r#"format = 1
[run]
duration_s = 60
stop_when = { speed_below_m_s = "1 mm/s", for_s = 2 }
[[material]]
density_kg_m3 = 2500.0
restitution_normal = 0.5
friction_sliding = 0.5
friction_rolling = 0.3
shape_parameter = 0.5
speed_max_m_s = 0.5
[[bodies]]
generator = "list"
body = [
  { position_m = [0, 0, 0.2], radius_m = 0.1 },
  { position_m = [1, 0, 0.1], radius_m = 0.1, spin_rad_s = [0, 2, 0] },
]
[[wall]]
kind = "plane"
name = "floor"
point_m = [0, 0, 0]
normal = [0, 0, 1]
[[gravity]]
kind = "uniform"
acceleration_m_s2 = [0, 0, -0.1]
[output]
frames = 2
series_rows = 600
"#;

/// Spheres that fall on a floor: the run ends when the fastest has been slow, on both engines at the same row.
#[test]
fn grains_on_a_floor_end_at_rest_by_their_speeds() {
    let text = FLOOR;
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("floor.toml"), text).expect("written");
    let ended = ["gpu", "reference"].map(|engine| {
        breccia_in(folder.path(), &["run", "floor.toml", "--engine", engine, "--out", engine]).code(0);
        let dir = folder.path().join(engine);
        let manifest = Manifest::read(&dir).expect("manifest");
        assert!(manifest.ended.contains("speeds below 1 mm/s"), "{}", manifest.ended);
        let (columns, rows) = series::read(&dir.join("series.csv")).expect("series");
        let column = |name: &str| columns.iter().position(|c| c == name).expect("column");
        let (time, speed) = (column("time_s"), column("speed_max_m_s"));
        let end = rows.last().expect("rows")[time];
        let of = |row: &&Vec<f64>| row[time] > end - 2.0;
        assert!(end < 50.0 && rows.iter().filter(of).all(|row| row[speed] < 1e-3), "{end}");
        // not before the spin has gone too
        let spins = column("kinetic_rotational_j");
        let still = 0.2 * 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 1e-6;
        assert!(rows.iter().filter(of).all(|row| row[spins] < 2.0 * still), "it spins at the end");
        rows.len()
    });
    assert!(ended[0].abs_diff(ended[1]) <= 1, "{ended:?}");
}

/// What is planned is still to come: the floor that goes, a rotation, a wall on its way.
#[test]
fn a_run_does_not_rest_before_what_is_planned() {
    let falls = FLOOR.replace("normal = [0, 0, 1]", "normal = [0, 0, 1]\nremoved_at_s = 40");
    let turns = FLOOR.to_owned() + "[spin_up]\nstart_s = 40\nincrement_rad_s = [0, 0, 1e-3]\ninterval_s = 15\n";
    let comes = FLOOR.to_owned()
        + "[[wall]]\nkind = \"plate\"\nname = \"lid\"\npoint_m = [0, 0, 1000]\nnormal = [0, 0, -1]\nvelocity_m_s = [0, 0, -0.1]\n";
    let belt = FLOOR
        .replace("\"plane\"", "\"plate\"")
        .replace("normal = [0, 0, 1]", "normal = [0, 0, 1]\nvelocity_m_s = [1e-5, 0, 0]");
    let folder = tempfile::tempdir().expect("folder");
    for (name, text, least_s) in
        [("falls", falls, 59.9), ("turns", turns, 54.9), ("comes", comes, 59.9), ("belt", belt, 2.0)]
    {
        let file = format!("{name}.toml");
        std::fs::write(folder.path().join(&file), text).expect("written");
        breccia_in(folder.path(), &["run", &file, "--engine", "reference", "--out", name]).code(0);
        let (columns, rows) = series::read(&folder.path().join(name).join("series.csv")).expect("series");
        let end_s = rows.last().expect("rows")[columns.iter().position(|c| c == "time_s").expect("column")];
        assert!(end_s >= least_s, "{name}: ended after {end_s} s");
        assert!(name != "belt" || end_s < 55.0, "a belt is always on its way: {end_s} s");
    }
}
