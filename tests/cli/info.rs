//! `breccia info`: what a run directory tells of a run that is done, that goes on, and that is damaged.

use crate::common::command::breccia_in;
use breccia::record::files::checkpoint;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

fn json(folder: &Path, run: &str, code: i32) -> Value {
    let assert = breccia_in(folder, &["info", run, "--json"]).code(code);
    serde_json::from_slice(&assert.get_output().stdout).expect("one JSON document")
}

fn text(folder: &Path, run: &str, code: i32) -> String {
    String::from_utf8(breccia_in(folder, &["info", run]).code(code).get_output().stdout.clone()).expect("utf8")
}

#[test]
fn a_run_that_is_done_tells_what_it_was() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |args: &[&str]| breccia_in(folder.path(), args);
    at(&["run", "bounce", "--engine", "reference", "--out", "run", "--stop-at-step", "100"]).code(75);
    let cut = json(folder.path(), "run", 0);
    assert_eq!((&cut["status"], &cut["sessions"][0]["to_step"]), (&"stopped".into(), &100.into()));
    at(&["resume", "run"]).code(0);
    let told = json(folder.path(), "run", 0);
    assert_eq!(told["status"], "done");
    let sessions = told["sessions"].as_array().expect("sessions");
    assert_eq!(sessions.len(), 2, "a resume is a session: {sessions:?}");
    assert_eq!(sessions[0], cut["sessions"][0], "what a session was does not change");
    assert_eq!((&sessions[1]["from_step"], &sessions[1]["to_step"]), (&100.into(), &told["manifest"]["steps"]));
    let moment = regex::Regex::new(r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$").expect("valid");
    for session in sessions {
        for key in ["started", "ended"] {
            let time = session[key].as_str().expect("a time");
            assert!(moment.is_match(time), "{time}");
        }
        assert!(session["wall_s"].as_f64() > Some(0.0) && !session["host"].as_str().expect("host").is_empty());
        assert!(session["command"].as_array().expect("words").iter().any(|word| word == "run"));
        if cfg!(target_os = "linux") {
            assert!(session["peak_memory_bytes"].as_u64() > Some(1 << 20), "{session}");
        }
    }
    let wall_s: f64 = sessions.iter().filter_map(|s| s["wall_s"].as_f64()).sum();
    assert_eq!(told["wall_s"].as_f64(), Some(wall_s));
    assert_eq!(
        (&told["expect"][0]["quantity"], &told["expect"][0]["ok"]),
        (&"restitution_normal".into(), &true.into())
    );
    assert_eq!(told["progress"]["step"], told["manifest"]["steps"]);
    let words = text(folder.path(), "run", 0);
    for word in [
        "status            done",
        "100 %",
        "in 2 sessions",
        "breccia resume run",
        "restitution_normal = 0.549",
        "frames:",
    ] {
        assert!(words.contains(word), "`{word}` is not in:\n{words}");
    }
    assert!(words.lines().count() < 40, "one screen:\n{words}");
}

#[test]
fn a_run_on_an_adapter_names_it() {
    let folder = tempfile::tempdir().expect("folder");
    breccia_in(folder.path(), &["run", "bounce", "--out", "run", "--stop-at-step", "2"]).code(75);
    let adapter = &json(folder.path(), "run", 0)["sessions"][0]["adapter"];
    for key in ["name", "driver", "backend", "kind", "why"] {
        assert!(adapter[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {adapter}");
    }
}

/// While the run goes on, and after it was killed.
#[test]
fn a_run_that_goes_on_tells_how_far_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    command.current_dir(folder.path()).args(["run", "accretion_small", "--engine", "reference", "--out", "run"]);
    // minutes in all, and soon a frame
    command
        .args(["--set", "output.frames=1000", "--set", "output.series_rows=1000"])
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.stdout(Stdio::null()).spawn().expect("starts");
    let frame = folder.path().join("run/frames/000001/time.json");
    let told = loop {
        assert!(child.try_wait().expect("waits").is_none(), "it has ended before it was looked at");
        std::thread::sleep(std::time::Duration::from_millis(100));
        // a run knows the time that it has left from the third second on
        let told = frame.exists().then(|| json(folder.path(), "run", 0));
        if let Some(told) = told.filter(|told| told["progress"]["left_s"].is_number()) {
            break told;
        }
    };
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!((&told["status"], &told["process"]), (&"running".into(), &child.id().to_string().into()));
    assert!(told["progress"]["step"].as_u64() > Some(0) && told["wall_s"].as_f64() >= Some(3.0), "{told}");
    assert!(told["sessions"][0]["ended"].is_null());
    let cut = json(folder.path(), "run", 0);
    assert_eq!((&cut["status"], &cut["process"]), (&"cut off".into(), &Value::Null));
    assert!(text(folder.path(), "run", 0).contains("no end recorded"));
}

/// Whether a process works on a run is told by a lock, which some file systems do not have.
#[test]
fn without_locks_a_run_is_not_said_to_be_cut_off() {
    use breccia::record::files::lock::Holder;
    use breccia::record::files::status::Standing;
    let told = |by: Holder| {
        let (standing, process) = Standing::held(by);
        (standing.to_string(), process)
    };
    assert_eq!(told(Holder::Unknown), ("running or cut off".to_owned(), None));
    assert_eq!(told(Holder::Nobody), ("cut off".to_owned(), None));
    assert_eq!(told(Holder::Process("7".into())), ("running".to_owned(), Some("7".into())));
}

#[test]
fn a_damaged_run_tells_what_is_missing() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    breccia_in(folder.path(), &["run", "bounce", "--engine", "reference", "--out", "run"]).code(0);
    let newest = checkpoint::list(&run).pop().expect("a checkpoint");
    let newest = newest.strip_prefix(&run).expect("within").to_str().expect("utf8").to_owned();
    for (name, damage) in [
        ("quantities.json", None),
        ("sessions.json", Some("[{]")),
        ("series.csv", Some("step,time_s\n1,x\n")),
        ("scenario.toml", None),
        ("manifest.json", Some("{}")),
        ("resolved.json", Some("{\"materials\": [")),
        ("settings.json", Some("{\"file\":")),
        ("inputs.json", Some("[")),
        (newest.as_str(), Some("BRECCIA")),
    ] {
        let (path, whole) = (run.join(name), std::fs::read(run.join(name)).expect("there"));
        match damage {
            Some(text) => std::fs::write(&path, text).expect("damaged"),
            None => std::fs::remove_file(&path).expect("removed"),
        }
        let words = text(folder.path(), "run", 7);
        assert!(words.lines().any(|l| l.starts_with("DAMAGED") && l.contains(name)), "{name}: {words}");
        let told = json(folder.path(), "run", 7);
        assert_eq!(told["faults"].as_array().expect("faults").len(), 1, "{told}");
        std::fs::write(&path, whole).expect("restored");
    }
    json(folder.path(), "run", 0);
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    for none in ["empty", "nowhere"] {
        let assert = breccia_in(folder.path(), &["info", none]).code(7);
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(
            said.contains(none) && said.contains("name the directory of a run") && said.lines().count() == 1,
            "{said}"
        );
    }
}
