//! A device that is lost in the middle of a run: the run goes on by itself from its newest checkpoint, once, and to the same
//! bytes. Shaders that do nothing any more from a step on stand for a device that takes work and does none.

use crate::common::command::{breccia, files};
use crate::common::shaders::{edit, shaders};
use breccia::base::error::Error;
use breccia::record::files::sessions::{self, Session};
use breccia::record::files::status::RunStatus;
use breccia::record::run::{Ended, ResumeOptions, Run, RunOptions, SessionOptions};
use breccia::scenario::load;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Step from which the device does nothing.
const LOST_AT: u64 = 300;
const PASS: &str = "soft_sphere/apply_contacts";
const WHOLE: &str = "let paused = (step >= end)";

/// Shaders that stop at the step.
fn broken() -> tempfile::TempDir {
    let folder = shaders();
    edit(folder.path(), PASS, WHOLE, &format!("let paused = (step >= min(end, {LOST_AT}u))"));
    folder
}

fn mend(shaders: &Path) {
    edit(shaders, PASS, &format!("let paused = (step >= min(end, {LOST_AT}u))"), WHOLE);
}

/// The run on these shaders, not yet begun; `minutes`: between two checkpoints.
fn opened(out: &Path, shaders: &Path, minutes: &str) -> Run {
    let set = [format!("output.checkpoint_minutes={minutes}"), "output.series_rows=20".into()];
    let options = RunOptions { directory: Some(out.to_owned()), session: on(shaders), ..RunOptions::default() };
    Run::open_with(load("bounce", &set).expect("loads"), options).expect("opens")
}

fn again(shaders: &Path) -> ResumeOptions {
    ResumeOptions { session: on(shaders), ..ResumeOptions::default() }
}

fn on(shaders: &Path) -> SessionOptions {
    SessionOptions { shader_dir: Some(shaders.to_owned()), ..SessionOptions::default() }
}

/// What a run has computed.
fn results(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = files(run);
    all.retain(|name, _| name.starts_with("frames") || name.starts_with("bodies") || name.ends_with("series.csv"));
    all
}

fn session(run: &Path, k: usize) -> Session {
    sessions::read(run).expect("reads").into_iter().nth(k).expect("a session")
}

#[test]
fn a_run_goes_on_by_itself_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("folder");
    let whole = folder.path().join("whole");
    let ended = opened(&whole, shaders().path(), "1e-9").go().expect("ends");
    assert!(matches!(ended, Ended::Done(_)), "{ended:?}");
    // from a checkpoint just before the loss, and from that at the start
    for (minutes, at_least) in [("1e-9", LOST_AT / 2), ("10", 0)] {
        let (out, shaders) = (folder.path().join(minutes), broken());
        let run = opened(&out, shaders.path(), minutes);
        mend(shaders.path()); // what is opened anew reads the whole ones
        let (run, ended) = run.go_despite_loss(&again(shaders.path()), &mut ()).expect("goes on");
        assert!(matches!(ended, Ended::Done(_)), "{ended:?}");
        let back_to = run.resumed().expect("taken up").step;
        assert!((at_least..=LOST_AT).contains(&back_to), "back to step {back_to}");
        drop(run);
        let [before, after] = [0, 1].map(|k| session(&out, k));
        assert_eq!((before.status, before.after_loss), (RunStatus::Failed, None));
        assert_eq!((after.status, after.from_step), (RunStatus::Done, back_to));
        assert!(after.after_loss.expect("told").contains("did nothing"));
        let (expected, found) = (results(&whole), results(&out));
        assert!(expected == found && expected.len() > 20, "{minutes}: {:?}, {:?}", expected.keys(), found.keys());
    }
}

#[test]
fn a_second_loss_without_a_newer_checkpoint_ends_the_run() {
    let folder = tempfile::tempdir().expect("folder");
    let (out, shaders) = (folder.path().join("run"), broken());
    let run = opened(&out, shaders.path(), "10");
    let error = run.go_despite_loss(&again(shaders.path()), &mut ()).expect_err("is lost again");
    assert!(matches!(error, Error::DeviceLost(_)) && error.to_string().contains(&format!("step {LOST_AT}")), "{error}");
    assert_eq!(sessions::read(&out).expect("reads").len(), 2);
    // a device that cannot be opened any more
    let (out, mut gone) = (folder.path().join("gone"), again(shaders.path()));
    gone.session.adapter.gpu = Some("no such".into());
    let error = opened(&out, shaders.path(), "10").go_despite_loss(&gone, &mut ()).expect_err("is gone");
    let told = error.to_string();
    assert!(error.exit_code() == 4 && told.contains("cannot go on by itself") && told.contains("no such"), "{told}");
    assert_eq!(sessions::read(&out).expect("reads").len(), 1);
}

#[test]
fn the_command_warns_and_ends_with_4_and_resume_goes_on() {
    let folder = tempfile::tempdir().expect("folder");
    let (out, shaders) = (folder.path().join("run"), broken());
    let [out, broken] = [out.as_path(), shaders.path()].map(|p| p.to_str().expect("utf8"));
    let told = |assert: assert_cmd::assert::Assert| String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    let text = told(breccia(&["run", "bounce", "--out", out, "--shader-dir", broken]).code(4));
    assert_eq!(text.matches("the run goes on by itself from step").count(), 1, "{text}");
    assert!(text.contains(&format!("the device was lost at step {LOST_AT}")), "{text}");
    let shown = breccia(&["info", out]);
    let shown = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
    assert!(shown.contains("went on by itself after the device was lost"), "{shown}");
    // on whole shaders it ends
    let text = told(breccia(&["resume", out]).code(0));
    assert!(!text.contains("goes on by itself"), "{text}");
}
