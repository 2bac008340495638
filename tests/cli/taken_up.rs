//! Runs that are taken up again where a careless program would add, forget or pass over something.

use super::sweep::{study, sweep};
use crate::common::command::{breccia, breccia_in, holds, words};
use breccia::model::stored::frames::read_time;
use breccia::record::files::checkpoint;
use breccia::record::files::directory::RunDirectory;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::series;
use breccia::record::files::status::RunStatus;
use std::path::Path;
use std::time::Duration;

/// `bounce` in f64 with these settings, into `out`.
fn bounce(out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let run = ["run", "bounce", "--engine", "reference", "--expect", "off", "--out", out.to_str().expect("utf8")];
    let set = more.iter().flat_map(|m| if m.contains('=') { vec!["--set", *m] } else { vec![*m] });
    breccia(&run.into_iter().chain(set).collect::<Vec<_>>())
}

fn resume(out: &Path) -> assert_cmd::assert::Assert {
    breccia(&["resume", out.to_str().expect("utf8"), "--expect", "off"])
}

/// Steps of all frames.
fn frame_steps(run: &Path) -> Vec<u64> {
    let frames = breccia::model::stored::frames::list_frames(run).expect("frames");
    frames.iter().map(|frame| read_time(frame).expect("time").0).collect()
}

#[test]
fn a_guard_at_the_end_is_asked_again() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    let set = ["guards.energy_residual_max=0.001", "run.time_step_s=0.008", "output.series_rows=10"];
    bounce(&out, &set).code(6);
    resume(&out).code(6);
    assert_eq!(Manifest::read(&out).expect("manifest").status, RunStatus::Failed);
}

/// More rows or frames than there are steps at the time: each has a step of its own, however the run is cut.
#[test]
fn crowded_rows_and_frames_are_written_once() {
    let folder = tempfile::tempdir().expect("folder");
    let [rows, whole, parts] = ["rows", "whole", "parts"].map(|name| folder.path().join(name));
    bounce(&rows, &["run.duration_s=0.01", "output.series_rows=500"]).code(0);
    let steps = || {
        let (columns, rows) = series::read(&rows.join(series::FILE)).expect("series");
        let step = columns.iter().position(|c| c == "step").expect("a column of steps");
        rows.iter().map(|row| row[step]).collect::<Vec<_>>()
    };
    let before = steps();
    assert!(before.windows(2).all(|two| two[1] == two[0] + 1.0), "{before:?}");
    resume(&rows).code(0);
    assert_eq!(steps(), before, "a run that has ended gets no rows");
    let logarithmic =
        ["run.duration_s=1", "output.frames=30", "output.frame_times=\"logarithmic\"", "output.first_frame_s=0.002"];
    bounce(&whole, &logarithmic).code(0);
    for stop in ["3", "5"] {
        bounce(&parts, &[&logarithmic[..], &["--overwrite", "--stop-at-step", stop]].concat()).code(75);
        resume(&parts).code(0);
        assert_eq!(frame_steps(&parts), frame_steps(&whole), "stopped at step {stop}");
    }
    let steps = frame_steps(&whole);
    assert!(steps.len() == 31 && steps.windows(2).all(|two| two[1] > two[0]), "{steps:?}");
}

#[test]
fn frames_behind_a_checkpoint_are_made_again_or_gone() {
    let folder = tempfile::tempdir().expect("folder");
    let [out, whole] = ["run", "whole"].map(|name| folder.path().join(name));
    bounce(&whole, &["output.frames=4"]).code(0);
    bounce(&out, &["output.frames=4", "--stop-at-step", "100"]).code(75);
    let frame = |k: usize| out.join(format!("frames/{k:06}"));
    std::fs::create_dir(frame(42)).expect("made");
    for entry in std::fs::read_dir(frame(0)).expect("frame").flatten() {
        std::fs::copy(entry.path(), frame(42).join(entry.file_name())).expect("copied");
    }
    resume(&out).code(0);
    assert!(!frame(42).exists());
    assert_eq!(frame_steps(&out), frame_steps(&whole));
}

/// Two bodies that drift into contact in a field of another, from rest: when that was is not known, and the run goes on.
#[test]
fn a_contact_at_an_unknown_instant_does_not_spoil_checkpoints() {
    let folder = tempfile::tempdir().expect("folder");
    let bodies = "x,y,z,radius\n100,-0.1005,0,0.1\n100,0.1005,0,0.1\n";
    std::fs::write(folder.path().join("two.csv"), bodies).expect("written");
    std::fs::write(folder.path().join("fall.toml"), FALL).expect("written");
    let run = ["run", "fall.toml", "--engine", "reference", "--out", "out", "--stop-at-step", "20000"];
    breccia_in(folder.path(), &run).code(75);
    breccia_in(folder.path(), &["resume", "out"]).code(0);
    let told = std::fs::read_to_string(folder.path().join("out/quantities.json")).expect("quantities");
    assert!(!told.contains("contact_time_s"), "{told}");
}

const FALL: &str = r#"format = 1
[run]
duration_s = 300
[[material]]
name = "rock"
density_kg_m3 = 3350.0
speed_max_m_s = 0.005
restitution_normal = 0.55
friction_sliding = 0.5
[[bodies]]
generator = "file"
path = "two.csv"
[[gravity]]
kind = "central"
gm_m3_s2 = 5.2
[output]
series_rows = 2
frames = 1
"#;

/// A process that waited to replace a run does not replace one that has ended meanwhile.
#[test]
fn a_run_that_ended_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    bounce(&out, &["run.duration_s=0.01"]).code(0);
    let done = Manifest::read(&out).expect("manifest");
    let held = RunDirectory::resume(&out, Duration::ZERO).expect("the directory");
    Manifest { status: RunStatus::Running, ..done.clone() }.write(&out).expect("written");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| RunDirectory::create(&out, true, Duration::from_secs(60)).map(|_| ()));
        std::thread::sleep(Duration::from_secs(2));
        done.write(&out).expect("written");
        drop(held);
        let refused = waits.join().expect("no panic").expect_err("refused").to_string();
        assert!(refused.contains("another process has ended the run there meanwhile"), "{refused}");
    });
    assert_eq!(Manifest::read(&out).expect("manifest").status, RunStatus::Done);
}

/// An analysis that failed is tried again with `--retry`.
#[test]
fn a_failed_analysis_is_tried_again() {
    let campaign = "format = 1\nscenario = \"pile.toml\"\nengine = \"reference\"\n[grid]\nseed = [1, 2]\n[analysis]\nparts = [\"aggregates\"]\n";
    let folder = study(super::sweep::PILE, campaign);
    sweep(folder.path(), &[]).code(0);
    let measured = folder.path().join("runs/study/cases/000_seed-1/analysis/measured.json");
    let text = std::fs::read_to_string(&measured).expect("measured");
    let failed = text.replace("\"error\": null", "\"error\": \"its process was ended by a signal\"");
    assert!(failed != text, "{text}");
    std::fs::write(&measured, failed).expect("written");
    let told = words(&sweep(folder.path(), &["--table"]).code(1));
    holds(&told, &["not measured 000_seed-1: analysis: its process was ended by a signal"]);
    let told = words(&sweep(folder.path(), &["--retry"]).code(0));
    assert!(!told.contains("not measured"), "{told}");
    assert_eq!(std::fs::read_to_string(&measured).expect("measured"), text);
}

/// A run that goes on where arithmetic is another says so, and so does its manifest, also when it is taken up once more.
#[test]
fn a_run_that_goes_on_elsewhere_says_so() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    bounce(&out, &["--stop-at-step", "100"]).code(75);
    let newest = checkpoint::list(&out).pop().expect("a checkpoint");
    let (mut head, state) = checkpoint::read(&newest).expect("reads");
    head.engine = "soft spheres on another device".to_owned();
    checkpoint::write(&out, &head, &state).expect("written");
    let more = ["resume", out.to_str().expect("utf8"), "--expect", "off", "--stop-at-step", "200"];
    holds(
        &words(&breccia(&more).code(75)),
        &["from step 100 on the run goes on with other arithmetic", "another device"],
    );
    resume(&out).code(0);
    let warnings = Manifest::read(&out).expect("manifest").warnings.join("\n");
    assert_eq!(warnings.matches("other arithmetic").count(), 1, "{warnings}");
}

/// The copy of a law is named by its content; the run's law keeps its name.
#[test]
fn a_resumed_run_keeps_the_name_of_its_law() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    let (path, example) = (out.to_str().expect("utf8"), "docs/examples/quadratic_damping.toml");
    let run = ["run", example, "--engine", "reference", "--expect", "off", "--out", path, "--stop-at-step", "10"];
    breccia(&run).code(75);
    let law = || Manifest::read(&out).expect("manifest").law;
    let before = law();
    assert!(before.contains("quadratic_damping"), "{before}");
    resume(&out).code(0);
    assert_eq!(law(), before);
}
