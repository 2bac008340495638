//! `--json`: machine output only. Standard output holds JSON, standard error lines of JSON, and an error is JSON with its exit
//! code, of every command that has the option.

use crate::common::command::{breccia, breccia_in};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The words of a command line behind the name of the command.
type Words = &'static [&'static str];

/// A command, its arguments that work in the folder of [`study`], in their order, and its arguments that do not, with their
/// exit codes.
const COMMANDS: &[(&str, Words, i32, Words, i32)] = &[
    ("run", &["pile.toml", "--out", "pile"], 0, &["pile.toml", "--set", "seed=-1"], 2),
    ("resume", &["cut"], 0, &["nowhere"], 7),
    ("info", &["pile"], 0, &["nowhere"], 7),
    ("check", &["pile.toml"], 0, &["nothing"], 2),
    ("scenarios", &[], 0, &["show", "bounce"], 2),
    ("plan", &["bounce"], 0, &["bounce", "--pipeline", "none"], 2),
    ("bench", &["--only", "sort", "--bodies", "64"], 0, &["--bodies", "none"], 2),
    ("report", &["pile"], 0, &["pile", "--color", "nothing"], 2),
    ("render", &["pile", "--size", "64", "--all"], 0, &["pile", "--color", "nothing"], 2),
    ("analyze", &["pile", "aggregates"], 0, &["pile", "stress"], 7),
    (
        "analyze safety-map",
        &["ball.obj", "--unit", "1", "--density", "1500", "--thickness", "2", "--radius", "1"],
        0,
        &["pile.toml", "--thickness", "2", "--radius", "1"],
        2,
    ),
    ("export", &["pile"], 0, &["nowhere"], 7),
    ("mesh info", &["ball.obj", "--unit", "m"], 0, &["ball.obj", "--unit", "s"], 2),
    ("mesh check", &["ball.obj"], 0, &["pile.toml"], 7),
    ("mesh fix", &["ball.obj", "fixed.obj"], 0, &["ball.obj"], 2),
    ("mesh make", &["made.obj", "kind=sphere", "faces=80", "radius_m=1"], 0, &["made.xyz", "kind=sphere"], 2),
    ("mesh remesh", &["ball.obj", "new.obj", "--lat-lon", "30"], 0, &["none.obj", "new.obj", "--lat-lon", "30"], 7),
    ("surface", &["ball.obj", "--unit", "1", "--density", "1500"], 0, &["pile.toml"], 2),
    (
        "field",
        &["ball.obj", "--unit", "1", "--density", "1500", "--grid", "0:200:3,0,0"],
        0,
        &["ball.obj", "--unit", "1", "--density", "1500"],
        2,
    ),
    ("pack", &["pile.toml", "--out", "packed.csv"], 0, &["pile.toml", "--out", "packed.xyz"], 2),
    ("sweep", &["study.toml"], 0, &["none.toml"], 2),
    ("gpus", &[], 0, &["--none"], 2),
    ("doctor", &[], 0, &["--folder", "nowhere"], 7),
    ("verify", &["--list"], 0, &["none"], 2),
];

/// A short pile whose radii are missed by what it expects of them, without contacts in its frames.
const PILE: &str = r#"format = 1
name = "pile"
[run]
duration_s = 40
[[material]]
density_kg_m3 = 3000.0
speed_max_m_s = 0.02
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "lattice"
count = 8
grid_spacing_m = 2.1
radius_m = 1.0
[[gravity]]
kind = "self"
[output]
frames = 2
series_rows = 4
"#;

fn study() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("pile.toml"), PILE).expect("written");
    let campaign = "format = 1\nscenario = \"pile.toml\"\n[grid]\nseed = [1, 2]\n";
    std::fs::write(folder.path().join("study.toml"), campaign).expect("written");
    let make = ["mesh", "make", "ball.obj", "kind=sphere", "faces=80", "radius_m=100"];
    breccia_in(folder.path(), &make).code(0);
    breccia_in(folder.path(), &["run", "pile.toml", "--out", "cut", "--stop-at-step", "20"]).code(75);
    folder
}

/// The JSON values of a text, one after another.
fn values(text: &[u8], what: &str) -> Vec<Value> {
    let values = serde_json::Deserializer::from_slice(text).into_iter().collect::<Result<Vec<Value>, _>>();
    values.unwrap_or_else(|e| panic!("{what}: {e}: {}", String::from_utf8_lossy(text)))
}

/// What a command printed on standard output, all of it and what it said on standard error being JSON.
fn json(folder: &Path, words: &[&str], code: i32) -> Vec<Value> {
    let what = words.join(" ");
    let assert = breccia_in(folder, &[words, &["--json"]].concat());
    let output = assert.get_output();
    let said = String::from_utf8_lossy(&output.stderr);
    for line in said.lines() {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{what}: {e}: {line}"));
        assert!(value.is_object(), "{what}: {line}");
    }
    let printed = values(&output.stdout, &what);
    assert_eq!(output.status.code(), Some(code), "{what}: {printed:?} {said}");
    printed
}

#[test]
fn every_command_prints_json_alone() {
    let folder = study();
    for (command, good, code, bad, fault) in COMMANDS {
        let words = |more: &[&'static str]| command.split(' ').chain(more.iter().copied()).collect::<Vec<_>>();
        let printed = json(folder.path(), &words(good), *code);
        assert_eq!(printed.len(), 1, "{command}: one document, not {printed:?}");
        assert!(printed[0]["error"].is_null(), "{command}: {}", printed[0]);
        let refused = json(folder.path(), &words(bad), *fault);
        let error = &refused.last().unwrap_or_else(|| panic!("{command}: nothing is printed"))["error"];
        if *command == "doctor" {
            continue; // its report is its answer, whatever it finds
        }
        assert_eq!(error["exit_code"], *fault, "{command}: {refused:?}");
        assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()), "{command}: {refused:?}");
    }
    // a command that stops says how it ended, and the line on standard error what to type
    let words = ["run", "pile.toml", "--out", "stopped", "--stop-at-step", "10"];
    assert_eq!(json(folder.path(), &words, 75)[0]["ended"]["Stopped"], 10);
    assert!(json(folder.path(), &["sweep", "study.toml", "--show"], 0)[0]["text"].is_string());
}

/// Files are named as they are asked for, also where the name is no text; JSON then has a mark in it.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_told_with_a_mark() {
    use std::os::unix::ffi::OsStringExt;
    let folder = study();
    let make = ["run", "pile.toml", "--engine", "reference", "--out"];
    let field = ["field", "ball.obj", "--unit", "1", "--density", "1500", "--grid", "0:200:3,0,0", "--out"];
    let cases: [(&[&str], &str, &str); 8] = [
        (&make, "", "/out"),
        (&["resume"], "", "/out"),
        (&["info"], "", "/directory"),
        (&["report"], "", "/report"),
        (&["pack", "pile.toml", "--out"], ".csv", "/file"),
        (&field, "_field.csv", "/file"),
        (&["bench", "--bodies", "64", "--save-packing"], "_packing", "/files/0"),
        (&["sweep", "study.toml", "--list", "--out"], "_study", "/out"),
    ];
    let run = |words: &[&str], end: &str| {
        let name = std::ffi::OsString::from_vec([&b"odd\xff"[..], end.as_bytes()].concat());
        let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
        command.current_dir(folder.path()).args(words).arg(&name).arg("--json").output().expect("runs")
    };
    // the script of jobs is text and names itself, so that it may queue itself again
    let script = run(&["sweep", "study.toml", "--slurm"], ".sh");
    assert!(script.status.code() == Some(2) && !folder.path().join("runs").exists(), "{script:?}");
    for (words, end, key) in cases {
        let output = run(words, end);
        assert!(output.status.success(), "{words:?}: {output:?}");
        let told = values(&output.stdout, &words.join(" "));
        let found = told[0].pointer(key).and_then(Value::as_str);
        assert!(found.is_some_and(|text| text.contains("odd\u{fffd}")), "{words:?}: {told:?}");
    }
}

/// Commands, and commands of these, whose help has the option.
fn with_json(words: &[&str], found: &mut BTreeSet<String>) {
    let assert = breccia(&[words, &["--help"]].concat()).code(0);
    let help = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    if help.contains(" --json") {
        found.insert(words.join(" "));
    }
    let Some((_, list)) = help.split_once("Commands:\n") else { return };
    let lines = list.lines().take_while(|line| !line.is_empty());
    // what follows a long name is on a line of its own, further in
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        with_json(&[words, &[name]].concat(), found);
    }
}

#[test]
fn the_table_has_every_command_with_the_option() {
    let mut found = BTreeSet::new();
    with_json(&[], &mut found);
    // `view` serves until it is ended: its tests are with those of the page
    let listed: BTreeSet<String> = COMMANDS.iter().map(|c| c.0).chain(["view"]).map(str::to_owned).collect();
    assert_eq!(found, listed);
}
