//! The command line as users meet it: a run leaves readable files, a restart changes no byte, exit codes are as
//! documented.

use crate::common::command::breccia;
use assert_cmd::Command;
use breccia::record::files::status::RunStatus;
use std::path::{Path, PathBuf};

/// All files below a directory with their bytes, but for what names the process or the command.
fn contents(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut out = vec![];
    let mut stack = vec![dir.to_owned()];
    while let Some(d) = stack.pop() {
        for entry in std::fs::read_dir(&d).expect("dir").flatten() {
            let path = entry.path();
            if path.is_dir() {
                stack.push(path);
            } else if !["lock", "settings.json", "sessions.json"].iter().any(|name| path.ends_with(name)) {
                let name = path.strip_prefix(dir).expect("below").to_owned();
                out.push((name, std::fs::read(&path).expect("file")));
            }
        }
    }
    out.sort();
    out
}

const SMALL: [&str; 6] = ["--set", "run.duration_s=900", "--set", "output.series_rows=20", "--set", "output.frames=4"];

fn run(out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let mut args = vec!["run", "accretion_small", "--overwrite", "--out", out.to_str().expect("utf8")];
    args.extend(SMALL);
    args.extend(more);
    breccia(&args)
}

#[test]
fn a_restart_changes_no_byte() {
    restart("direct");
}

#[test]
fn a_restart_with_a_tree_changes_no_byte() {
    restart("tree");
}

fn restart(method: &str) {
    let gravity = format!("gravity.0.method={method}");
    let gravity = ["--set", gravity.as_str()];
    let dir = tempfile::tempdir().expect("tempdir");
    let (whole, again, parts) = (dir.path().join("whole"), dir.path().join("again"), dir.path().join("parts"));
    // 15 minutes fall short of what the scenario expects after an hour, which only warns with --set.
    run(&whole, &gravity).code(0);
    run(&again, &gravity).code(0);
    // The collapse is in full swing at step 17,000: contacts have histories.
    run(&parts, &[&gravity[..], &["--stop-at-step", "17001"]].concat()).code(75);
    breccia(&["resume", parts.to_str().expect("utf8")]).code(0);
    let (whole, again, parts) = (contents(&whole), contents(&again), contents(&parts));
    let names = |c: &[(PathBuf, Vec<u8>)]| c.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&whole), names(&again));
    for (a, b) in whole.iter().zip(&again) {
        assert!(a.1 == b.1, "two runs differ in {}", a.0.display());
    }
    // The stopped run keeps another second-last checkpoint; the last one holds the complete final state.
    let last =
        |c: &[(PathBuf, Vec<u8>)]| c.iter().rev().find(|f| f.0.starts_with("checkpoint")).expect("checkpoint").clone();
    assert!(last(&whole) == last(&parts), "the final states differ");
    let rest =
        |c: Vec<(PathBuf, Vec<u8>)>| c.into_iter().filter(|f| !f.0.starts_with("checkpoint")).collect::<Vec<_>>();
    for (a, b) in rest(whole).iter().zip(&rest(parts)) {
        assert!(a == b, "run and resume differ in {}", a.0.display());
    }
}

/// Stopped before side plates vanish, and after.
#[test]
fn a_restart_around_a_removed_wall_changes_no_byte() {
    let dir = tempfile::tempdir().expect("tempdir");
    let hopper = |out: &Path, more: &[&str]| {
        let mut args = vec!["run", "hopper_small", "--out", out.to_str().expect("utf8")];
        for set in [
            "bodies.0.count=96",
            "bodies.0.offset_m=[0,0,0.12]",
            "run.duration_s=0.2",
            "wall.left.removed_at_s=0.12",
            "wall.right.removed_at_s=0.12",
            "output.series_rows=20",
            "output.frames=4",
        ] {
            args.extend(["--set", set]);
        }
        args.extend(more);
        breccia(&args)
    };
    let whole = dir.path().join("whole");
    // few grains are left in another number than the scenario expects, which only warns with --set
    hopper(&whole, &[]).code(0);
    let rest = |dir: &Path| {
        let files = contents(dir).into_iter();
        files.filter(|f| !f.0.starts_with("checkpoint")).collect::<Vec<_>>()
    };
    let series = std::fs::read_to_string(whole.join("series.csv")).expect("series");
    assert!(series.lines().next().is_some_and(|l| l.contains("region.plate.bodies")), "{series}");
    for step in ["4000", "7000"] {
        let parts = dir.path().join(step);
        hopper(&parts, &["--stop-at-step", step]).code(75);
        breccia(&["resume", parts.to_str().expect("utf8")]).code(0);
        assert!(rest(&whole) == rest(&parts), "run and resume at step {step} differ");
    }
}

/// A kill leaves rows and frames beyond the checkpoint that is taken up: they come again as they were.
#[test]
fn a_restart_from_any_checkpoint_changes_no_byte() {
    let dir = tempfile::tempdir().expect("tempdir");
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    // Checkpoints at every pause: at steps of rows as well as between them.
    let often = ["--set", "output.checkpoint_minutes=1e-9"];
    run(&whole, &often).code(0);
    let outputs = |d: &Path| contents(d).into_iter().filter(|f| !f.0.starts_with("checkpoint")).collect::<Vec<_>>();
    for stop_at in ["8877", "15537", "17001"] {
        run(&cut, &[&often[..], &["--stop-at-step", stop_at]].concat()).code(75);
        let mut checkpoints: Vec<_> =
            std::fs::read_dir(cut.join("checkpoint")).expect("dir").flatten().map(|e| e.path()).collect();
        checkpoints.sort();
        assert_eq!(checkpoints.len(), 2, "{checkpoints:?}");
        std::fs::remove_file(checkpoints.pop().expect("two")).expect("removed");
        breccia(&["resume", cut.to_str().expect("utf8")]).code(0);
        for (a, b) in outputs(&whole).iter().zip(&outputs(&cut)) {
            assert!(a == b, "resumed before step {stop_at}: {} differs", a.0.display());
        }
    }
}

#[test]
fn exit_codes_and_messages() {
    let dir = tempfile::tempdir().expect("tempdir");
    let out = dir.path().join("x");
    let out = out.to_str().expect("utf8");
    let text = |a: assert_cmd::assert::Assert| String::from_utf8_lossy(&a.get_output().stderr).into_owned();
    let message = text(breccia(&["run", "accretoin", "--out", out]).code(2));
    assert!(message.contains("did you mean `accretion`"), "{message}");
    breccia(&["frobnicate"]).code(2);
    let message = text(breccia(&["run", "bounce", "--gpu", "no such card", "--out", out]).code(3));
    assert!(message.contains("no adapter matches"), "{message}");
    breccia(&["resume", dir.path().join("nothing").to_str().expect("utf8")]).code(7);
    breccia(&["run", "bounce", "--out", out, "--overwrite"]).code(0);
    let message = text(breccia(&["run", "bounce", "--out", out]).code(2));
    assert!(message.contains("--overwrite"), "{message}");
    breccia(&["run", "bounce", "--out", out, "--overwrite", "--set", "expect.restitution_normal.value=0.9"]).code(1);
    // A far too fast impact for the stiffness: the guard stops it and names the body.
    let fast = ["--set", "run.time_step_s=0.0017", "--set", "guards.overlap_max=0.001"];
    let mut args = vec!["run", "bounce", "--out", out, "--overwrite"];
    args.extend(fast);
    let message = text(breccia(&args).code(6));
    assert!(message.contains("overlaps another") && message.contains("body 0"), "{message}");
    let check = |more: &[&str]| breccia(&[&["check", "bounce"][..], &fast, more].concat());
    assert!(text(check(&[]).code(6)).contains("overlaps another"));
    check(&["--no-time"]).code(0);
    breccia(&["check", "bounce"]).code(0);
    breccia(&["plan", "bounce"]).code(0);
    breccia(&["scenarios"]).code(0);
    breccia(&["scenarios", "--json"]).code(0);
}

/// Nothing of a GPU is touched, and `resume` finds the engine in the run directory.
#[test]
fn the_reference_engine_runs_and_resumes() {
    let dir = tempfile::tempdir().expect("tempdir");
    let (whole, parts) = (dir.path().join("whole"), dir.path().join("parts"));
    let run = |out: &Path, more: &[&str]| {
        let mut args = vec!["run", "oblique_impact", "--engine", "reference", "--out", out.to_str().expect("utf8")];
        args.extend(more);
        let mut command = Command::cargo_bin("breccia").expect("binary");
        // No driver at all
        command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null").args(args).assert()
    };
    run(&whole, &[]).code(0);
    run(&parts, &["--stop-at-step", "333"]).code(75);
    let stopped = breccia::record::files::recover::point(&parts, false).expect("checkpoint");
    assert_eq!(stopped.head.step, 333);
    breccia(&["resume", parts.to_str().expect("utf8")]).code(0);
    for file in ["series.csv", "resolved.json", "settings.json", "frames/000005/velocity.npy"] {
        let read = |dir: &Path| std::fs::read(dir.join(file)).expect(file);
        assert!(read(&whole) == read(&parts), "{file} differs");
    }
    let manifest = breccia::record::files::manifest::Manifest::read(&parts).expect("manifest");
    assert!(manifest.engine.contains("f64 reference") && manifest.status == RunStatus::Done, "{}", manifest.engine);
}

/// Nobody knows what a directory without a manifest holds, and nothing of it may mix with a new run.
#[test]
fn what_is_left_of_a_run_without_its_manifest_is_cleared() {
    let dir = tempfile::tempdir().expect("tempdir");
    let (out, fresh) = (dir.path().join("out"), dir.path().join("fresh"));
    let run = |out: &Path, more: &[&str]| {
        let start = ["run", "bounce", "--engine", "reference", "--out", out.to_str().expect("utf8")];
        breccia(&[&start[..], more].concat())
    };
    run(&out, &[]).code(0);
    std::fs::remove_file(out.join("manifest.json")).expect("removed");
    std::fs::create_dir(out.join("pictures")).expect("folder");
    std::fs::write(out.join("pictures/000005.png"), "of the run before").expect("written");
    let few = ["--set", "output.frames=2"];
    let refused = run(&out, &few).code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("of a run without its manifest") && message.contains("--overwrite"), "{message}");
    run(&out, &[&few[..], &["--overwrite"]].concat()).code(0);
    run(&fresh, &few).code(0);
    let names = |dir: &Path| contents(dir).into_iter().map(|f| f.0).collect::<Vec<_>>();
    assert_eq!(names(&out), names(&fresh));
}

/// Files of the user under the names of a run's own: nothing takes them away, and no run begins beside them that a later
/// `--overwrite` would remove them with.
#[test]
fn what_no_run_has_made_is_not_removed() {
    let dir = tempfile::tempdir().expect("tempdir");
    for part in [
        "frames/holiday.jpg",
        "pictures/a.jpg",
        "plots/a.csv",
        "analysis/notes.txt",
        "series.csv",
        "scenario.toml",
        "lock",
    ] {
        let out = dir.path().join(part.replace(['/', '.'], "_"));
        let file = out.join(part);
        std::fs::create_dir_all(file.parent().expect("folder")).expect("made");
        std::fs::write(&file, "mine").expect("written");
        // a manifest, but of something else
        std::fs::write(out.join("manifest.json"), "{\"name\": \"album\"}").expect("written");
        for manifest in [true, false] {
            if !manifest {
                std::fs::remove_file(out.join("manifest.json")).expect("removed");
            }
            for more in [&[][..], &["--overwrite"]] {
                let start = ["run", "bounce", "--engine", "reference", "--out", out.to_str().expect("utf8")];
                let refused = breccia(&[&start[..], more].concat()).code(2);
                let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
                let name = out.file_name().expect("name").to_str().expect("utf8");
                for part in [name, "which no run has left there", "choose another --out"] {
                    assert!(message.contains(part), "{message}");
                }
            }
        }
        assert_eq!(std::fs::read(&file).expect("there"), b"mine");
        assert_eq!(std::fs::read_dir(&out).expect("folder").count(), 1, "something was left in {}", out.display());
    }
}

#[test]
fn engines_are_named_or_refused() {
    let dir = tempfile::tempdir().expect("tempdir");
    let out = dir.path().join("x");
    let out = out.to_str().expect("utf8");
    let text = |a: assert_cmd::assert::Assert| String::from_utf8_lossy(&a.get_output().stderr).into_owned();
    let message = text(breccia(&["run", "bounce", "--out", out, "--engine", "cpu"]).code(2));
    assert!(message.contains("gpu") && message.contains("reference"), "{message}");
    let message = text(breccia(&["run", "bounce", "--out", out, "--engine"]).code(2));
    assert!(message.contains("--engine"), "{message}");
    let message = text(breccia(&["run", "bounce", "--out", out, "--engine", "reference", "--gpu", "0"]).code(2));
    assert!(message.contains("uses no GPU"), "{message}");
    assert!(!Path::new(out).exists(), "a refused run leaves nothing");
    breccia(&["run", "bounce", "--out", out, "--engine", "reference", "--stop-at-step", "5"]).code(75);
    let message = text(breccia(&["resume", out, "--gpu", "0"]).code(2));
    assert!(message.contains("uses no GPU"), "{message}");
    // A run of a version that knew no other engine, and a settings file from elsewhere
    let settings = Path::new(out).join("settings.json");
    let whole = std::fs::read_to_string(&settings).expect("settings");
    let mut value: serde_json::Value = serde_json::from_str(&whole).expect("json");
    value.as_object_mut().expect("object").remove("engine");
    std::fs::write(&settings, value.to_string()).expect("write");
    let message = text(breccia(&["resume", out]).code(7));
    assert!(message.contains("another engine"), "{message}");
    std::fs::write(&settings, whole.replace("reference", "abacus")).expect("write");
    let message = text(breccia(&["resume", out]).code(7));
    assert!(message.contains("settings.json") && message.contains("abacus"), "{message}");
}
