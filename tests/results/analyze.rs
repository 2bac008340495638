//! `breccia analyze` on run directories: tables, JSON, files that read back, refusals.

use crate::common::command::{breccia, close, directory, holds, json, number, pair, path, text, words};
use crate::common::vtp::head;
use crate::common::{bodies, material, run_directory, scenario, write_frame};
use breccia::base::readable;
use breccia::model::snapshot::{Contact, FrameState, Snapshot};
use breccia::model::stored::frames::read_f64;
use breccia::record::files::series;
use glam::{DQuat, DVec3};
use serde_json::Value;
use std::f64::consts::{PI, TAU};
use std::path::Path;

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
    assert!(words.contains(" 2.5 ") && words.contains(" 3.5 "), "{words}");
    // contact 2 x 6 N on 1 m, along x, and a wall's 2 N under 1 m: over the sphere of 2 m about the two
    let trace = (2.0 * 6.0 + 2.0) / (4.0 / 3.0 * PI * 8.0);
    close(number(&frame["stress"]["pressure_pa"]), trace / 3.0, 1e-12);
    assert!(words.contains(&format!("pressure        {} Pa", readable::number(trace / 3.0))), "{words}");
    let porosity = number(&frame["shape"]["porosity"]);
    assert!(words.contains(&format!("porosity        {}", readable::percent(porosity))), "{words}");
    // within the hull of both, a capsule, of 4/3 + 2 parts 8/3 are solid; the ball sinks a little in between
    assert!((0.17..0.2).contains(&porosity), "{porosity}");
    close(number(&frame["velocity"]["speed_max_m_s"]), TAU / 9000.0, 1.0);
}

/// No node of the plane is near a body: nothing was measured, which is not a speed of 0.
#[test]
fn a_velocity_field_of_nothing_has_no_speed() {
    let apart = bodies(&[(-5.0 * DVec3::Y, 1.0), (5.0 * DVec3::Y, 1.0)], 2000.0);
    let dir = run_directory(&scenario(vec![material()]), &[Snapshot { bodies: apart, ..Snapshot::default() }], false);
    let run = ["analyze", path(&dir), "velocity", "--aggregate", "all", "--plane", "xz", "--reach", "1"];
    let assert = breccia(&[&run[..], &["--json"]].concat()).code(0);
    let found: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).expect("one JSON document");
    assert!(found["frames"][0]["velocity"]["speed_max_m_s"].is_null(), "{found}");
    let told = words(&breccia(&run).code(0));
    assert!(told.contains("none near a body") && told.contains("raise --reach"), "{told}");
}

/// The documentation has every name in the JSON and every array of an export.
#[test]
fn every_quantity_is_documented() {
    let documented = std::fs::read_to_string("docs/user/analysis.md").unwrap();
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
        assert!(documented.contains(&format!("`{name}`")), "docs/user/analysis.md does not tell of {name}");
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
    // a box has whatever lies in it, of any aggregate
    let wide = "box:-99,99,-99,99,-99,99";
    let in_box = |rank: &[&str]| {
        let told = json(&[&["analyze", path(&dir), "stress", "--region", wide], rank].concat());
        told["frames"][0]["stress"]["bodies"].clone()
    };
    assert_eq!([in_box(&[]), in_box(&["--aggregate", "0"])], [Value::from(3), Value::from(2)]);
    let other = json(&["analyze", path(&dir), "velocity", "--aggregate", "1", "--plane", "xz", "--reach", "1.5"]);
    assert_eq!((&other["frames"][0]["bodies"], &other["frames"][0]["velocity"]["plane"]), (&1.into(), &"xz".into()));
    let all = json(&["analyze", path(&dir), "aggregates", "--tolerance", "100", "--minimum", "3"]);
    assert_eq!(all["frames"][0]["aggregates"]["list"][0]["bodies"], 3);
}

/// The first ball is that of the shape; all of them, in their order, are in `balls`.
#[test]
fn several_balls_are_measured_at_once() {
    let dir = directory(true);
    let shape = |alpha: &[&str]| {
        let told = json(&[&["analyze", path(&dir), "shape", "--points", "64"], alpha].concat());
        told["frames"][0]["shape"].clone()
    };
    let (first, second) = (shape(&[]), shape(&["--alpha", "1.5"]));
    assert!(first["balls"].is_null() && second["balls"].is_null());
    let both = shape(&["--alpha", "auto,1.5", "--alpha", "7"]);
    assert_eq!((&both["porosity"], &both["alpha_m"]), (&first["porosity"], &first["alpha_m"]));
    let balls = both["balls"].as_array().unwrap();
    let of = |ball: &Value| ball["porosity"].clone();
    assert_eq!(balls.iter().map(of).collect::<Vec<_>>()[..2], [of(&first), of(&second)]);
    assert_eq!((balls.len(), &balls[2]["alpha_m"]), (3, &7.0.into()));
    let words = text(&["analyze", path(&dir), "shape", "--points", "64", "--alpha", "auto,1.5"]);
    assert!(words.contains("with a ball of 1.5 m: porosity "), "{words}");
}

/// Instants are measured besides the frame that is asked for, each frame once.
#[test]
fn frames_are_found_by_their_instants() {
    let dir = directory(true);
    let times = |more: &[&str]| {
        let told = json(&[&["analyze", path(&dir), "aggregates"], more].concat());
        told["frames"].as_array().unwrap().iter().map(|f| number(&f["time_s"])).collect::<Vec<_>>()
    };
    assert_eq!(times(&["--at", "29,1"]), [0.0, 60.0]);
    assert_eq!(times(&["--at", "50", "--at", "1.5 min"]), [60.0]);
    assert_eq!(times(&["--at", "90", "--frame", "0"]), [0.0, 60.0]);
    assert_eq!(times(&["--at", "30", "--frame", "0"]), [0.0], "of two as near the earlier one");
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
        (vec!["analyze", path(&empty)], 7, "has no frames"),
        (vec!["export", path(&empty), "--format", "xyz"], 7, "has no frames"),
        (vec!["analyze", run, "--frame", "7"], 2, "up to 1"),
        (vec!["export", run, "--frame", "first"], 2, "`last` or `all`"),
        (vec!["export", run, "--format", "csv"], 2, "xyz"),
        (vec!["analyze", run, "--at", "0,95"], 2, "has frames from 0 to 60 s, none within 30.6 s of 95 s"),
        (vec!["analyze", run, "--at", "nan"], 2, "--at NaN: is not an instant"),
        (vec!["analyze", run, "--at", "-5"], 2, "--at -5: is not an instant of"),
        (vec!["analyze", run, "--at", "-5"], 2, "name one from 0 to 60 s"),
        (vec!["analyze", run, "shap"], 2, "shape"),
        (vec!["analyze", run, "stress", "--alpha", "3"], 2, "`shape`"),
        (vec!["analyze", run, "shape", "--minimum", "3"], 2, "`aggregates`"),
        (vec!["analyze", run, "--aggregate", "2"], 2, "has 0 to 1"),
        (vec!["analyze", run, "--aggregate", "none"], 2, "give a rank from 0"),
        (vec!["analyze", run, "clusters", "--aggregate", "3"], 2, "`shape`"),
        (vec!["analyze", run, "--region", "box:1,2"], 2, "sphere:R"),
        (vec!["analyze", run, "stress", "--region", "box:900,901,900,901,900,901"], 2, "no body has its centre there"),
        (vec!["analyze", run, "--region", "box:0,1,,0,1,0,1"], 2, "sphere:R"),
        (vec!["analyze", run, "--region", "sphere:,5"], 2, "sphere:R"),
        (vec!["analyze", run, "--plane", "zx"], 2, "xy, xz, yz"),
        (vec!["analyze", run, "--tolerance=-1"], 2, "give a number from 0"),
        (vec!["analyze", run, "shape", "--alpha", "0"], 2, "above 0 m"),
        (vec!["analyze", run, "shape", "--alpha", "3,ball"], 2, "give a radius in m, or `auto`"),
        (vec!["analyze", run, "shape", "--alpha", "inf"], 2, "a finite number of m"),
        (vec!["analyze", run, "clusters", "--minimum", "0"], 2, "give a whole number of bodies from 1"),
        (vec!["analyze", run, "shape", "--points", "2"], 2, "at least 4"),
        (vec!["analyze", run, "shape", "--aggregate", "1", "--points", "4"], 2, "--points 4: so few enclose"),
        (vec!["analyze", run, "shape", "--points", "1000000000000000000"], 2, "give fewer"),
        (vec!["analyze", run, "velocity", "--reach", "1e-9"], 2, "nodes"),
        (vec!["analyze", run, "velocity", "--reach", "inf"], 2, "above 0 m"),
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

/// Two touching spheres at rest in a frame that turns once in 1.745 h turn with it. A third one, 400 m away and at rest in the
/// frame too, has 0.4 m/s, 15 times its speed of escape.
#[test]
fn aggregates_are_those_of_inertial_space() {
    let turn = 1e-3 * DVec3::Z;
    let spheres = [(-50.0 * DVec3::X, 50.0), (50.0 * DVec3::X, 50.0), (400.0 * DVec3::X, 1.0)];
    let contacts = vec![Contact { i: 0, j: 1, normal: DVec3::X, force_n: -DVec3::X, ..Contact::default() }];
    let frame = FrameState {
        origin_m: DVec3::new(5.0, -7.0, 3.0),
        orientation: DQuat::from_rotation_x(0.7),
        velocity_m_s: DVec3::new(0.0, 2.0, 1.0),
        spin_rad_s: turn,
        asteroid: None,
    };
    let s = Snapshot { bodies: bodies(&spheres, 2000.0), contacts, frame: Some(frame), ..Snapshot::default() };
    let dir = run_directory(&scenario(vec![material()]), &[s], true);
    let told = json(&["analyze", path(&dir), "aggregates"]);
    let found = &told["frames"][0]["aggregates"];
    let pair = &found["list"][0];
    close(number(&pair["period_h"]), TAU / 1e-3 / 3600.0, 1e-9);
    close(number(&pair["rigid_share"]), 1.0, 1e-9);
    let along = frame.orientation * turn;
    for k in 0..3 {
        assert!((number(&pair["angular_velocity_rad_s"][k]) - along[k]).abs() < 1e-12, "{pair}");
        assert!((number(&pair["centre_m"][k]) - frame.origin_m[k]).abs() < 1e-9, "{pair}");
    }
    assert_eq!((&found["bound_bodies"], &found["escaping_bodies"]), (&0.into(), &1.into()));
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
    // the pressure of the frame is a third of the trace of the body's stress, of the one on the ground too
    let number_of = told["frames"][0]["frame"].as_u64().unwrap();
    let file = |name: &str| read_f64(&out.join(name)).unwrap().0;
    let pressure = file(&format!("frames/{number_of:06}/pressure.npy"));
    for (k, s) in file(&format!("analysis/{number_of:06}/body_stress.npy")).chunks(9).enumerate() {
        close(pressure[k], (s[0] + s[4] + s[8]) / 3.0, 1e-5);
    }
    // ten spheres in a row: I about the row 10 x 0.4 m r^2, across it m r^2 (10 x 0.4 + sum of (2k - 9)^2 = 330)
    close(number(&column["elongation"]), 334.0 / 4.0, 1e-4);
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

/// Ten spheres in a row touch, and two of them push at this instant: `analyze` says that the rest is one pile by gaps.
#[test]
fn a_pile_that_rattles_is_told() {
    let spheres: Vec<_> = (0..10).map(|k| (glam::DVec3::X * 2.0 * f64::from(k), 1.0)).collect();
    let touch = Contact { i: 0, j: 1, force_n: -DVec3::X, normal: DVec3::X, ..Contact::default() };
    let frame = Snapshot {
        step: 1,
        bodies: crate::common::bodies(&spheres, 2000.0),
        contacts: vec![touch],
        ..Snapshot::default()
    };
    let scenario = crate::common::scenario(vec![crate::common::material()]);
    let dir = crate::common::run_directory(&scenario, &[frame], true);
    let told_by = |part: &str, more: &[&str]| words(&breccia(&[&["analyze", path(&dir), part], more].concat()).code(0));
    let told = |more: &[&str]| told_by("shape", more);
    let loose =
        "the heaviest aggregate has 2 of 10 bodies by contacts that carry force at this instant, and 10 by gaps";
    assert!(told(&[]).contains(loose), "{}", told(&[]));
    assert!(!told(&["--tolerance", "0.01"]).contains(loose));
    assert!(!told(&["--aggregate", "all"]).contains(loose));
    assert!(!told_by("strain", &[]).contains(loose), "strain is of all bodies");
    assert!(told_by("clusters", &[]).contains(loose));
    let shape = json(&["analyze", path(&dir), "shape", "--tolerance", "0.01"]);
    assert_eq!(shape["frames"][0]["shape"]["bodies"], 10);
}

/// A single heavy body with lighter pairs around it: tables over time follow the heaviest, whatever `--minimum` lists.
#[test]
fn a_single_body_may_be_the_heaviest_aggregate() {
    let spheres = [(DVec3::ZERO, 20.0), (60.0 * DVec3::X, 1.0), (62.0 * DVec3::X, 1.0)];
    let mut bodies = bodies(&spheres, 2000.0);
    bodies.spin_rad_s[0] = 3e-4 * DVec3::Z;
    let frame = |step: u64| Snapshot { step, time_s: step as f64, bodies: bodies.clone(), ..Snapshot::default() };
    let dir = run_directory(&scenario(vec![material()]), &[frame(0), frame(1)], false);
    let told = json(&["analyze", path(&dir), "aggregates", "--frame", "all"]);
    assert_eq!(told["frames"][1]["aggregates"]["list"][0]["rank"], 1, "pairs alone are listed");
    let (columns, rows) = series::read(&dir.path().join("analysis/aggregates.csv")).unwrap();
    let value = |name: &str| rows[1][columns.iter().position(|c| c == name).expect(name)];
    close(value("mass_share"), 8000.0 / 8002.0, 1e-12);
    close(value("angular_velocity_rad_s"), 3e-4, 1e-12);
    assert_eq!(value("bodies"), 1.0);
}

/// By gaps of zero a body is alone, but a contact across a gap pushes it: stress and fabric both count that one.
#[test]
fn fabric_counts_the_contacts_that_stress_counts() {
    let spheres = [(DVec3::ZERO, 1.5), (2.6 * DVec3::X, 1.0)];
    let touch =
        Contact { i: 0, j: 1, overlap_m: -0.1, normal: DVec3::X, force_n: -6.0 * DVec3::X, ..Contact::default() };
    let s = Snapshot { step: 1, bodies: bodies(&spheres, 2000.0), contacts: vec![touch], ..Snapshot::default() };
    let dir = run_directory(&scenario(vec![material()]), &[s], true);
    let told = json(&["analyze", path(&dir), "stress", "--tolerance", "0"]);
    let stress = &told["frames"][0]["stress"];
    assert!(number(&stress["pressure_pa"]) > 0.0 && stress["bodies"] == 1, "{stress}");
    let fabric = &stress["fabric"];
    assert_eq!((&fabric["points"], &fabric["coordination"]), (&1.into(), &1.0.into()));
    close(number(&fabric["anisotropy"]), 1.0, 1e-12);
}

/// One body far away leaves no grid of the automatic reach: the other parts are measured, and words say which reach would do.
#[test]
fn bodies_far_apart_have_no_velocity_field_by_themselves() {
    let spheres = [(DVec3::ZERO, 1.0), (1.999 * DVec3::X, 1.0), (8000.0 * DVec3::X, 1.0), (9000.0 * DVec3::Y, 1.0)];
    let s = Snapshot { bodies: bodies(&spheres, 2000.0), ..Snapshot::default() };
    let dir = run_directory(&scenario(vec![material()]), &[s], false);
    let all = ["analyze", path(&dir), "--aggregate", "all"];
    let told = breccia(&all).success();
    holds(&words(&told), &["no velocity field: the bodies lie", "too wide for nodes 2 m apart", "--reach", "would do"]);
    let folder = dir.path().join("analysis/000000");
    let there = |name: &str| folder.join(name).exists();
    assert!(there("aggregates.json") && there("shape.json") && !there("velocity.json"));
    let asked = words(&breccia(&["analyze", path(&dir), "velocity", "--aggregate", "all"]).code(2));
    let reach = asked.split("--reach ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a reach");
    text(&[&all[..], &["--reach", reach]].concat());
    assert!(there("velocity.json") && there("velocity_xy.npy"));
}
