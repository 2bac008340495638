//! `breccia analyze RUN orbits` on a run: a boulder at rest, one in orbit and one that escapes.

use crate::common::command::{breccia, json, number};

/// What both scenarios begin with.
const ROCK: &str = r#"format = 1
[run]
duration_s = 2.0
time_step_s = 0.01
[[material]]
name = "rock"
density_kg_m3 = 2000.0
stiffness_normal_n_m = 1e4
restitution_normal = 0.5
friction_sliding = 0.5
"#;

const RUN: &str = r#"[asteroid]
shape = { kind = "box", size_m = [200, 200, 200], subdivisions = 2 }
density_kg_m3 = 2000.0
motion = "fixed"
[[bodies]]
generator = "list"
body = [
  { position_m = [0, 0, 100.49999], radius_m = 0.5 },
  { position_m = [500, 0, 0], radius_m = 0.5, velocity_m_s = [0, 0.04622, 0] },
  { position_m = [0, 500, 0], radius_m = 0.5, velocity_m_s = [0, 0.2, 0] },
]
[[gravity]]
kind = "asteroid"
[output]
frames = 2
series_rows = 2
contacts = true
"#;

#[test]
fn boulders_about_an_asteroid_are_counted_by_their_orbits() {
    let dir = tempfile::tempdir().expect("folder");
    let (file, run) = (dir.path().join("boulders.toml"), dir.path().join("run"));
    std::fs::write(&file, ROCK.to_owned() + RUN).expect("written");
    let [file, run] = [&file, &run].map(|p| p.to_str().expect("utf8"));
    breccia(&["run", file, "--engine", "reference", "--out", run]).success();
    let told = json(&["analyze", run, "orbits"]);
    let orbits = &told["frames"][0]["orbits"];
    let counts = ["aloft", "returning", "orbiting", "escaping"].map(|name| number(&orbits[name]));
    assert_eq!(counts, [2.0, 0.0, 1.0, 1.0], "{orbits}");
    // G M = 1.068 m3/s2: this speed is that of a circle
    assert!(number(&orbits["eccentricity"]["median"]) < 1e-2, "{orbits}");
    assert!((number(&orbits["semi_major_axis_m"]["median"]) - 500.0).abs() < 5.0, "{orbits}");
    assert!(number(&orbits["inclination_deg"]["median"]) < 1e-6, "{orbits}");
    breccia(&["analyze", run, "orbits", "--frame", "all"]).success();
    let table = std::fs::read_to_string(dir.path().join("run/analysis/orbits.csv")).expect("table");
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(dir.path().join("run/analysis/orbits.svg").exists());
    breccia(&["analyze", run, "orbits", "--tolerance", "0.1"]).code(2);
    let gone = format!("{run}/gone");
    breccia(&["analyze", &gone, "orbits"]).code(7).stderr(predicates::str::contains("gone"));
    std::fs::remove_file(dir.path().join("run/settings.json")).expect("removed");
    let words = predicates::str::contains("does not say which scenario was run");
    breccia(&["analyze", run, "orbits"]).code(7).stderr(words);
}

/// Orbits are about what attracted in the run: a point mass in place of the asteroid, whose own mass is 15 % less than it. A uniform
/// field is named, and alone it is refused.
#[test]
fn orbits_are_about_what_attracted_in_the_run() {
    let dir = tempfile::tempdir().expect("folder");
    let measured = |name: &str, gravity: &str, motion: &str| {
        let (file, run) = (dir.path().join(format!("{name}.toml")), dir.path().join(name));
        let text = ROCK.to_owned() + &RUN.replace("kind = \"asteroid\"\n", gravity);
        std::fs::write(&file, text.replace("\"fixed\"", motion)).expect("written");
        let [file, run] = [&file, &run].map(|p| p.to_str().expect("utf8").to_owned());
        breccia(&["run", &file, "--engine", "reference", "--out", &run]).success();
        (file, run)
    };
    let gm_of = |run: &str| number(&json(&["analyze", run, "orbits"])["frames"][0]["orbits"]["gm_m3_s2"]);
    let warns = predicates::str::contains("G m = 1.25 m3/s2");
    let (file, run) = measured("central", "kind = \"central\"\ngm_m3_s2 = 1.25\n", "\"rotating\"");
    breccia(&["check", &file]).success().stdout(warns.clone());
    let told = json(&["analyze", &run, "orbits"]);
    let orbits = &told["frames"][0]["orbits"];
    assert_eq!(number(&orbits["gm_m3_s2"]), 1.25, "{orbits}");
    // vis-viva: 1 / a = 2 / r - v^2 / (G m)
    let wanted = 1.0 / (2.0 / 500.0 - 0.04622f64.powi(2) / 1.25);
    assert!((number(&orbits["semi_major_axis_m"]["median"]) / wanted - 1.0).abs() < 1e-3, "{wanted}: {orbits}");
    // of 8e6 m3 and 2000 kg/m3
    let (file, run) = measured("own", "kind = \"central\"\ngm_m3_s2 = 1.0679\n", "\"fixed\"");
    assert_eq!(gm_of(&run), 1.0679);
    breccia(&["check", &file]).success().stdout(predicates::prelude::PredicateBooleanExt::not(warns));
    let uniform = "kind = \"uniform\"\nacceleration_m_s2 = [0, 0, -1e-6]\n";
    let (_, run) = measured("both", &format!("kind = \"asteroid\"\n[[gravity]]\n{uniform}"), "\"fixed\"");
    assert!((gm_of(&run) / 1.067_888 - 1.0).abs() < 1e-5);
    breccia(&["analyze", &run, "orbits"])
        .success()
        .stdout(predicates::str::contains("left out        gravity.1 (uniform)"));
    let (_, run) = measured("none", uniform, "\"fixed\"");
    breccia(&["analyze", &run, "orbits"]).code(7).stderr(predicates::str::contains("no field that attracts"));
}

const PARTS: &str = r#"[[bodies]]
generator = "list"
body = [
  { position_m = [0, 0, 0], radius_m = 1.0 },
  { position_m = [1.999999, 0, 0], radius_m = 1.0 },
  { position_m = [3.999998, 0, 0], radius_m = 1.0 },
  { position_m = [900, 0, 0], radius_m = 1.0, velocity_m_s = [1, 0, 0] },
  { position_m = [901.999999, 0, 0], radius_m = 1.0, velocity_m_s = [1, 0, 0] },
]
[output]
frames = 1
series_rows = 20
[expect.largest_cluster_mass_share]
value = 0.6
tolerance_absolute = 1e-9
source = "three of five spheres"
[expect.second_cluster_mass_share]
value = 0.4
tolerance_absolute = 1e-9
source = "two of five spheres"
"#;

/// Shares of clusters are those of the last row, also where a run was stopped and resumed, and are measured where they are
/// expected alone.
#[test]
fn shares_of_clusters_are_those_of_the_end() {
    let dir = tempfile::tempdir().expect("folder");
    let held = ROCK.to_owned() + &PARTS.replace("[output]", "[[gravity]]\nkind = \"self\"\n[output]");
    let (alone, _) = held.split_once("[expect.largest").expect("expectations");
    for (name, text) in [("expected.toml", held.as_str()), ("alone.toml", alone)] {
        std::fs::write(dir.path().join(name), text).expect("written");
    }
    let [expected, alone] = ["expected.toml", "alone.toml"].map(|name| dir.path().join(name));
    let [run, other] = ["run", "other"].map(|name| dir.path().join(name));
    let [expected, alone, run, other] = [&expected, &alone, &run, &other].map(|p| p.to_str().expect("utf8"));
    breccia(&["run", expected, "--engine", "reference", "--out", run, "--stop-at-step", "150"]).code(75);
    breccia(&["resume", run]).success();
    breccia(&["run", alone, "--engine", "reference", "--out", other]).success();
    let shown = |run: &str| std::fs::read_to_string(format!("{run}/quantities.json")).expect("quantities");
    assert!(shown(run).contains("largest_cluster_mass_share") && !shown(other).contains("cluster_mass_share"));
}
