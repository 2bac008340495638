//! What commands print for programs: one JSON document on standard output, with the same content as the words.

use crate::common::command::{breccia, breccia_in, text};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(args)).expect("one JSON document")
}

/// Strings of an array.
fn words(value: &Value) -> Vec<&str> {
    value.as_array().expect("array").iter().map(|v| v.as_str().expect("string")).collect()
}

/// Every row of the table is a row of the JSON, in order, with the same names.
#[test]
fn plan_as_a_table_and_as_json() {
    for pipeline in ["soft_sphere", "measure_field"] {
        let plan = ["plan", "accretion", "--pipeline", pipeline];
        let (table, told) = (text(&plan), json(&[&plan[..], &["--json"]].concat()));
        assert_eq!(told["pipeline"], pipeline);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("stage") && lines[0].ends_with("writes"), "{}", lines[0]);
        let rows = told["passes"].as_array().expect("passes");
        assert_eq!(lines.len(), 1 + rows.len());
        for (line, row) in lines[1..].iter().zip(rows) {
            let mut columns = line.split_whitespace();
            assert_eq!(columns.next(), row["stage"].as_str());
            assert_eq!(columns.next(), row["pass"].as_str());
            for name in words(&row["reads"]).into_iter().chain(words(&row["writes"])) {
                assert!(line.contains(name), "{name} in: {line}");
            }
        }
    }
}

#[test]
fn a_pass_of_the_plan_by_its_parts() {
    let told = json(&["plan", "accretion", "--json"]);
    let rows = told["passes"].as_array().expect("passes");
    let row = |name: &str| rows.iter().find(|r| r["pass"] == name).unwrap_or_else(|| panic!("{name}"));
    let decide = row("decide_work");
    assert_eq!(decide["dispatch"]["groups"], serde_json::json!([1, 1, 1]));
    assert_eq!(words(&decide["writes"]), ["control", "gravity_extent", "work_args"]);
    let hash = row("hash_cells"); // 1,000 bodies in workgroups of 64
    assert_eq!(hash["workgroup"], serde_json::json!([64, 1, 1]));
    assert_eq!(hash["dispatch"]["groups"], serde_json::json!([16, 1, 1]));
    assert_eq!((&hash["over"], &hash["dispatch"]["when"]), (&"part".into(), &"rebuild".into()));
    let contacts = row("apply_contacts");
    assert_eq!(contacts["dispatch"]["groups"], Value::Null);
    assert_eq!(contacts["dispatch"]["args"], "pair_args");
}

/// Every built-in scenario has a plan, by the pipeline of its method, but for those that start from a run that has to be made
/// first and say so; a pipeline of the other method is refused by name.
#[test]
fn every_built_in_scenario_has_a_plan() {
    let listed = json(&["scenarios", "--json"]);
    let names: Vec<&str> = listed.as_array().expect("list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert!(names.len() > 30, "{names:?}");
    let (mut soft, mut rigid) = (0, 0);
    let empty = tempfile::tempdir().expect("folder");
    for name in names {
        let output = breccia_in(empty.path(), &["plan", name, "--json"]).get_output().clone();
        if output.status.code() != Some(0) {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains("does not hold a run with frames"), "{name}: {text}");
            continue;
        }
        let told: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
        assert!(told["passes"].as_array().expect("passes").len() > 10, "{name}");
        match told["pipeline"].as_str() {
            Some("soft_sphere") => soft += 1,
            Some("contact_dynamics") => rigid += 1,
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(soft > 10 && rigid > 5, "{soft} of soft spheres, {rigid} of contact dynamics");
    let refused = breccia(&["plan", "accretion_cd_spheres", "--pipeline", "soft_sphere"]).code(2);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("has the pipelines contact_dynamics and measure_dynamics"), "{told}");
}

#[test]
fn a_plan_that_is_refused_says_where() {
    let dir = tempfile::tempdir().expect("folder");
    let none = dir.path().to_str().expect("utf8");
    let refused = || {
        let output = breccia(&["plan", "accretion", "--shader-dir", none]).code(2);
        String::from_utf8_lossy(&output.get_output().stderr).into_owned()
    };
    let told = refused();
    assert!(told.contains("has no shaders; give a folder") && told.lines().count() == 1, "{told}");
    std::fs::write(dir.path().join("decide_wrk.wgsl"), "").expect("written");
    let told = refused();
    assert!(told.contains("did you mean `decide_wrk`?"), "{told}");
    assert!(told.contains("pipelines/soft_sphere.toml: stage `prepare`, pass `decide_work`: "), "{told}");
    assert!(told.contains("decide_work.wgsl: there is no such shader file"), "{told}");
    breccia(&["plan", "accretion", "--pipeline", "soft_spher"]).code(2);
}

#[test]
fn scenarios_check_gpus_and_doctor_as_json() {
    let names: Vec<String> = text(&["scenarios"]).lines().filter_map(|l| Some(l.split(' ').next()?.into())).collect();
    let list = json(&["scenarios", "--json"]);
    let told: Vec<_> = list.as_array().expect("list").iter().map(|s| s["name"].as_str().expect("name")).collect();
    assert_eq!(told, names);
    breccia(&["scenarios", "--json", "show", "bounce"]).code(2); // a scenario is TOML
    assert_eq!(json(&["check", "accretion", "--json"])["estimate"]["bodies"], 1000);
    let gpus = json(&["gpus", "--json"]);
    assert_eq!(gpus.as_array().expect("list").len(), text(&["gpus"]).lines().count() / 2);
    let doctor = json(&["doctor", "--json"]);
    assert_eq!(doctor["adapters"], gpus);
    assert!(doctor["findings"].as_array().expect("list").iter().any(|f| f["what"] == "kernel" && f["ok"] == true));
}

/// A command whose reader has left before it prints.
fn unread(args: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    command.env("LP_NUM_THREADS", "0").args(args);
    let piped = std::process::Stdio::piped;
    let mut child = command.stdout(piped()).stderr(piped()).spawn().expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_reader_who_has_left_is_no_fault() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    let run = ["run", "bounce", "--out", out.to_str().expect("utf8")];
    for args in [&["scenarios"][..], &["check", "bounce"], &["plan", "bounce", "--json"], &run] {
        let (code, text) = unread(args);
        assert_eq!(code, Some(0), "{args:?}: {text}");
        assert!(!text.contains("panicked"), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_a_fault() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("device");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    let output = command.arg("scenarios").stdout(full).output().expect("runs");
    assert_eq!(output.status.code(), Some(7));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output: No space left"), "{output:?}");
}
