//! The library as other programs use it: runs in memory and in directories, cut into steps, stopped and resumed, are
//! the runs of the command line bit by bit; what is wrong is an error with a remedy.

use crate::common::command::{breccia_in, files};
use crate::common::{bodies, material, scenario};
use breccia::glam::DVec3;
use breccia::physics::measure::columns::column;
use breccia::record::files::status::RunStatus;
use breccia::record::run::{Ended, Observer, ResumeOptions};
use breccia::{EngineKind, Run, RunOptions, Scenario, SessionOptions, Snapshot, Wish};
use std::collections::BTreeMap;
use std::path::Path;

/// One scenario of each method, cut short.
fn small(name: &str) -> Scenario {
    let scenario = Scenario::load(name).expect("reads");
    let short = scenario.with("output.frames", 2).and_then(|s| s.with("output.series_rows", 10)).expect("valid");
    let duration = if name == "stack_of_boxes" { 10.0 } else { short.run.duration_s };
    short.with("run.duration_s", duration).expect("valid")
}

const BOTH: [&str; 2] = ["bounce", "stack_of_boxes"];

fn reference() -> RunOptions {
    RunOptions { engine: EngineKind::Reference, ..RunOptions::default() }
}

fn kept_in(directory: &Path) -> RunOptions {
    RunOptions { directory: Some(directory.to_owned()), ..RunOptions::default() }
}

fn same_files(a: &Path, b: &Path, but: &str) {
    let [a, b] =
        [a, b].map(|run| files(run).into_iter().filter(|(p, _)| !p.starts_with(but)).collect::<BTreeMap<_, _>>());
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    a.iter().for_each(|(path, bytes)| assert!(bytes == &b[path], "{} differs", path.display()));
}

fn motions(s: &Snapshot) -> Vec<[u64; 3]> {
    s.bodies.position_m.iter().chain(&s.bodies.velocity_m_s).map(|p| p.to_array().map(f64::to_bits)).collect()
}

#[test]
fn a_run_of_the_library_writes_what_the_command_writes() {
    for name in BOTH {
        let folder = tempfile::tempdir().expect("folder");
        let scenario = small(name);
        let mut arguments = vec!["run", name, "--out", "command"];
        let set = &scenario.source.as_ref().expect("read from a text").set;
        set.iter().for_each(|set| arguments.extend(["--set", set]));
        let code = breccia_in(folder.path(), &arguments).get_output().status.code();
        assert!(matches!(code, Some(0 | 1)), "{name}: {code:?}");
        let ours = folder.path().join("library");
        let mut run = Run::open_with(&scenario, kept_in(&ours)).expect("opens");
        assert!(matches!(run.go().expect("runs"), Ended::Done(_)));
        // The command ran in another folder.
        same_files(&folder.path().join("command"), &ours, "settings.json");
    }
}

/// Also in memory, with and without looks in between.
#[test]
fn cutting_a_run_into_steps_changes_no_bit() {
    for name in BOTH {
        let scenario = small(name);
        let mut whole = Run::open(&scenario).expect("opens");
        whole.go().expect("runs");
        let mut cut = Run::open(&scenario).expect("opens");
        let (mut looks, mut done) = (0, 0);
        loop {
            let steps = cut.step(37).expect("steps");
            (looks, done) = (looks + 1, done + steps);
            assert_eq!(done, cut.steps_done());
            if steps == 0 {
                break;
            }
            if looks % 3 == 0 {
                let snapshot = cut.snapshot().expect("looks");
                assert_eq!((snapshot.step, snapshot.time_s), (done, cut.time_s()));
            }
        }
        assert_eq!(cut.steps_done(), cut.steps());
        assert!(cut.directory().is_none());
        let [a, b] = [&mut whole, &mut cut].map(|run| motions(&run.snapshot().expect("looks")));
        assert!(a == b, "{name}: the last motions differ");
        let time = cut.columns().iter().position(|c| c == "time_s").expect("a column");
        let kinetic = cut.columns().iter().position(|c| c == "kinetic_translational_j").expect("a column");
        assert_eq!(cut.rows().len(), 11);
        for (a, b) in whole.rows().iter().zip(cut.rows()) {
            assert_eq!((a[time], a[kinetic]), (b[time], b[kinetic]), "{name}");
        }
    }
}

#[test]
fn a_run_that_was_stopped_is_resumed_bit_by_bit() {
    for name in BOTH {
        let folder = tempfile::tempdir().expect("folder");
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        let scenario = small(name);
        Run::open_with(&scenario, kept_in(&whole)).and_then(|mut run| run.go()).expect("runs");
        let mut run = Run::open_with(&scenario, kept_in(&parts)).expect("opens");
        run.step(41).expect("steps");
        assert!(matches!(run.stop().expect("stops"), Ended::Stopped(41)));
        assert_eq!(run.manifest().status, RunStatus::Stopped);
        // Two runs at a time in one directory would spoil it.
        let busy = Run::resume(&parts).expect_err("the directory is held").to_string();
        assert!(busy.contains("parts"), "{busy}");
        drop(run);
        let mut run = Run::resume(&parts).expect("resumes");
        assert_eq!((run.steps_done(), run.resumed().map(|r| r.step)), (41, Some(41)));
        run.go().expect("runs");
        same_files(&whole, &parts, "checkpoint");
        drop(run);
        let mut again = Run::resume_with(&parts, ResumeOptions { restart: true, ..Default::default() }).expect("opens");
        assert_eq!(again.steps_done(), 0);
        again.go().expect("runs");
        same_files(&whole, &parts, "checkpoint");
    }
}

/// Counts what it hears, and stops the run at a step.
#[derive(Default)]
struct Counter {
    rows: Vec<usize>,
    frames: Vec<(usize, u64)>,
    step: u64,
    stop_at: Option<u64>,
}

impl Observer for Counter {
    fn progress(&mut self, progress: &breccia::record::run::Progress) {
        assert!(progress.step > self.step && progress.step <= progress.steps);
        self.step = progress.step;
    }
    fn row(&mut self, row: &[f64]) {
        self.rows.push(row.len());
    }
    fn frame(&mut self, number: usize, snapshot: &Snapshot) {
        self.frames.push((number, snapshot.step));
    }
    fn stop(&mut self) -> bool {
        self.stop_at.is_some_and(|at| self.step >= at)
    }
}

#[test]
fn a_run_in_memory_tells_its_observer_all_and_stops_when_asked() {
    let mut run = Run::open_with(small("bounce"), reference()).expect("opens");
    let mut counter = Counter { stop_at: Some(1), ..Counter::default() };
    let ended = run.go_with(&mut counter).expect("stops");
    assert!(matches!(ended, Ended::Stopped(step) if step == counter.step && step < run.steps()), "{ended:?}");
    counter.stop_at = None;
    let Ended::Done(verdicts) = run.go_with(&mut counter).expect("runs") else { panic!("it was not stopped again") };
    assert!(verdicts.len() == 1 && verdicts[0].ok, "{verdicts:?}");
    assert_eq!(counter.rows, vec![run.columns().len(); 11]);
    assert_eq!(counter.frames, [(0, 0), (1, run.steps() / 2), (2, run.steps())]);
    assert_eq!(run.manifest().status, RunStatus::Done);
    assert_eq!(run.step(5).expect("nothing is left"), 0);
    assert_eq!(run.manifest().status, RunStatus::Done);
}

/// Hears in which order steps are done and rows are measured.
#[derive(Default)]
struct Order {
    step: u64,
    /// step at which a row was heard
    heard: Vec<u64>,
}

impl Observer for Order {
    fn progress(&mut self, progress: &breccia::record::run::Progress) {
        self.step = progress.step;
    }
    fn row(&mut self, _row: &[f64]) {
        self.heard.push(self.step);
    }
}

/// A row that may end its run is measured before the next step, every other one beside the steps that follow.
#[test]
fn rows_are_measured_beside_steps_and_are_the_same() {
    for name in BOTH {
        let [(free, rows), (held, waited)] = ["", "guards.energy_residual_max"].map(|guard| {
            let scenario = small(name);
            let scenario = if guard.is_empty() { scenario } else { scenario.with(guard, 1e6).expect("valid") };
            let mut run = Run::open(&scenario).expect("opens");
            let mut order = Order::default();
            run.go_with(&mut order).expect("runs");
            (order.heard, run.rows().concat().into_iter().map(f64::to_bits).collect::<Vec<_>>())
        });
        assert!(rows == waited, "{name}: rows differ");
        assert_eq!((free.len(), held.len()), (11, 11));
        let [first, last] = [0, 10];
        assert_eq!([free[first], free[last]], [held[first], held[last]], "{name}");
        for k in first + 1..last {
            assert!(
                held[k] < free[k] && free[k] < held[k + 1],
                "{name}: row {k} of step {} came at {}",
                held[k],
                free[k]
            );
        }
    }
}

/// Answers once, at the second question, that the run is to stop.
struct Once(u32);

impl Observer for Once {
    fn stop(&mut self) -> bool {
        self.0 += 1;
        self.0 == 2
    }
}

/// The second question is asked beside the first row after step 0.
#[test]
fn a_stop_that_is_told_beside_a_row_is_heeded() {
    let mut run = Run::open_with(small("bounce"), reference()).expect("opens");
    let mut once = Once(0);
    let ended = run.go_with(&mut once).expect("stops");
    assert!(matches!(ended, Ended::Stopped(step) if step > 0 && step < run.steps()), "{ended:?}");
    assert_eq!((once.0, run.rows().len()), (2, 2));
}

#[test]
fn wrong_input_is_an_error_with_a_way_out() {
    let fault = |result: breccia::Result<Run>, code: u8, holds: &str| {
        let e = result.expect_err(holds);
        assert!(e.exit_code() == code && e.to_string().contains(holds), "{e}: {holds} expected");
    };
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    fault(Run::open("bouncee"), 2, "did you mean `bounce`");
    fault(Run::open(Path::new("no/such.toml")), 2, "no/such.toml");
    fault(Run::open(folder.path()), 7, "");
    fault(Scenario::from_toml("run.duration_s = -1").and_then(Run::open), 2, "run.duration_s");
    fault(Scenario::from_toml("[[[").and_then(Run::open), 2, "scenario.toml:1");
    let on = |adapter| SessionOptions { adapter, ..SessionOptions::default() };
    let card = on(Wish { gpu: Some("no such card".into()), ..Wish::default() });
    let card = RunOptions { session: card, ..kept_in(&out) };
    fault(Run::open_with("bounce", card), 3, "no adapter matches");
    let in_f64 = |session| Run::open_with("bounce", RunOptions { session, ..reference() });
    fault(in_f64(on(Wish { require_gpu: true, ..Wish::default() })), 2, "uses no GPU");
    fault(in_f64(SessionOptions { timing: true, ..SessionOptions::default() }), 2, "--timing");
    fault(Run::resume(folder.path()), 7, "name the directory of a run");
    assert!(!out.exists(), "a refused run leaves nothing");
    let no_key = Scenario::load("bounce").and_then(|s| s.with("run.duration", 3)).expect_err("no such key");
    assert!(no_key.exit_code() == 2 && no_key.to_string().contains("run.duration"), "{no_key}");
}

/// A directory keeps the text of its scenario, so the text has to say what runs.
#[test]
fn a_directory_takes_only_scenarios_that_their_text_describes() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("run");
    let options = || RunOptions { directory: Some(out.clone()), ..reference() };
    let mut changed = small("bounce");
    changed.materials[0].set("restitution_normal", 0.7);
    let refused = Run::open_with(&changed, options()).expect_err("another text").to_string();
    assert!(refused.contains("was changed after it was read") && refused.contains("Scenario::with"), "{refused}");
    changed.source = None;
    let refused = Run::open_with(&changed, options()).expect_err("no text").to_string();
    assert!(refused.contains("was not read from a text"), "{refused}");
    assert!(!out.exists(), "a refused run leaves nothing");
    // In memory nothing is kept.
    Run::open_with(&changed, reference()).and_then(|mut run| run.step(1)).expect("runs");
    let set = small("bounce").with("material.rock.restitution_normal", 0.7).expect("valid");
    let mut run = Run::open_with(&set, options()).expect("opens");
    assert_eq!(run.scenario().materials[0].number("restitution_normal"), Some(0.7));
    run.stop().expect("leaves a checkpoint");
    drop(run);
    assert_eq!(Run::resume(&out).expect("resumes").scenario().materials[0].number("restitution_normal"), Some(0.7));
}

#[test]
fn a_key_that_is_set_twice_has_its_last_value() {
    let s = small("bounce").with("run.duration_s", 3.0).and_then(|s| s.with("run.duration_s", "2 min")).expect("valid");
    assert_eq!(s.run.duration_s, 120.0);
    assert!(scenario(vec![material()]).with("seed", 2).is_err(), "there is no text to change");
}

/// A change of a key reads the text again, which would take back what fields were set to since.
#[test]
fn a_key_is_not_changed_behind_fields_that_were_set() {
    let mut changed = small("bounce");
    changed.run.duration_s = 9.0;
    let refused = changed.with("material.rock.friction_sliding", 0.3).expect_err("a field was set").to_string();
    let wanted = ["material.rock.friction_sliding", "fields of this scenario were set", "set its field instead"];
    wanted.iter().for_each(|words| assert!(refused.contains(words), "{refused}"));
}

/// Numbers that no text could give are refused of fields too.
#[test]
fn fields_are_checked_as_a_text_is() {
    let refused = |change: &dyn Fn(&mut Scenario), holds: &[&str]| {
        let mut scenario = small("bounce");
        change(&mut scenario);
        let e = Run::open_with(&scenario, reference()).expect_err(holds[0]);
        holds.iter().for_each(|words| assert!(e.exit_code() == 2 && e.to_string().contains(words), "{e}: {words}"));
    };
    refused(&|s| s.run.duration_s = f64::NAN, &["run.duration_s", "is NaN s"]);
    refused(&|s| s.run.time_step_s = Some(-1.0), &["run.time_step_s", "is -1 s"]);
    refused(&|s| s.materials[0].set("restitution_normal", 7.0), &["restitution_normal", "7 is outside"]);
    refused(&|s| s.materials[0].set("friction_sliding", -1.0), &["friction_sliding"]);
    refused(&|s| s.materials[0].set("friction_sliding", f64::NAN), &["friction_sliding", "is NaN"]);
    refused(&|s| s.materials[0].set("friction_slidng", 0.9), &["friction_slidng", "no law knows this key"]);
    refused(&|s| s.materials[0].density_kg_m3 = 0.0, &["density_kg_m3", "is 0"]);
    refused(&|s| s.bodies[0].material = 9, &["bodies.0.material", "material 9 is not there"]);
    refused(&|s| s.bodies[0].placing.offset_m.x = f64::NAN, &["the position of body 0"]);
}

/// A run that is done stays done, and one whose observer panics goes no further: no row is written twice.
#[test]
fn a_run_ends_once() {
    let folder = tempfile::tempdir().expect("folder");
    let [done, hurt] = ["done", "hurt"].map(|name| folder.path().join(name));
    let mut run = Run::open_with(small("bounce"), kept_in(&done)).expect("opens");
    run.go().expect("runs");
    assert!(matches!(run.stop().expect("nothing to stop"), Ended::Done(_)));
    assert_eq!(run.manifest().status, RunStatus::Done);

    struct Panics;
    impl Observer for Panics {
        fn row(&mut self, row: &[f64]) {
            assert!(row[0] < 1.0, "an observer that fails");
        }
    }
    let mut run = Run::open_with(small("bounce"), kept_in(&hurt)).expect("opens");
    let went = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.go_with(&mut Panics)));
    assert!(went.is_err());
    let refused = run.go().expect_err("it stopped in the middle of a row").to_string();
    assert!(refused.contains("panicked") && refused.contains("resume it"), "{refused}");
    drop(run);
    let mut run = Run::resume(&hurt).expect("resumes");
    run.go().expect("runs");
    let rows = std::fs::read_to_string(hurt.join("series.csv")).expect("a series");
    assert_eq!(rows.lines().count(), 1 + run.rows().len());
}

/// A run may be opened in one thread and go on in another; its scenario may be named by any text or path.
#[test]
fn a_run_moves_between_threads() {
    let mut run = Run::open_with("bounce".to_owned(), reference()).expect("opens");
    let done = std::thread::spawn(move || run.step(5)).join().expect("no panic").expect("steps");
    assert_eq!(done, 5);
    assert!(Run::open_with(Path::new("no.toml").to_owned(), reference()).is_err());
}

/// An engine of the caller's own: here one that the library has, opened by hand.
#[test]
fn an_engine_of_ones_own_runs_with_rows_and_frames() {
    let mut s = scenario(vec![material()]);
    s.output.series_rows = 4;
    let b = bodies(&[(DVec3::ZERO, 0.1), (DVec3::X, 0.1)], 3350.0);
    let engine = breccia::engine::open::in_f64(&s, &b, 0.01).expect("opens");
    let folder = tempfile::tempdir().expect("folder");
    let mut run = Run::with_engine(&s, &b, engine, Some(folder.path())).expect("opens");
    assert_eq!((run.steps(), run.time_step_s()), (100, 0.01));
    run.go().expect("runs");
    assert!(folder.path().join("frames/000001/position.npy").exists() && folder.path().join("resolved.json").exists());
    assert_eq!(run.rows().len(), 5);
    let one = bodies(&[(DVec3::ZERO, 0.1)], 3350.0);
    let engine = breccia::engine::open::in_f64(&s, &b, 0.01).expect("opens");
    let refused = Run::with_engine(&s, &one, engine, None).expect_err("other bodies").to_string();
    assert!(refused.contains("the engine holds 2 bodies, and the run is of 1"), "{refused}");
}

/// A run that has failed refuses all that would go on from what the failure left, and keeps the checkpoint from before it.
#[test]
fn a_run_that_failed_does_nothing_more() {
    let set = [("bodies.0.count", "27"), ("run.time_step_s", "2"), ("run.duration_s", "1500")];
    let tight = [("on_budget", "\"stop\""), ("iterations_max", "8"), ("tolerance", "1e-6")];
    let scenario = Scenario::load("accretion_cd_spheres").expect("reads");
    let with = |s: Scenario, (key, value): (&str, &str)| s.with(key, value).expect("valid");
    let scenario = set.into_iter().fold(scenario, with);
    let scenario = tight.into_iter().fold(scenario, |s, (key, v)| with(s, (&format!("contact_dynamics.{key}"), v)));
    let folder = tempfile::tempdir().expect("folder");
    let mut run = Run::open_with(&scenario, RunOptions { engine: EngineKind::Reference, ..kept_in(folder.path()) })
        .expect("opens");
    let fault = run.go().expect_err("eight iterations are too few");
    assert_eq!(fault.exit_code(), 6, "{fault}");
    let kept = files(folder.path());
    for again in [run.go().map(|_| ()), run.step(1).map(|_| ()), run.stop().map(|_| ()), run.snapshot().map(|_| ())] {
        let refused = again.expect_err("it has failed").to_string();
        assert!(refused.contains("the run has failed") && refused.contains(&fault.to_string()), "{refused}");
    }
    assert!(kept == files(folder.path()), "something was written after the failure");
}

/// Rotations are added from `start_s` on, and none from `end_s` or the end of the run on: at 2, 5 and 8 s, not at 11 s.
#[test]
fn a_spin_up_ends() {
    let text = "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = RUN\ntime_step_s = 0.5\n\
                [[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000\nfriction_sliding = 0.5\nrestitution_normal = 0\n\
                [[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 1 }]\n\
                [spin_up]\nstart_s = 2\ninitial_rad_s = [0, 0, 1e-3]\nincrement_rad_s = [0, 0, 1e-2]\ninterval_s = 3\n";
    let cases =
        [("19", "", 5.1e-2), ("19", "end_s = 11\n", 2.1e-2), ("19", "end_s = 11.5\n", 3.1e-2), ("11", "", 2.1e-2)];
    for (duration, end, wanted) in cases {
        let scenario = Scenario::from_toml(&format!("{text}{end}").replace("RUN", duration)).expect("scenario");
        let mut run = Run::open_with(&scenario, reference()).expect("opens");
        run.go().expect("runs");
        let spin = run.snapshot().expect("snapshot").bodies.spin_rad_s[0].z;
        assert!((spin / wanted - 1.0).abs() < 1e-9, "{duration} s, {end}: {spin} rad/s, not {wanted}");
    }
}

/// Two bodies that a rotation flings apart: further rotations turn each of them too.
#[test]
fn rotations_of_what_has_come_apart_are_told() {
    let text = "format = 1\n[run]\nduration_s = 40\n[output]\nseries_rows = 8\n[[material]]\nname = \"rock\"\n\
                density_kg_m3 = 2000\nstiffness_normal_n_m = 1e6\nrestitution_normal = 0.5\nfriction_sliding = 0.5\n\
                [[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [-1, 0, 0], radius_m = 1 }, { position_m = [1, 0, 0], radius_m = 1 }]\n\
                [[gravity]]\nkind = \"self\"\n\
                [spin_up]\nstart_s = 5\nincrement_rad_s = [0, 0, 1e-2]\ninterval_s = 5\n";
    let warned = |end: &str| {
        let scenario = Scenario::from_toml(&format!("{text}{end}")).expect("valid");
        let mut run = Run::open_with(&scenario, reference()).expect("opens");
        run.go().expect("runs");
        let step = column("step");
        let steps: Vec<f64> = run.rows().iter().map(|row| row[step]).collect();
        let told = run.manifest().warnings.join("\n");
        // of the row, and not of how far the engine is by then
        let named = told.split_once("at step ").map(|(_, rest)| rest.split(' ').next().expect("a word").parse::<f64>());
        assert!(named.is_none_or(|step| steps.contains(&step.expect("a step"))), "{told}: {steps:?}");
        told
    };
    let told = warned("");
    assert!(told.contains("the heaviest aggregate has 50 % of the mass, and rotations are still added"), "{told}");
    assert!(!warned("end_s = 11\n").contains("rotations are still added"));
    assert!(!warned("bodies = \"largest_aggregate\"\n").contains("rotations are still added"));
}

/// Rotations of the largest aggregate turn its bodies about their mass centre, and leave those alone that have come off.
#[test]
fn rotations_of_the_largest_aggregate_leave_others_alone() {
    let text = "format = 1\n[run]\nMETHOD\nduration_s = 4\ntime_step_s = 0.01\n[[material]]\nname = \"rock\"\n\
                density_kg_m3 = 2000\nSTIFFNESS\nrestitution_normal = 0.5\nfriction_sliding = 0.5\n\
                [[bodies]]\ngenerator = \"list\"\nSHAPE\nbody = [{ position_m = [30, 0, 0], radius_m = 1 }, \
                { position_m = [-1, 0, 0], radius_m = 1 }, { position_m = [1, 0, 0], radius_m = 1 }]\n\
                [spin_up]\nstart_s = 1\ninitial_rad_s = [0, 0, 1e-3]\nincrement_rad_s = [0, 0, 1e-3]\ninterval_s = 5\nbodies = \"largest_aggregate\"\n";
    let soft = text.replace("METHOD", "method = \"soft_sphere\"").replace("STIFFNESS", "stiffness_normal_n_m = 1e4");
    let rigid = text.replace("METHOD", "method = \"contact_dynamics\"").replace("STIFFNESS", "");
    let boxes = rigid.replace(", radius_m = 1", "").replace("SHAPE", "shape = { kind = \"box\", size_m = [2, 1, 1] }")
        + "[[gravity]]\nkind = \"self\"\n";
    for text in [soft.replace("SHAPE", ""), rigid.replace("SHAPE", ""), boxes] {
        // the engine in f64 has no boxes
        let engines = [RunOptions::default(), reference()];
        for options in engines.into_iter().take(if text.contains("box") { 1 } else { 2 }) {
            let mut run = Run::open_with(Scenario::from_toml(&text).expect("valid"), options).expect("opens");
            run.step(101).expect("steps");
            let (b, engine) = (run.snapshot().expect("looks").bodies, &run.manifest().engine);
            assert!(b.velocity_m_s[0].length() + b.spin_rad_s[0].length() < 1e-8, "{engine}");
            for k in [1, 2] {
                let expected = 1e-3 * DVec3::Z.cross(b.position_m[k]);
                assert!((b.velocity_m_s[k] - expected).length() < 2e-5, "{k}: {} of {engine}", b.velocity_m_s[k]);
                assert!((b.spin_rad_s[k] - 1e-3 * DVec3::Z).length() < 2e-5, "{k}: {} of {engine}", b.spin_rad_s[k]);
            }
        }
    }
}
