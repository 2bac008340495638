//! `breccia analyze` and `breccia export` on run directories: tables, JSON, files that read back, refusals.

mod common;

use breccia::diagnostics::snapshot::{Contact, Snapshot, WallContact};
use breccia::output::frames::{read_f64, write_frame};
use common::{bodies, material, run_directory, scenario, wall};
use glam::DVec3;
use serde_json::Value;
use std::f64::consts::{PI, TAU};
use std::path::Path;

fn breccia(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::Command::cargo_bin("breccia").unwrap();
    command.env("LP_NUM_THREADS", "0").env("NODEVICE_SELECT", "1").args(arguments).assert()
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(breccia(arguments).success().get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat())).expect("one JSON document")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found}, {expected} expected");
}

/// Two spheres that turn as one about z in 2.5 h, pressed by 6 N, one of them on a wall by 2 N, and a third one apart.
fn pair(time_s: f64) -> Snapshot {
    let places =
        [(DVec3::new(-1.0, 0.0, 1.0), 1.0), (DVec3::new(1.0, 0.0, 1.0), 1.0), (DVec3::new(0.0, 9.0, 1.0), 1.0)];
    let mut bodies = bodies(&places, 2000.0);
    let turn = TAU / 9000.0 * DVec3::Z;
    for k in 0..2 {
        bodies.velocity_m_s[k] = turn.cross(bodies.position_m[k]);
        bodies.spin_rad_s[k] = turn;
    }
    let contact = Contact { i: 0, j: 1, normal: DVec3::X, force_n: DVec3::new(-6.0, 0.0, 3.0), ..Contact::default() };
    let wall = WallContact { body: 1, wall: 0, force_n: 2.0 * DVec3::Z, ..WallContact::default() };
    Snapshot { step: 9, time_s, bodies, contacts: vec![contact], wall_contacts: vec![wall], ..Snapshot::default() }
}

/// Two frames of [`pair`].
fn directory(contacts: bool) -> tempfile::TempDir {
    let mut s = scenario(vec![material()]);
    s.walls = vec![wall(DVec3::ZERO)];
    run_directory(&s, &[pair(0.0), pair(60.0)], contacts)
}

fn path(dir: &tempfile::TempDir) -> &str {
    dir.path().to_str().unwrap()
}

#[test]
fn words_and_json_tell_the_same() {
    let dir = directory(true);
    let (words, told) = (text(&["analyze", path(&dir)]), json(&["analyze", path(&dir)]));
    let frame = &told["frames"][0];
    assert_eq!(
        (&frame["frame"], &frame["bodies"], told["frames"].as_array().unwrap().len()),
        (&1.into(), &2.into(), 1)
    );
    let first = &frame["aggregates"]["list"][0];
    assert_eq!((&frame["aggregates"]["single_bodies"], &first["bodies"]), (&1.into(), &2.into()));
    close(number(&first["period_h"]), 2.5, 1e-9);
    close(number(&first["elongation"]), 3.5, 1e-12);
    assert!(words.contains("contacts that carry force: 1, and 1 single bodies"), "{words}");
    assert!(words.contains("2.500") && words.contains("3.5000"), "{words}");
    // contact 2 x 6 N on 1 m, along x, and a wall's 2 N under 1 m: over the sphere of 2 m about the two
    let trace = (2.0 * 6.0 + 2.0) / (4.0 / 3.0 * PI * 8.0);
    close(number(&frame["stress"]["pressure_pa"]), trace / 3.0, 1e-12);
    assert!(words.contains(&format!("pressure        {:.5e} Pa", trace / 3.0)), "{words}");
    let porosity = number(&frame["shape"]["porosity"]);
    assert!(words.contains(&format!("porosity        {:.2} %", 100.0 * porosity)), "{words}");
    // within the hull of both, a capsule, of 4/3 + 2 parts 8/3 are solid; the ball sinks a little in between
    assert!((0.17..0.2).contains(&porosity), "{porosity}");
    close(number(&frame["velocity"]["speed_max_m_s"]), TAU / 9000.0, 1.0);
}

/// Every name in the JSON and every array of an export stands in the documentation.
#[test]
fn every_quantity_is_documented() {
    let documented = std::fs::read_to_string("docs/analysis.md").unwrap();
    let dir = directory(true);
    let told = json(&["analyze", path(&dir)]);
    let frame = &told["frames"][0];
    let parts =
        [&frame["aggregates"], &frame["aggregates"]["list"][0], &frame["shape"], &frame["stress"], &frame["velocity"]];
    let mut names: Vec<String> = parts.iter().flat_map(|p| p.as_object().unwrap().keys().cloned()).collect();
    text(&["export", path(&dir)]);
    for kind in ["bodies", "contacts"] {
        let file = std::fs::read(dir.path().join(format!("export/{kind}_000001.vtp"))).unwrap();
        let text = head(&file);
        let arrays = text.lines().take_while(|l| *l != "<Points>").filter(|l| l.contains("appended"));
        names.extend(arrays.map(|l| l.split('"').nth(3).unwrap().to_owned()));
    }
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        assert!(documented.contains(&format!("`{name}`")), "docs/analysis.md does not tell of {name}");
    }
}

#[test]
fn files_read_back() {
    let dir = directory(true);
    text(&["analyze", path(&dir), "--frame", "0"]);
    let folder = dir.path().join("analysis/000000");
    let read = |name: &str| read_f64(&folder.join(format!("{name}.npy"))).unwrap();
    assert_eq!(read("aggregate"), (vec![0.0, 0.0, 1.0], vec![3]));
    let (stress, shape) = read("body_stress");
    assert_eq!(shape, [3, 3, 3]);
    let volume = 4.0 / 3.0 * PI;
    // body 0: on its contact at +x -6 N along x and 3 N along z; body 1: the opposite at -x, and the wall
    for (k, expected) in [(0, 6.0), (6, -3.0), (9, 6.0), (15, -3.0), (17, 2.0), (18, 0.0)] {
        assert!((stress[k] - expected / volume).abs() < 1e-12, "{k}: {}, {} expected", stress[k], expected / volume);
    }
    let (principal, _) = read("body_principal_stress");
    close(principal[0] + principal[1] + principal[2], 6.0 / volume, 1e-12);
    let (velocity, shape) = read("velocity_xy");
    assert_eq!(shape.len(), 3);
    assert_eq!(read("position_xy").1, shape);
    assert_eq!(read("density_xy").0.len() * 3, velocity.len());
    for part in ["aggregates", "shape", "stress", "velocity"] {
        let text = std::fs::read_to_string(folder.join(format!("{part}.json"))).unwrap();
        assert!(serde_json::from_str::<Value>(&text).unwrap().is_object(), "{part}");
    }
    assert!(std::fs::read_to_string(folder.join("velocity_xy.svg")).unwrap().contains("x [m]"));
    assert!(std::fs::read_to_string(folder.join("envelope.obj")).unwrap().contains("\nf "));
}

#[test]
fn parts_are_measured_one_by_one_and_all_frames_at_once() {
    let dir = directory(true);
    let told = json(&["analyze", path(&dir), "shape", "--frame", "all", "--aggregate", "all", "--points", "64"]);
    let frames = told["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|f| f["time_s"].as_f64().unwrap()).collect::<Vec<_>>(), [0.0, 60.0]);
    assert!(frames.iter().all(|f| f["bodies"] == 3 && f["shape"]["points_per_body"] == 64));
    assert!(frames.iter().all(|f| f["stress"].is_null() && f["aggregates"].is_null()));
    let box_of = json(&["analyze", path(&dir), "stress", "--region", "box:-3,0,-1,1,0,2"]);
    assert_eq!(box_of["frames"][0]["stress"]["bodies"], 1);
    close(number(&box_of["frames"][0]["stress"]["tensor_pa"][0][0]), 6.0 / 12.0, 1e-12);
    // row z, column x: force along z on a lever along x
    close(number(&box_of["frames"][0]["stress"]["tensor_pa"][2][0]), -3.0 / 12.0, 1e-12);
    let other = json(&["analyze", path(&dir), "velocity", "--aggregate", "1", "--plane", "xz", "--reach", "1.5"]);
    assert_eq!((&other["frames"][0]["bodies"], &other["frames"][0]["velocity"]["plane"]), (&1.into(), &"xz".into()));
    let all = json(&["analyze", path(&dir), "aggregates", "--tolerance", "100", "--minimum", "3"]);
    assert_eq!(all["frames"][0]["aggregates"]["list"][0]["bodies"], 3);
}

#[test]
fn without_contacts_gaps_decide_and_stress_is_refused() {
    let dir = directory(false);
    let words = text(&["analyze", path(&dir)]);
    assert!(
        words.contains("gaps below 0.01 mean radii: 1, and 1 single bodies") && !words.contains("stress"),
        "{words}"
    );
    for arguments in [&["analyze", path(&dir), "stress"][..], &["analyze", path(&dir), "--region", "sphere:1"]] {
        breccia(arguments).code(7).stderr(predicates::str::contains("output.contacts = true"));
    }
    breccia(&["render", path(&dir), "--chains"]).code(7).stderr(predicates::str::contains("output.contacts = true"));
    let exported = breccia(&["export", path(&dir)]).success();
    let news = String::from_utf8_lossy(&exported.get_output().stderr).into_owned();
    assert!(news.contains("1 of 1 frames hold no contacts") && news.contains("output.contacts"), "{news}");
    assert!(!dir.path().join("export/contacts.pvd").exists());
}

#[test]
fn wrong_arguments_and_directories_say_what_is_right() {
    let dir = directory(true);
    let empty = tempfile::tempdir().unwrap();
    std::fs::create_dir(empty.path().join("frames")).unwrap();
    let run = path(&dir);
    for (arguments, code, hint) in [
        (vec!["analyze", "no_such_run"], 7, "no_such_run"),
        (vec!["export", "no_such_run"], 7, "no_such_run"),
        (vec!["analyze", path(&empty)], 7, "holds no frames"),
        (vec!["export", path(&empty), "--format", "xyz"], 7, "holds no frames"),
        (vec!["analyze", run, "--frame", "7"], 2, "up to 1"),
        (vec!["export", run, "--frame", "first"], 2, "`last` or `all`"),
        (vec!["export", run, "--format", "csv"], 2, "xyz"),
        (vec!["analyze", run, "shap"], 2, "shape"),
        (vec!["analyze", run, "stress", "--alpha", "3"], 2, "`shape`"),
        (vec!["analyze", run, "shape", "--minimum", "3"], 2, "`aggregates`"),
        (vec!["analyze", run, "--aggregate", "2"], 2, "has 0 to 1"),
        (vec!["analyze", run, "--aggregate", "none"], 2, "a rank from 0 on"),
        (vec!["analyze", run, "--region", "box:1,2"], 2, "sphere:R"),
        (vec!["analyze", run, "--plane", "zx"], 2, "xy, xz or yz"),
        (vec!["analyze", run, "--tolerance=-1"], 2, "from 0 on"),
        (vec!["analyze", run, "shape", "--alpha", "0"], 2, "above 0 m"),
        (vec!["analyze", run, "shape", "--points", "2"], 2, "at least 4"),
        (vec!["analyze", run, "velocity", "--reach", "1e-9"], 2, "nodes"),
    ] {
        breccia(&arguments).code(code).stderr(predicates::str::contains(hint));
    }
}

#[test]
fn directories_that_lack_something_or_are_damaged_are_refused_by_name() {
    let dir = directory(true);
    let resolved = dir.path().join("resolved.json");
    std::fs::write(&resolved, r#"{"materials": [], "walls": []}"#).unwrap();
    breccia(&["analyze", path(&dir), "stress"]).code(7).stderr(predicates::str::contains("has no wall 0"));
    breccia(&["export", path(&dir)]).code(7).stderr(predicates::str::contains("has no material 0"));
    std::fs::write(&resolved, "{").unwrap();
    breccia(&["render", path(&dir), "--walls"]).code(7).stderr(predicates::str::contains("resolved.json"));
    std::fs::remove_file(&resolved).unwrap();
    breccia(&["analyze", path(&dir), "stress"]).code(7).stderr(predicates::str::contains("resolved.json"));
    let mut s = pair(0.0);
    s.bodies.velocity_m_s[1].x = f64::NAN;
    write_frame(dir.path(), 1, &s, true).unwrap();
    breccia(&["analyze", path(&dir)]).code(7).stderr(predicates::str::contains("body 1 has"));
    std::fs::remove_file(dir.path().join("frames/000000/contact_force.npy")).unwrap();
    for command in ["analyze", "export"] {
        let told = breccia(&[command, path(&dir), "--frame", "0"]).code(7);
        assert!(String::from_utf8_lossy(&told.get_output().stderr).contains("contact_force.npy"));
    }
}

/// A column that the program itself has let come to rest: ten grains of weight w along (0.48, 0.60, 0.64) bear r w n^2.
#[test]
fn stress_of_a_column_that_was_run() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("column");
    let run = out.to_str().unwrap();
    text(&["run", "resting_column", "--set", "output.contacts=true", "--out", run]);
    let told = json(&["analyze", run, "aggregates", "stress"]);
    let (stress, column) = (&told["frames"][0]["stress"], &told["frames"][0]["aggregates"]["list"][0]);
    assert_eq!(column["bodies"], 10);
    let weight = number(&column["mass_kg"]) / 10.0 * 6e-5;
    let volume = number(&stress["volume_m3"]);
    close(volume, 4.0 / 3.0 * PI, 1e-5);
    close(number(&stress["principal_pa"][0]), 0.1 * weight * 100.0 / volume, 1e-3);
    let axis: Vec<f64> = (0..3).map(|k| number(&stress["axes"][0][k])).collect();
    close((axis[0] * 0.48 + axis[1] * 0.6 + axis[2] * 0.64).abs(), 1.0, 1e-6);
    assert!(number(&stress["principal_pa"][1]).abs() < 1e-4 * number(&stress["principal_pa"][0]));
    // ten spheres in a row: I about the row 10 x 0.4 m r^2, across it m r^2 (10 x 0.4 + sum of (2k - 9)^2 = 330)
    close(number(&column["elongation"]), 334.0 / 4.0, 1e-4);
}

/// The part of a VTP file that names its arrays.
fn head(file: &[u8]) -> String {
    String::from_utf8_lossy(&file[..file.len().min(6000)]).into_owned()
}

/// Bytes of an array of a VTP file.
fn array<const N: usize>(file: &[u8], name: &str) -> Vec<[u8; N]> {
    let text = head(file);
    let tag = text.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap_or_else(|| panic!("no {name}"));
    let offset: usize = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let mark = b"encoding=\"raw\">\n_";
    let data = file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len() + offset;
    let count = u64::from_le_bytes(file[data..data + 8].try_into().unwrap()) as usize;
    file[data + 8..data + 8 + count].chunks_exact(N).map(|c| c.try_into().unwrap()).collect()
}

fn floats(file: &[u8], name: &str) -> Vec<f64> {
    array::<8>(file, name).into_iter().map(f64::from_le_bytes).collect()
}

fn integers(file: &[u8], name: &str) -> Vec<i64> {
    array::<8>(file, name).into_iter().map(i64::from_le_bytes).collect()
}

#[test]
fn exported_bodies_and_force_chains_are_those_of_the_frame() {
    let dir = directory(true);
    text(&["export", path(&dir), "--frame", "all", "--format", "vtp,xyz"]);
    let read = |name: &str| std::fs::read(dir.path().join("export").join(name)).unwrap();
    let file = read("bodies_000001.vtp");
    let b = pair(60.0).bodies;
    assert_eq!(floats(&file, "Points"), [-1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 9.0, 1.0]);
    assert_eq!((floats(&file, "mass"), floats(&file, "radius")), (b.mass_kg.clone(), b.radius_m.clone()));
    assert_eq!(floats(&file, "velocity")[..3], b.velocity_m_s[0].to_array());
    assert_eq!((integers(&file, "id"), integers(&file, "offsets")), (vec![0, 1, 2], vec![1, 2, 3]));
    assert_eq!(floats(&file, "coordination"), [1.0, 2.0, 0.0]);
    assert!(head(&file).contains("<Verts>\n<DataArray") && head(&file).contains("NumberOfVerts=\"3\""));
    let file = read("contacts_000001.vtp");
    assert_eq!(floats(&file, "Points"), [-1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!((integers(&file, "connectivity"), integers(&file, "offsets")), (vec![0, 1, 2, 3], vec![2, 4]));
    assert_eq!((integers(&file, "id_i"), integers(&file, "id_j")), (vec![0, 1], vec![1, -1])); // -1: wall 0
    assert_eq!((floats(&file, "tangential_force"), floats(&file, "gap")), (vec![3.0, 0.0], vec![0.0, 0.0]));
    assert_eq!((integers(&file, "tensile"), integers(&file, "sliding")), (vec![0, 0], vec![1, 0]));
    assert_eq!(floats(&file, "mobilised_friction"), [1.0, 0.0]); // 3 N of 0.5 x 6 N
    assert_eq!(floats(&file, "point"), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert!(head(&file).contains("<Lines>\n<DataArray") && head(&file).contains("NumberOfLines=\"2\""));
    let index = String::from_utf8(read("contacts.pvd")).unwrap();
    assert!(index.contains("timestep=\"60\" part=\"0\" file=\"contacts_000001.vtp\""), "{index}");
    let xyz = String::from_utf8(read("bodies.xyz")).unwrap();
    let lines: Vec<&str> = xyz.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[5]), (10, "3", "3"));
    assert!(lines[6].contains("Time=60 "), "{}", lines[6]);
    assert!(lines[8].starts_with("rock 1 0 1 1 1 "), "{}", lines[8]);
    let columns = |line: &str| line.split_whitespace().count();
    assert_eq!(columns(lines[8]), 1 + 3 + 1 + 1 + 1 + 3 + 3 + 1 + 1);
}

/// The first name in PATH that knows VTK, if there is one, is the judge.
#[test]
fn vtk_reads_an_export() {
    let python = |code: &str| std::process::Command::new("python3").args(["-c", code]).output();
    if !python("import vtk").is_ok_and(|o| o.status.success()) {
        eprintln!("SKIPPED: vtk_reads_an_export: python3 with vtk is not installed (pip install vtk)");
        return;
    }
    let dir = directory(true);
    text(&["export", path(&dir)]);
    let code = format!(
        r#"
import vtk
def load(kind):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(r"{}/" + kind + "_000001.vtp")
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()
bodies, contacts = load("bodies"), load("contacts")
assert (bodies.GetNumberOfPoints(), bodies.GetNumberOfVerts()) == (3, 3)
assert bodies.GetPoint(2) == (0, 9, 1) and bodies.GetPointData().GetArray("radius").GetValue(2) == 1
assert bodies.GetFieldData().GetArray("TimeValue").GetValue(0) == 60
assert (contacts.GetNumberOfPoints(), contacts.GetNumberOfLines()) == (4, 2)
data = contacts.GetCellData()
assert [data.GetArray("normal_force").GetValue(k) for k in (0, 1)] == [6, 2]
assert data.GetArray("force").GetTuple(0) == (-6, 0, 3)
assert [data.GetArray("id_j").GetValue(k) for k in (0, 1)] == [1, -1]
"#,
        dir.path().join("export").display()
    );
    let output = python(&code).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_new_run_removes_what_was_made_of_the_old_one() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let run = out.to_str().unwrap();
    text(&["run", "bounce", "--out", run]);
    text(&["analyze", run, "aggregates"]);
    text(&["export", run]);
    let there = |name: &str| Path::new(run).join(name).exists();
    assert!(there("analysis") && there("export"));
    text(&["run", "bounce", "--out", run, "--overwrite"]);
    assert!(!there("analysis") && !there("export"));
}
