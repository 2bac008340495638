//! What a run leaves when it is cut off: by a power cut, a full disk, signals. It goes on to the same bytes, or
//! it is refused with a command that repairs it.
#![cfg(target_os = "linux")]

use crate::disk;
use breccia::record::files::status::RunStatus;

use disk::{Cut, Deed, Dice, Disk, deeds, library};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Two spheres from a file that bounce: milliseconds on the reference engine, with a checkpoint at every pause.
const BOUNCE: &str = r#"format = 1
name = "bounce"
[run]
duration_s = 1.0
[[material]]
name = "rock"
density_kg_m3 = 3350.0
speed_max_m_s = 0.02
restitution_normal = 0.55
friction_sliding = 0.4
[[bodies]]
generator = "file"
path = "two.csv"
[output]
frames = 5
series_rows = 20
contacts = true
checkpoint_minutes = 1e-9
"#;
const TWO: &str = "x,y,z,radius,vx,vy,vz\n0,0,0,0.1,0,0,0\n0.2005,0,0,0.1,-0.02,0,0\n";

/// A folder with the scenario and what it names.
pub(super) fn study() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("bounce.toml"), BOUNCE).expect("written");
    std::fs::write(folder.path().join("two.csv"), TWO).expect("written");
    folder
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breccia"));
    command.env("LP_NUM_THREADS", "0").args(arguments).stdin(Stdio::null());
    command
}

pub(super) fn output(arguments: &[&str]) -> Output {
    command(arguments).output().expect("started")
}

pub(super) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("utf8")
}

/// How a run is started: its scenario and engine.
#[derive(Clone)]
pub(super) struct Case {
    scenario: String,
    more: Vec<String>,
}

impl Case {
    pub(super) fn bounce(study: &Path) -> Case {
        Case { scenario: text(&study.join("bounce.toml")).into(), more: vec!["--engine".into(), "reference".into()] }
    }

    /// On the device, with friction and self-gravity: some seconds of software rendering.
    fn pile() -> Case {
        let set = [
            "run.duration_s=600",
            "bodies.0.count=64",
            "output.frames=4",
            "output.series_rows=20",
            "output.checkpoint_minutes=0.001",
        ];
        Case {
            scenario: "accretion_small".into(),
            more: set.iter().flat_map(|s| ["--set".to_owned(), (*s).into()]).collect(),
        }
    }

    pub(super) fn arguments<'a>(&'a self, out: &'a Path) -> Vec<&'a str> {
        let more = self.more.iter().map(String::as_str);
        ["run", &self.scenario, "--overwrite", "--out", text(out)].into_iter().chain(more).collect()
    }

    /// The outputs of a run that nobody disturbs.
    pub(super) fn whole(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let out = folder.join("whole");
        let output = output(&self.arguments(&out));
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", said(&output));
        outputs(&out)
    }
}

/// What users read of a run, with its bytes.
fn outputs(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut stack) = (BTreeMap::new(), vec![run.to_owned()]);
    while let Some(folder) = stack.pop() {
        for entry in std::fs::read_dir(&folder).expect("folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            // checkpoints and sessions depend on the clock, settings and inputs.json name folders
            if ["checkpoint", "lock", "settings.json", "inputs.json", "sessions.json"].iter().any(|n| name == *n) {
                continue;
            }
            if path.is_dir() {
                stack.push(path);
            } else {
                found.insert(path.strip_prefix(run).expect("below").to_owned(), std::fs::read(&path).expect("file"));
            }
        }
    }
    found
}

pub(super) fn same(expected: &BTreeMap<PathBuf, Vec<u8>>, run: &Path, what: &str) {
    let found = outputs(run);
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{what}");
    found.iter().for_each(|(name, bytes)| assert!(*bytes == expected[name], "{what}: {} differs", name.display()));
}

/// How runs that were cut off came to the same end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) resumed: usize,
    /// refused, and repaired by the one command that the refusal names
    pub(super) restarted: usize,
    /// cut before there was a run
    pub(super) begun_again: usize,
}

impl Counts {
    /// Brings a run to its end, whatever was left of it.
    pub(super) fn end(&mut self, case: &Case, run: &Path, what: &str) {
        let resumed = output(&["resume", text(run)]);
        let words = said(&resumed);
        if matches!(resumed.status.code(), Some(0 | 1)) {
            self.resumed += 1;
            return;
        }
        let code = resumed.status.code();
        assert!(matches!(code, Some(2 | 7)), "{what}: {code:?} {words}");
        if words.contains(&format!("`breccia resume {} --restart`", run.display())) {
            let restarted = output(&["resume", text(run), "--restart"]);
            assert!(matches!(restarted.status.code(), Some(0 | 1)), "{what}: {words}{}", said(&restarted));
            self.restarted += 1;
            return;
        }
        assert!(!run.join("checkpoint").exists(), "{what}: a run with a checkpoint is refused: {words}");
        let again = output(&case.arguments(run));
        assert!(matches!(again.status.code(), Some(0 | 1)), "{what}: {words}{}", said(&again));
        self.begun_again += 1;
    }
}

/// A run with its journal, and after how many deeds its first checkpoint is on the disk.
fn journaled(case: &Case, folder: &Path) -> (Disk, Vec<Deed>, usize) {
    let (root, journal) = (folder.join("root"), folder.join("journal"));
    std::fs::create_dir_all(&root).expect("folder");
    let empty = Disk::of(&root);
    let out = root.join("run");
    let mut run = command(&case.arguments(&out));
    run.env("LD_PRELOAD", library(folder)).env("JOURNAL_ROOT", &root).env("JOURNAL_LOG", &journal);
    let done = run.output().expect("started");
    assert!(matches!(done.status.code(), Some(0 | 1)), "{}", said(&done));
    let list = deeds(&journal);
    let synced = |d: &Deed| matches!(d, Deed::SyncFolder { path } if path.ends_with("checkpoint"));
    let first = list.iter().position(synced).expect("a checkpoint is synced") + 1;
    (empty, list, first)
}

/// Cuts the power at random moments and brings what is left to its end.
fn power_cuts(case: &Case, moments: usize, seed: u64) -> Counts {
    let folder = tempfile::tempdir().expect("folder");
    let whole = case.whole(folder.path());
    let (empty, list, first) = journaled(case, folder.path());
    // each file is made, written and given its name; how many checkpoints there are is up to the clock
    let least = 3 * whole.len();
    assert!(list.len() > least, "{} deeds, more than {least} expected: the journal misses some", list.len());
    let (mut dice, mut counts) = (Dice::new(seed), Counts::default());
    for k in 0..moments {
        let moment = dice.below(list.len() + 1);
        let cut = if k % 2 == 0 { Cut::Strict } else { Cut::Random };
        let what = format!("cut {k}, {cut:?}, after {moment} of {} deeds, checkpoint at {first}", list.len());
        let mut disk = empty.clone();
        list[..moment].iter().for_each(|deed| disk.follow(deed));
        let left = folder.path().join("left");
        disk.cut(cut, &mut dice, &left);
        let before = counts.resumed;
        counts.end(case, &left.join("run"), &what);
        assert!(moment < first || counts.resumed > before, "{what}: what the checkpoint counts on is not on the disk");
        same(&whole, &left.join("run"), &what);
        std::fs::remove_dir_all(&left).expect("removed");
    }
    counts
}

#[test]
fn after_a_power_cut_a_run_goes_on_to_the_same_bytes() {
    let study = study();
    // 40: a dozen before the first checkpoint, and each kind of file on both sides of a cut
    let counts = power_cuts(&Case::bounce(study.path()), 40, 1);
    println!("{counts:?}");
    assert!(counts.resumed > 20, "{counts:?}");
}

#[test]
#[ignore = "500 runs, some minutes"]
fn after_hundreds_of_power_cuts_a_run_goes_on_to_the_same_bytes() {
    let study = study();
    println!("reference: {:?}", power_cuts(&Case::bounce(study.path()), 400, 2));
    println!("device: {:?}", power_cuts(&Case::pile(), 100, 3));
}

/// A resume must survive a power cut too: what is left of it can be resumed again.
#[test]
fn after_a_power_cut_of_a_resume_a_run_goes_on_to_the_same_bytes() {
    let study = study();
    let (case, folder) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let whole = case.whole(folder.path());
    let (empty, list, first) = journaled(&case, folder.path());
    let (mut dice, mut counts, library) = (Dice::new(4), Counts::default(), library(folder.path()));
    // 8 times 4: a resume leaves half as many files as a run
    for k in 0..8 {
        let mut disk = empty.clone();
        list[..first + dice.below(list.len() - first)].iter().for_each(|deed| disk.follow(deed));
        let (root, journal) = (folder.path().join(format!("root{k}")), folder.path().join(format!("journal{k}")));
        disk.cut(Cut::Random, &mut dice, &root);
        let before = Disk::of(&root);
        let mut resume = command(&["resume", text(&root.join("run"))]);
        resume.env("LD_PRELOAD", &library).env("JOURNAL_ROOT", &root).env("JOURNAL_LOG", &journal);
        assert!(resume.output().expect("started").status.success());
        same(&whole, &root.join("run"), "resumed under the journal");
        let again = deeds(&journal);
        for _ in 0..4 {
            let (mut disk, moment) = (before.clone(), dice.below(again.len() + 1));
            again[..moment].iter().for_each(|deed| disk.follow(deed));
            let (left, what) = (folder.path().join("left"), format!("resume {k}, after {moment} of {}", again.len()));
            disk.cut(Cut::Random, &mut dice, &left);
            counts.end(&case, &left.join("run"), &what);
            same(&whole, &left.join("run"), &what);
            std::fs::remove_dir_all(&left).expect("removed");
        }
    }
    assert_eq!(counts, Counts { resumed: 32, ..Counts::default() });
}

fn temporary_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "tmp") {
            found.push(path);
        } else if path.is_dir() {
            found.extend(temporary_files(&path));
        }
    }
    found
}

#[test]
fn a_full_disk_stops_a_run_that_goes_on_when_there_is_room() {
    let study = study();
    let (case, folder) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let whole = case.whole(folder.path());
    let (library, mut counts, mut stopped) = (library(folder.path()), Counts::default(), 0);
    let needed: usize = whole.values().map(Vec::len).sum();
    for k in 0..16 {
        let (root, limit) = (folder.path().join(format!("root{k}")), (k + 1) * needed / 17);
        std::fs::create_dir_all(&root).expect("folder");
        let out = root.join("run");
        let mut run = command(&case.arguments(&out));
        run.env("LD_PRELOAD", &library).env("JOURNAL_ROOT", &root).env("JOURNAL_LIMIT", limit.to_string());
        let (ended, what) = (run.output().expect("started"), format!("{limit} of {needed} bytes"));
        assert_eq!(ended.status.code(), Some(7), "{what}: {}", said(&ended));
        assert!(said(&ended).contains("No space left"), "{what}: {}", said(&ended));
        assert_eq!(temporary_files(&root), Vec::<PathBuf>::new(), "{what}");
        let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap_or_default();
        if out.join("series.csv").exists() {
            assert!(manifest.contains("\"stopped\"") && manifest.contains("disk full"), "{what}: {manifest}");
            stopped += 1;
        }
        counts.end(&case, &out, &what);
        same(&whole, &out, &what);
    }
    println!("{counts:?}");
    assert!(stopped >= 8 && counts.resumed >= 8, "{stopped} stopped, {counts:?}");
}

/// A file that is to be replaced stays as it is until the new one is whole, and no part of that is left.
#[test]
fn a_full_disk_leaves_the_file_that_was_to_be_replaced() {
    let (study, folder) = (study(), tempfile::tempdir().expect("folder"));
    Case::bounce(study.path()).whole(folder.path());
    let (scenario, run) = (study.path().join("bounce.toml"), folder.path().join("whole"));
    let (library, root) = (library(folder.path()), folder.path().join("root"));
    std::fs::create_dir_all(&root).expect("folder");
    let [table, page, ball] = ["two.csv", "run.html", "ball.obj"].map(|name| root.join(name));
    [&table, &page, &ball].into_iter().for_each(|file| std::fs::write(file, "old").expect("written"));
    for words in [
        vec!["pack", text(&scenario), "--out", text(&table)],
        vec!["report", text(&run), "--out", text(&page)],
        vec!["mesh", "make", text(&ball), "kind=sphere", "faces=80", "radius_m=1"],
    ] {
        let mut replace = command(&[&words[..], &["--overwrite"]].concat());
        replace.env("LD_PRELOAD", &library).env("JOURNAL_ROOT", &root).env("JOURNAL_LIMIT", "20");
        let ended = replace.output().expect("started");
        assert_eq!(ended.status.code(), Some(7), "{words:?}: {}", said(&ended));
        assert!(said(&ended).contains("No space left"), "{words:?}: {}", said(&ended));
        let left = outputs(&root);
        assert!(left.len() == 3 && left.values().all(|bytes| bytes == b"old"), "{words:?}: {left:?}");
        assert_eq!(output(&[&words[..], &["--overwrite"]].concat()).status.code(), Some(0), "{words:?}: with room");
        let file = words.iter().find(|word| word.starts_with(text(&root))).expect("the file");
        assert!(std::fs::read(file).expect("file").len() > 20, "{words:?}");
        std::fs::write(file, "old").expect("written");
    }
}

/// On a file system, where the room of a removed file is room: a tmpfs, which only root may mount.
#[test]
fn a_full_file_system_is_told_in_the_manifest() {
    let study = study();
    let (case, mount) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let at = text(mount.path());
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=128k", "none", at]).stderr(Stdio::null()).status();
    if !mounted.is_ok_and(|s| s.success()) {
        println!("SKIPPED: a tmpfs cannot be mounted here");
        return;
    }
    let out = mount.path().join("run");
    let ended = output(&case.arguments(&out));
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap_or_default();
    let left = temporary_files(mount.path());
    let grown = Command::new("mount").args(["-o", "remount,size=64m", at]).status().is_ok_and(|s| s.success());
    let mut counts = Counts::default();
    if grown {
        counts.end(&case, &out, "tmpfs");
    }
    assert!(Command::new("umount").arg(at).status().expect("umount").success());
    assert_eq!(ended.status.code(), Some(7), "{}", said(&ended));
    assert!(manifest.contains("\"stopped\"") && manifest.contains("disk full"), "{manifest}");
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(counts.resumed, usize::from(grown));
}

/// A run of a minute on the reference engine, for signals.
fn long(study: &Path) -> Case {
    let mut case = Case::bounce(study);
    for set in ["run.time_step_s=1e-7", "run.duration_s=100", "output.checkpoint_minutes=10"] {
        case.more.extend(["--set".into(), set.into()]);
    }
    case
}

fn signalled(case: &Case, out: &Path, shell: &str) -> Option<i32> {
    let _ = std::fs::remove_dir_all(out); // of the run before, if there was one
    let mut child = command(&case.arguments(out)).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("started");
    while !out.join("series.csv").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let script = shell.replace("PID", &child.id().to_string());
    assert!(Command::new("sh").args(["-c", &script]).status().expect("sh").success());
    child.wait().expect("ended").code()
}

#[test]
fn signals_leave_75_and_a_checkpoint() {
    let (study, folder) = (study(), tempfile::tempdir().expect("folder"));
    let case = long(study.path());
    let out = folder.path().join("run");
    let twice = "kill -TERM PID; kill -TERM PID";
    for shell in
        ["kill -USR1 PID", "kill -TERM PID", "kill -INT PID", "kill -HUP PID", twice, "kill -INT PID; kill -INT PID"]
    {
        assert_eq!(signalled(&case, &out, shell), Some(75), "{shell}");
        let point = breccia::record::files::recover::point(&out, false).expect("a checkpoint");
        let manifest = breccia::record::files::manifest::Manifest::read(&out).expect("manifest");
        assert_eq!(manifest.status, RunStatus::Stopped, "{shell}");
        assert!(manifest.ended.contains(&point.head.step.to_string()), "{shell}: {}", manifest.ended);
    }
    // `timeout` signals the process and then its group: nine times, as the fault was seen once in nine
    for _ in 0..9 {
        let mut timeout = Command::new("timeout");
        let program = env!("CARGO_BIN_EXE_breccia");
        let ended = timeout.arg("--preserve-status").arg("1").arg(program).args(case.arguments(&out)).output();
        assert_eq!(ended.expect("timeout").status.code(), Some(75));
        breccia::record::files::recover::point(&out, false).expect("a checkpoint");
    }
}

/// Runs are killed at random moments, again and again until they end.
fn kills(case: &Case, moments: usize, seed: u64) {
    let folder = tempfile::tempdir().expect("folder");
    let begun = std::time::Instant::now();
    let (whole, out) = (case.whole(folder.path()), folder.path().join("killed"));
    let (took, mut dice) = (begun.elapsed(), Dice::new(seed));
    let (mut killed, mut ended, mut counts) = (0, 0, Counts::default());
    while killed < moments {
        let started = out.join("manifest.json").exists() && out.join("checkpoint").exists();
        let arguments = if started { vec!["resume", text(&out)] } else { case.arguments(&out) };
        let mut child = command(&arguments).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("started");
        std::thread::sleep(took * dice.below(1000) as u32 / 1000);
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("killed");
            killed += 1;
        }
        child.wait().expect("ended");
        // every third time to the end, so that runs are cut in their beginning and their end alike
        if killed % 3 == 0
            || breccia::record::files::manifest::Manifest::read(&out).is_ok_and(|m| m.status == RunStatus::Done)
        {
            counts.end(case, &out, &format!("after {killed} kills"));
            same(&whole, &out, &format!("after {killed} kills"));
            assert_eq!(temporary_files(&out), Vec::<PathBuf>::new());
            std::fs::remove_dir_all(&out).expect("removed");
            ended += 1;
        }
    }
    println!("{killed} kills, {ended} runs to the end, {counts:?}");
    assert!(ended * 4 >= moments, "{ended} of {moments}");
}

#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let study = study();
    kills(&Case::bounce(study.path()), 12, 5);
}

#[test]
#[ignore = "200 kills of runs of seconds on the device"]
fn runs_killed_200_times_go_on_to_the_same_bytes() {
    kills(&Case::pile(), 200, 6);
}

/// Two spheres that overlap more than is allowed when they meet, half a second after the start, and at once.
#[test]
fn a_guard_leaves_a_checkpoint_from_before_it() {
    let study = study();
    let (mut case, out) = (Case::bounce(study.path()), study.path().join("run"));
    case.more.extend(["--set".into(), "guards.overlap_max=0.001".into()]);
    let at_once = case.clone();
    // millions of steps before they meet: seconds; states are held ten times as often as checkpoints are written
    for set in ["run.time_step_s=1e-7", "output.checkpoint_minutes=0.02", "output.series_rows=1", "output.frames=1"] {
        case.more.extend(["--set".into(), set.into()]);
    }
    std::fs::write(study.path().join("two.csv"), TWO.replace("0.2005", "0.21")).expect("written");
    let ended = output(&case.arguments(&out));
    assert_eq!(ended.status.code(), Some(6), "{}", said(&ended));
    let point = breccia::record::files::recover::point(&out, false).expect("a checkpoint");
    assert!(point.head.step > 0, "only the checkpoint of the start is there");
    std::fs::write(study.path().join("two.csv"), TWO).expect("written");
    let first = study.path().join("first");
    assert_eq!(output(&at_once.arguments(&first)).status.code(), Some(6));
    assert!(
        breccia::record::files::recover::point(&first, false).is_ok(),
        "a run that diverges at once has a checkpoint"
    );
}

#[test]
fn a_low_address_space_is_refused_and_does_not_crash() {
    let folder = tempfile::tempdir().expect("folder");
    let script = "ulimit -v $0; exec \"$@\"";
    for mib in [240, 250, 360, 450, 1000] {
        let limit = (mib * 1024).to_string();
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, &limit, env!("CARGO_BIN_EXE_breccia"), "run", "bounce", "--out"])
            .arg(folder.path().join("x"));
        let ended = shell.output().expect("sh");
        assert_eq!(ended.status.code(), Some(5), "{mib} MiB: {:?} {}", ended.status, said(&ended));
        assert!(said(&ended).contains("address space"), "{}", said(&ended));
    }
}
