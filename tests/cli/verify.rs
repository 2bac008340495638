//! `breccia verify` as users meet it: table, JSON, exit codes.

use crate::common::shaders::{edit, shaders};
use assert_cmd::Command;
use breccia::verify::families::{FAMILIES, checks};

fn verify(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").arg("verify").args(args).assert()
}

fn stdout(found: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&found.get_output().stdout).into_owned()
}

/// How many checks these families have.
fn checks_of(names: &[&str]) -> usize {
    FAMILIES.iter().filter(|f| names.contains(&f.name)).map(|f| f.checks.len()).sum()
}

/// Of three families; `./check` runs all.
#[test]
fn the_table_has_a_line_for_every_check() {
    let families = ["blocks", "gravity", "walls"];
    let text = stdout(&verify(&families).code(0));
    let mut lines = text.lines();
    let device = lines.next().expect("device");
    assert!(device.contains("Vulkan") || device.contains("Metal") || device.contains("Dx12"), "{device}");
    assert_eq!(lines.filter(|l| l.starts_with("ok ")).count(), checks_of(&families), "{text}");
    assert!(text.trim_end().ends_with("0 failed"), "{text}");
}

#[test]
fn json_holds_what_the_table_shows() {
    let text = stdout(&verify(&["--json", "step", "gravity"]).code(0));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let rows = report["checks"].as_array().expect("checks");
    assert_eq!(rows.len(), checks_of(&["step", "gravity"]));
    assert_eq!(report["failed"], 0);
    assert!(report["device"].as_str().is_some_and(|d| d.len() > 5), "{report}");
    for row in rows {
        assert!(row["error"].as_f64().expect("error") <= row["bound"].as_f64().expect("bound"), "{row}");
        assert!(row["cases"].as_u64().expect("cases") > 0 && row["ok"] == true, "{row}");
    }
}

#[test]
fn the_list_needs_no_gpu_and_names_every_check() {
    let text = stdout(&verify(&["--list", "--gpu", "no such adapter"]).code(0));
    for family in FAMILIES {
        assert!(
            text.contains(&format!("{}: {}\n  bounds: {}\n", family.name, family.compares, family.bounds)),
            "{text}"
        );
    }
    assert_eq!(text.lines().count(), 2 * FAMILIES.len() + checks().count());
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&verify(&["--list", "--json", "walk"]).code(0))).expect("JSON");
    assert_eq!(json[0]["family"], "walk");
    assert_eq!(json[0]["checks"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_wrong_pass_is_named_and_ends_with_code_1() {
    let folder = shaders();
    edit(folder.path(), "clear_gravity", "vec3<f32>(0.0)", "vec3<f32>(1.0)");
    let text = stdout(&verify(&["gravity", "--shader-dir", folder.path().to_str().expect("utf8")]).code(1));
    let line = text.lines().find(|l| l.starts_with("FAIL")).expect("a line that says so");
    assert!(line.contains("clear_gravity") && line.contains("wrong"), "{line}");
    assert!(text.contains("field[0]") && text.contains("1 failed"), "{text}");
}

#[test]
fn wrong_arguments_have_their_codes() {
    let text = |a: assert_cmd::assert::Assert| String::from_utf8_lossy(&a.get_output().stderr).into_owned();
    assert!(text(verify(&["blocs"]).code(2)).contains("known families: blocks"));
    let unknown = text(verify(&["--perturb", "sideways"]).code(2));
    assert!(unknown.contains("unknown kind `sideways`; known kinds: up, down"), "{unknown}");
    assert!(text(verify(&["--perturb", "up,down"]).code(2)).contains("at most one of up, down and scattered"));
    assert!(text(verify(&["--shader-dir", "no/such/folder"]).code(2)).contains("no such folder"));
    let empty = tempfile::tempdir().expect("folder");
    let nothing = verify(&["--shader-dir", empty.path().to_str().expect("utf8")]);
    assert!(text(nothing.code(2)).contains("no such shader file"));
    assert!(text(verify(&["--gpu", "no such card"]).code(3)).contains("no adapter matches"));
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_gpu_it_says_what_the_other_commands_say() {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    let none = command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null").arg("verify").assert();
    let text = String::from_utf8_lossy(&none.code(3).get_output().stderr).into_owned();
    assert!(text.contains("no GPU adapter answers"), "{text}");
}
