//! `breccia mesh`: what it reports about good and bad surfaces, what it repairs, what it refuses.

use crate::common::cubes;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn mesh(args: &[&str]) -> Ran {
    let output = Command::cargo_bin("breccia").expect("binary").arg("mesh").args(args).output().expect("runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("utf8");
    Ran { code: output.status.code().expect("a code"), out: text(&output.stdout), err: text(&output.stderr) }
}

fn json(args: &[&str], code: i32) -> Value {
    let ran = mesh(&[args, &["--json"]].concat());
    assert_eq!(ran.code, code, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("one JSON document")
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    path.display().to_string()
}

/// (kind, count) of faults.
type Found = Vec<(&'static str, u64)>;

/// (kind, count) of the faults reported.
fn faults(told: &Value) -> Vec<(String, u64)> {
    let one = |f: &Value| (f["kind"].as_str().unwrap().to_owned(), f["count"].as_u64().unwrap());
    told["defects"].as_array().expect("defects").iter().map(one).collect()
}

#[test]
fn info_of_a_cube() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "cube.stl", cubes::stl_binary());
    let told = json(&["info", &path, "--unit", "km"], 0);
    assert_eq!((&told["joined_vertices"], &told["counts"]["euler"]), (&28.into(), &2.into()));
    let m = &told["measures"];
    let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() / wanted - 1.0).abs() < 1e-12;
    assert!(near(&m["volume_m3"], 8e9) && near(&m["area_m2"], 24e6) && near(&m["centre_m"][0], 5e3), "{m}");
    // a cube of edge s and density 1: s^5 / 6
    assert!((0..3).all(|k| near(&m["inertia_m5"][k], 2000f64.powi(5) / 6.0)), "{m}");
    let edges = [2000.0, (12.0 * 2000.0 + 6.0 * 8f64.sqrt() * 1000.0) / 18.0, 8f64.sqrt() * 1000.0];
    assert!((0..3).all(|k| near(&m["edge_m"][k], edges[k])), "{m}");
    assert!(near(&m["box_m"][0][0], 4000.0) && near(&m["box_m"][1][2], 1000.0), "{m}");
    assert_eq!(m["star_shaped"], true);
    // the same in words, with the unit by its length
    let words = mesh(&["info", &path, "--unit-m", "1000"]);
    assert_eq!(words.code, 0);
    for line in ["volume            8e9 m3", "V - E + F         2", "joined            28", "bounds one body"] {
        assert!(words.out.contains(line), "`{line}` is not in\n{}", words.out);
    }
}

/// One corner of a cube is lifted by a tenth of its edge: of the squares only the top bends, by half of that up and down.
#[test]
fn faces_that_are_not_flat_are_counted() {
    let cube = |z: f64| {
        format!(
            "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 {z}\nv -1 1 1\n\
             f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let [flat, lifted] = [("flat.obj", 1.0), ("lifted.obj", 1.2)].map(|(name, z)| file(&folder, name, cube(z)));
    assert_eq!(json(&["check", &flat], 0)["counts"]["bent_faces"], 0);
    assert!(!mesh(&["check", &flat]).out.contains("not flat"));
    let counts = &json(&["check", &lifted], 0)["counts"];
    let most = counts["bent_most"].as_f64().expect("a number");
    assert!(counts["bent_faces"] == 1 && (most / (0.05 / 8.04f64.sqrt()) - 1.0).abs() < 0.01, "{counts}");
    let told = mesh(&["info", &lifted, "--unit", "m"]).out;
    assert!(told.contains("not flat          1 faces of more than three corners, by up to 1.7"), "{told}");
    // the area is that of the triangles of which the volume is, and a face that is cut since it is not convex counts too
    let area_m2 = json(&["info", &lifted, "--unit-m", "1"], 0)["measures"]["area_m2"].as_f64().expect("a number");
    let triangle =
        |a: [f64; 3], b: [f64; 3]| 0.5 * glam::DVec3::from_array(a).cross(glam::DVec3::from_array(b)).length();
    // of the top, and two sides that have a corner 0.2 higher
    let top = triangle([2.0, 0.0, 0.0], [2.0, 2.0, 0.2]) + triangle([2.0, 2.0, 0.2], [0.0, 2.0, 0.0]);
    assert!((area_m2 - (3.0 * 4.0 + 2.0 * 4.2 + top)).abs() < 1e-9, "{area_m2}");
    let concave = cube(1.2).replacen("v -1 1 1\n", "v -0.2 0.2 1\n", 1);
    let concave = file(&folder, "concave.obj", concave);
    assert_eq!(json(&["check", &concave], 0)["counts"]["bent_faces"], 3);
}

#[test]
fn a_unit_must_be_given_and_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "cube.obj", cubes::obj());
    for (args, wanted) in [
        (vec!["info", &path], "--unit-m <M>|--unit <NAME>"),
        (vec!["info", &path, "--unit", "ly"], "unknown unit `ly`"),
        (vec!["info", &path, "--unit-m", "-1"], "give a length above zero"),
        (vec!["info", &path, "--unit-m", "1", "--unit", "km"], "cannot be used with"),
        (vec!["info", &path, "--unit-m", "1", "--format", "off"], "one of obj, ply, stl, plate, icq"),
    ] {
        let ran = mesh(&args);
        assert!(ran.code == 2 && ran.err.contains(wanted), "{args:?}: {}", ran.err);
    }
}

/// The cube with a change, and the faults that it has then.
#[test]
fn every_kind_of_fault_is_found_and_counted() {
    let cube = cubes::obj();
    let square = "f 9 10 11\nf 9 11 12\n";
    let repeated = "v 4 -1 1\nv 6 -1 1\nv 6 1 1\nv 4 1 1\n";
    let with = |from: &str, to: &str| {
        assert!(cube.contains(from), "{from}");
        cube.replace(from, to)
    };
    let vertices = cube.lines().filter(|l| l.starts_with('v'));
    let second: String = vertices.map(|l| l.replace("v ", "v 1") + "\n").collect();
    let shifted: String =
        cubes::TRIANGLES.iter().map(|t| format!("f {} {} {}\n", t[0] + 9, t[1] + 9, t[2] + 9)).collect();
    let cases: Vec<(&str, String, Found)> = vec![
        ("good", cube.clone(), vec![]),
        ("open", with("f 5 6 7\n", ""), vec![("boundary_edges", 3)]),
        ("flipped", with("f 5 6 7\n", "f 7 6 5\n"), vec![("flipped_faces", 1)]),
        ("inside out", reversed(&cube), vec![("flipped_faces", 12)]),
        ("twice", cube.clone() + "f 5 6 7\n", vec![("repeated_faces", 1), ("branching_edges", 3)]),
        ("branching", cube.clone() + "v 5 0 9\nf 5 6 9\n", vec![("branching_edges", 1), ("boundary_edges", 2)]),
        (
            "no area",
            with("f 5 6 7\n", "v 5 -1 1\nf 5 9 6\nf 5 6 7\n"),
            vec![("degenerate_faces", 1), ("branching_edges", 1), ("boundary_edges", 2)],
        ),
        (
            "loose lid",
            with("f 5 6 7\nf 5 7 8\n", &format!("{repeated}{square}")),
            vec![("boundary_edges", 8), ("parts", 1), ("repeated_vertices", 4)],
        ),
        ("two", format!("{cube}{second}{shifted}"), vec![("parts", 1)]),
        // a corner pulled through the far side; tests/shapes/mesh_crossing.rs counts the pairs another way
        ("through itself", with("v 4 1 1\n", "v 5 -1.5 -0.5\n"), vec![("self_intersections", 6)]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text, wanted) in cases {
        let path = file(&folder, "some.obj", &text);
        let told = json(&["check", &path], if wanted.is_empty() { 0 } else { 7 });
        let found = faults(&told);
        let wanted: Vec<(String, u64)> = wanted.into_iter().map(|(k, n)| (k.to_owned(), n)).collect();
        assert_eq!(found, wanted, "{name}: {told:#}");
        let words = mesh(&["check", &path]);
        for fault in told["defects"].as_array().unwrap() {
            let kind = fault["kind"].as_str().unwrap().replace('_', " ");
            assert!(words.out.contains(&format!("{kind}: {}: ", fault["count"])), "{name}: {}", words.out);
            let first = fault["first"].as_array().unwrap();
            assert!(!first.is_empty() && first.len() <= 5, "{name}");
            assert!(first.iter().all(|p| words.out.contains(p["what"].as_str().unwrap())), "{name}: {}", words.out);
        }
    }
}

fn reversed(text: &str) -> String {
    let turn = |line: &str| match line.strip_prefix("f ") {
        Some(corners) => format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" ")),
        None => format!("{line}\n"),
    };
    text.lines().map(turn).collect()
}

#[test]
fn fix_mends_what_can_be_mended() {
    let folder = tempfile::tempdir().unwrap();
    // every face with corners of its own, one turned, one twice, one without area, one vertex for nothing
    let mut text = String::new();
    let mut add = |t: [u32; 3]| {
        for k in t {
            let [x, y, z] = cubes::VERTICES[k as usize];
            text += &format!("v {x} {y} {z}\n");
        }
        text += "f -3 -2 -1\n";
    };
    cubes::TRIANGLES.iter().enumerate().for_each(|(k, t)| add(if k == 4 { [t[2], t[1], t[0]] } else { *t }));
    add(cubes::TRIANGLES[7]);
    add([1, 2, 1]);
    text += "v 0 0 0\n";
    let path = file(&folder, "torn.obj", &text);
    let before = std::fs::read(&path).unwrap();
    for end in ["obj", "ply", "stl"] {
        let out = folder.path().join(format!("whole.{end}")).display().to_string();
        let told = json(&["fix", &path, &out], 0);
        let done = |what: &str| told["done"][what].as_u64().unwrap();
        assert_eq!(done("joined_vertices"), 3 * 14 - 8, "{told}");
        assert_eq!((done("turned_faces"), done("dropped_repeated_faces")), (1, 1), "{told}");
        assert_eq!((done("dropped_degenerate_faces"), done("dropped_vertices")), (1, 1), "{told}");
        let m = &json(&["info", &out, "--unit", "m"], 0)["measures"];
        assert!((m["volume_m3"].as_f64().unwrap() - 8.0).abs() < 1e-12, "{m}");
        let again = mesh(&["fix", &path, &out]);
        assert!(again.code == 2 && again.err.contains("exists already") && again.err.contains("--overwrite"));
        assert_eq!(mesh(&["fix", &path, &out, "--overwrite"]).code, 0);
    }
    let same = mesh(&["fix", &path, &path, "--overwrite"]);
    assert!(same.code == 2 && same.err.contains("is the file that is read"), "{}", same.err);
    let other = mesh(&["fix", &path, "whole.tab"]);
    assert!(other.code == 2 && other.err.contains(".obj, .ply or .stl"), "{}", other.err);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// Without a volume there is no centre; what can be measured is printed.
#[test]
fn info_of_what_is_no_body() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "flat.obj", "v 0 0 0\nv 3 0 0\nv 0 4 0\nf 1 2 3\n");
    let told = json(&["info", &path, "--unit", "m"], 0);
    let m = &told["measures"];
    assert_eq!((&m["area_m2"], &m["edge_m"][1], &m["star_shaped"]), (&6.0.into(), &4.0.into(), &false.into()), "{m}");
    assert!(m["centre_m"][0].is_null() && m["inertia_m5"][0].is_null(), "{m}");
    let words = mesh(&["info", &path, "--unit", "m"]).out;
    assert!(
        words.contains("none, nor inertia") && words.contains("boundary edges: 3: ") && !words.contains("NaN"),
        "{words}"
    );
    let point = file(&folder, "point.obj", "v 0 0 0\nf 1 1 1\n");
    let out = folder.path().join("none.obj").display().to_string();
    let ran = mesh(&["fix", &point, &out]);
    assert!(
        ran.code == 7 && ran.err.contains("no face with an area is left") && !Path::new(&out).exists(),
        "{}",
        ran.err
    );
}

#[test]
fn fix_says_what_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "open.obj", cubes::obj().replace("f 5 6 7\n", ""));
    let out = folder.path().join("still.obj").display().to_string();
    let ran = mesh(&["fix", &path, &out]);
    assert_eq!(ran.code, 7);
    assert!(ran.out.contains("nothing to repair") && ran.out.contains("boundary edges: 3: "), "{}", ran.out);
    assert!(Path::new(&out).exists());
}

#[test]
fn made_bodies_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let keys = [
        "kind=ellipsoid",
        "semi_axes_m=[3,2,\"100 cm\"]",
        "faces=2000",
        "relief.boulders.count=20",
        "relief.boulders.diameter_m=1.2",
        "relief.boulders.height_ratio=0.2",
    ];
    let mut volumes = vec![];
    for end in ["obj", "ply", "stl"] {
        let out = folder.path().join(format!("body.{end}")).display().to_string();
        let told = json(&[&["make", &out], &keys[..]].concat(), 0);
        assert_eq!((&told["faces"], &told["vertices"]), (&2000.into(), &1002.into()));
        let back = json(&["info", &out, "--unit", "m"], 0);
        assert!(faults(&back).is_empty(), "{back}");
        volumes.push(back["measures"]["volume_m3"].as_f64().unwrap() / told["measures"]["volume_m3"].as_f64().unwrap());
        let again = mesh(&[&["make", &out], &keys[..]].concat());
        assert!(again.code == 2 && again.err.contains("exists already"), "{}", again.err);
    }
    // STL keeps f32 alone
    assert!((volumes[0] - 1.0).abs() < 1e-12 && (volumes[1] - 1.0).abs() < 1e-12 && (volumes[2] - 1.0).abs() < 1e-6);
    let wrong = mesh(&["make", "body.obj", "kind=sphere", "faces=100"]);
    assert!(wrong.code == 2 && wrong.err.contains("radius_m: is missing"), "{}", wrong.err);
}
