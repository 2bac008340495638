//! What clusters need: a script for Slurm that survives names and signals, cases that say why they failed, limits of wall time,
//! expectations that do not break job chains, names of cases. A Slurm of its own is in `.ci/slurm`.
#![cfg(unix)]

use crate::common::command::words;
use crate::sweep::{PILE, study};
use assert_cmd::Command;
use breccia::campaign::slurm::{Job, Place, script};
use breccia::record::files::status::RunStatus;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The second case is far too fast for its springs, the third one takes minutes.
const CAMPAIGN: &str = r#"format = 1
name = "study"
scenario = "bounce"
engine = "reference"
[[case]]
label = "short"
run.duration_s = 1
[[case]]
label = "fails"
bodies.0.body.1.velocity_m_s = [-9, 0, 0]
[[case]]
label = "long"
run.duration_s = 100
run.time_step_s = 1e-7
"#;

fn breccia_in(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("breccia").expect("binary").current_dir(folder).args(arguments).assert()
}

/// A campaign whose names are as bad as a file system allows.
fn named_badly() -> (tempfile::TempDir, &'static str) {
    let folder = study(PILE, "");
    let name = "it's a $(touch hacked) `study` #1.toml";
    std::fs::write(folder.path().join(name), CAMPAIGN).expect("written");
    (folder, name)
}

/// Paths with blanks and quotes are one word each, in the script and in what is said about it.
#[test]
fn paths_with_blanks_and_quotes_are_one_word() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::create_dir(folder.path().join("it's mine")).expect("made");
    let study = "format = 1\nscenario = \"bounce\"\nengine = \"reference\"\n[grid]\nseed = [1]\n";
    std::fs::write(folder.path().join("it's mine/$(a) \"b\".toml"), study).expect("written");
    let file = "it's mine/$(a) \"b\".toml";
    let told =
        words(&breccia_in(folder.path(), &["sweep", file, "--slurm", "it's mine/array.sh", "--out", "o o"]).code(0));
    assert!(told.contains("sbatch 'it'\\''s mine/array.sh'"), "{told}");
    let text = std::fs::read_to_string(folder.path().join("it's mine/array.sh")).expect("script");
    for part in ["/it'\\''s mine/$(a) \"b\".toml'", "/o o'", "/it'\\''s mine/array.sh'"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let stopped = ["run", "bounce", "--engine", "reference", "--stop-at-step", "5", "--out", "a b"];
    assert!(words(&breccia_in(folder.path(), &stopped).code(75)).contains("breccia resume 'a b'"));
    let limit = |time: &str| words(&breccia_in(folder.path(), &["run", "bounce", "--max-walltime", time]).code(2));
    for time in ["0", "-5", "soon"] {
        assert!(
            limit(time).contains("write a time above 0 s, up to 30 years: seconds, a number with one of the units")
        );
    }
}

#[test]
fn the_script_asks_slurm_for_nothing_that_was_not_asked_for() {
    let (folder, name) = named_badly();
    breccia_in(folder.path(), &["sweep", name, "--slurm", "plain.sh"]).code(0);
    let lines = |file: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder.path().join(file)).expect("script");
        text.lines().filter_map(|l| l.strip_prefix("#SBATCH ")).map(str::to_owned).collect()
    };
    let plain =
        ["--job-name=study", "--array=0-2", "--ntasks=1", "--signal=B:USR1@120", "--requeue", "--open-mode=append"];
    assert_eq!(lines("plain.sh"), plain);
    let asked = [
        "--slurm-time=1-12:00:00",
        "--slurm-partition=gpu",
        "--slurm-account=dust",
        "--slurm-gres=gpu:a100:1",
        "--slurm-cpus=4",
        "--slurm-memory=8G",
        "--slurm-limit=2",
        "--slurm-no-requeue",
        "--slurm-option=--qos=long",
    ];
    breccia_in(folder.path(), &[&["sweep", name, "--slurm", "full.sh"], &asked[..]].concat()).code(0);
    let full = lines("full.sh");
    for line in [
        "--array=0-2%2",
        "--time=1-12:00:00",
        "--partition=gpu",
        "--account=dust",
        "--gres=gpu:a100:1",
        "--cpus-per-task=4",
        "--mem=8G",
        "--no-requeue",
        "--qos=long",
    ] {
        assert!(full.iter().any(|l| l == line), "no {line} in {full:?}");
    }
    assert!(!std::fs::read_to_string(folder.path().join("full.sh")).expect("script").contains("scontrol"));
    breccia_in(folder.path(), &["sweep", name, "--slurm", "gpus.sh", "--slurm-gpus", "1"]).code(0);
    assert!(lines("gpus.sh").contains(&"--gres=gpu:1".to_owned()));
    let refused =
        |more: &[&str], code: i32| words(&breccia_in(folder.path(), &[&["sweep", name], more].concat()).code(code));
    assert!(refused(&["--slurm-time", "1:00:00"], 2).contains("--slurm <FILE>"), "without --slurm it means nothing");
    for time in ["abc", "1:00:", "1-", "1:2:3:4", "", "12 h"] {
        let text = refused(&["--slurm", "array.sh", "--slurm-time", time], 2);
        assert!(text.contains("give minutes, HH:MM:SS or DAYS-HH:MM:SS"), "{time}: {text}");
    }
    for bad in [
        "--slurm-partition=a b",
        "--slurm-partition=a\nb",
        "--slurm-account=",
        "--slurm-memory=$(x)",
        "--slurm-option=qos",
    ] {
        assert!(refused(&["--slurm", "bad.sh", bad], 2).contains("sbatch"), "{bad}");
    }
    assert!(!folder.path().join("bad.sh").exists());
    let also = ["--slurm", "also.sh", "--retry", "--max-walltime", "1.5 h"];
    assert!(!words(&breccia_in(folder.path(), &[&["sweep", name], &also[..]].concat()).code(0)).contains("no GPU"));
    let text = std::fs::read_to_string(folder.path().join("also.sh")).expect("script");
    assert!(text.contains("--retry --max-walltime 5400 --case"), "{text}");
    assert!(refused(&["--slurm", "jobs.sh", "--jobs", "2"], 2).contains("cannot be used with"));
    let told =
        words(&breccia_in(folder.path(), &["sweep", "azema_2018_aggregates_small", "--slurm", "on_gpu.sh"]).code(0));
    assert!(told.contains("asks Slurm for no GPU") && told.contains("sbatch on_gpu.sh"), "{told}");
}

#[test]
fn an_array_has_no_more_jobs_than_slurm_takes() {
    let campaign = crate::campaigns::read(&format!(
        "format = 1\nscenario = \"bounce\"\n[grid]\nseed = {:?}\n",
        (0..2345).collect::<Vec<_>>()
    ));
    let place = Place {
        program: "/opt/b".into(),
        folder: "/data".into(),
        campaign: "/data/c.toml".into(),
        out: "/data/o".into(),
        file: "/data/a.sh".into(),
    };
    let text = script(&campaign, &Job::default(), &place, &[]).expect("script");
    for line in [
        "#SBATCH --array=0-999\n",
        "BRECCIA_FIRST=1000 --array=0-999 /data/a.sh\n",
        "BRECCIA_FIRST=2000 --array=0-344 /data/a.sh\n",
    ] {
        assert!(text.contains(line), "no {line} in {text}");
    }
    for line in [
        "#   sbatch /data/a.sh --retry  # cases 0 to 999\n",
        "BRECCIA_FIRST=2000 --array=0-344 /data/a.sh --retry  # cases 2000 to 2344\n",
    ] {
        assert!(text.contains(line), "no {line} in {text}");
    }
    let control = Place { out: "/data/a\nb".into(), ..place };
    let told = script(&campaign, &Job::default(), &control, &[]).expect_err("refused").to_string();
    assert!(told.contains("control character"), "{told}");
}

/// The script as Slurm runs it: from another folder, with the number of a task, and with its signals.
#[test]
fn the_script_runs_cases_and_queues_only_what_ran_out_of_time() {
    let (folder, name) = named_badly();
    let at = folder.path();
    breccia_in(at, &["sweep", name, "--out", "my runs", "--slurm", "my array.sh"]).code(0);
    let (bin, elsewhere) = (at.join("bin"), at.join("elsewhere"));
    [&bin, &elsewhere].iter().for_each(|f| std::fs::create_dir(f).expect("folder"));
    let scontrol = bin.join("scontrol");
    std::fs::write(&scontrol, format!("#!/bin/sh\necho \"$@\" >> '{}'/requeued\n", at.display())).expect("written");
    std::fs::set_permissions(&scontrol, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let task = |number: &str, more: &[&str]| {
        let mut command = std::process::Command::new("sh");
        command.arg(at.join("my array.sh")).args(more).current_dir(&elsewhere).env("PATH", &path);
        command.env("SLURM_ARRAY_TASK_ID", number).env("SLURM_ARRAY_JOB_ID", "77");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sh")
    };
    let said = |child: std::process::Child| {
        let output = child.wait_with_output().expect("ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let (code, text) = said(task("0", &[]));
    assert_eq!((code, text.contains("000_short: done")), (Some(0), true), "{text}");
    for more in [&[][..], &["--retry"]] {
        let (code, text) = said(task("1", more));
        assert_eq!(code, Some(6), "{text}");
        assert_eq!(text.contains("001_fails: goes on"), !more.is_empty(), "{text}");
        assert!(text.contains("001_fails: failed, exit code 6: step") && text.contains("--case 1 --retry"), "{text}");
    }
    let long = at.join("my runs/cases/002_long");
    for (signal, requeued) in [("TERM", false), ("USR1", true)] {
        let child = task("2", &[]);
        let begun = Instant::now();
        let log = at.join("my runs/logs/002_long.log");
        let waits = |text: &str| text.matches("device chosen").count() + text.matches("bodies: ").count();
        let before = std::fs::read_to_string(&log).unwrap_or_default();
        while waits(&std::fs::read_to_string(&log).unwrap_or_default()) == waits(&before) {
            assert!(begun.elapsed() < Duration::from_secs(120), "the case does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &pid]).status().expect("kill").success());
        let (code, text) = said(child);
        assert_eq!(code, Some(75), "{signal}: {text}");
        assert_eq!(at.join("requeued").exists(), requeued, "{signal}");
        let manifest = breccia::record::files::manifest::Manifest::read(&long).expect("manifest");
        assert_eq!(manifest.status, RunStatus::Stopped, "{signal}");
    }
    let requeued = || std::fs::read_to_string(at.join("requeued")).expect("called");
    assert_eq!(requeued(), "requeue 77_2\n");
    // the script's own limit of wall time, which no signal tells
    let (code, text) = said(task("2", &["--max-walltime", "3 s"]));
    assert_eq!((code, requeued().as_str()), (Some(75), "requeue 77_2\nrequeue 77_2\n"), "{text}");
    assert!(!at.join("hacked").exists() && !elsewhere.join("hacked").exists(), "a name was run as a command");
}

#[test]
fn a_failed_case_says_why_and_what_to_type() {
    let folder = study(PILE, CAMPAIGN);
    let case =
        |more: &[&str]| breccia_in(folder.path(), &[&["sweep", "study.toml", "--case", "1"], more].concat()).code(6);
    let first = words(&case(&[]));
    let again = words(&case(&[]));
    assert!(first.contains("begins") && !again.contains("begins") && !again.contains("goes on"), "{first}{again}");
    for text in [first, again] {
        for word in ["001_fails: failed, exit code 6: step", "lower run.time_step_s", "logs/001_fails.log"] {
            assert!(text.contains(word), "no {word} in {text}");
        }
        let typed = "breccia sweep study.toml --out runs/study --case 1 --retry";
        assert!(text.contains(typed), "{text}");
    }
    assert!(words(&case(&["--retry"])).contains("001_fails: goes on"));
    let told: Value = serde_json::from_slice(&case(&["--json"]).get_output().stdout).expect("json");
    assert_eq!((told["exit_code"].as_i64(), told["status"].as_str()), (Some(6), Some("failed")), "{told}");
    assert!(told["log"].as_str().is_some_and(|l| l.ends_with("001_fails.log")), "{told}");
    assert!(
        words(&breccia_in(folder.path(), &["sweep", "study.toml", "--case", "0"]).code(0)).contains("000_short: done")
    );
}

#[test]
fn a_limit_of_wall_time_leaves_a_checkpoint_and_75() {
    let folder = study(PILE, CAMPAIGN);
    let long =
        ["run", "bounce", "--engine", "reference", "--set", "run.time_step_s=1e-7", "--set", "run.duration_s=100"];
    // Six seconds, since a run takes one or two to begin on a busy machine.
    let limited = ["--out", "run", "--max-walltime", "6 s"];
    let begun = Instant::now();
    let text = words(&breccia_in(folder.path(), &[&long[..], &limited].concat()).code(75));
    assert!(begun.elapsed() >= Duration::from_secs(6));
    assert!(
        text.contains("WARNING") && text.contains("until --max-walltime; it will stop with a checkpoint"),
        "{text}"
    );
    let first =
        breccia::record::files::recover::point(&folder.path().join("run"), false).expect("a checkpoint").head.step;
    assert!(first > 0);
    let text = words(&breccia_in(folder.path(), &["resume", "run", "--max-walltime", "00:00:06"]).code(75));
    assert!(text.contains(&format!("at step {first}")), "{text}");
    assert!(
        breccia::record::files::recover::point(&folder.path().join("run"), false).expect("a checkpoint").head.step
            > first
    );
    let end = breccia_in(folder.path(), &["sweep", "study.toml", "--max-walltime", "0.1 min"]).code(75);
    assert!(words(&end).contains(" left\n") && !words(&end).contains(" 0 left\n"), "{}", words(&end));
    let soon = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("clock").as_secs() + 60;
    let mut in_job = Command::cargo_bin("breccia").expect("binary");
    in_job.current_dir(folder.path()).args(long).args(["--out", "job", "--max-walltime", "6"]);
    let text = words(&in_job.env("SLURM_JOB_END_TIME", soon.to_string()).assert().code(75));
    assert!(text.contains("until --max-walltime"), "the message names the limit that comes first: {text}");
    let text = words(&breccia_in(folder.path(), &["run", "bounce", "--max-walltime", "soon"]).code(2));
    assert!(text.contains("HH:MM:SS"), "{text}");
}

#[test]
fn missed_expectations_of_a_changed_scenario_warn() {
    let folder = tempfile::tempdir().expect("folder");
    let run = |more: &[&str], code: i32| {
        let usual = ["run", "bounce", "--engine", "reference", "--out", "run", "--overwrite"];
        words(&breccia_in(folder.path(), &[&usual[..], more].concat()).code(code))
    };
    let other = ["--set", "material.rock.restitution_normal=0.9"];
    let text = run(&other, 0);
    assert!(
        text.contains("MISS restitution_normal") && text.contains("without --set; --expect fail ends with 1"),
        "{text}"
    );
    assert!(run(&[&other[..], &["--expect", "fail"]].concat(), 1).contains("MISS restitution_normal"));
    assert!(!run(&[&other[..], &["--expect", "off"]].concat(), 0).contains("MISS"));
    run(&["--set", "expect.restitution_normal.value=0.9"], 1);
    let stopped = [&other[..], &["--stop-at-step", "10"]].concat();
    run(&stopped, 75);
    assert!(words(&breccia_in(folder.path(), &["resume", "run", "--expect", "fail"]).code(1)).contains("MISS"));
    let whole: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("run/quantities.json")).expect("quantities"))
            .expect("json");
    assert!(whole.to_string().contains("restitution_normal"));
}

/// A campaign of an earlier version, whose names had `=`, goes on where it was.
#[test]
fn cases_of_an_earlier_version_are_renamed_and_stay_done() {
    let campaign = CAMPAIGN
        .replace("label = \"short\"\n", "")
        .replace("label = \"fails\"\n", "")
        .replace("label = \"long\"\n", "");
    let folder = study(PILE, campaign.split("[[case]]\nrun.duration_s = 100").next().expect("two cases"));
    let out = folder.path().join("runs/study");
    breccia_in(folder.path(), &["sweep", "study.toml", "--keep", "kept.csv"]).code(1);
    let [new, old] = ["000_duration_s-1", "000_duration_s=1"];
    let text = |path: &Path| std::fs::read_to_string(path).expect("text");
    let (table, kept) = (text(&out.join("campaign.csv")), text(&folder.path().join("kept.csv")));
    assert!(table.contains(new) && !table.contains('='), "{table}");
    // as it was: names of directories, logs, identity and kept rows
    std::fs::rename(out.join("cases").join(new), out.join("cases").join(old)).expect("renamed");
    std::fs::rename(out.join(format!("logs/{new}.log")), out.join(format!("logs/{old}.log"))).expect("renamed");
    let identity: Value = serde_json::from_str(&text(&out.join("campaign.json"))).expect("json");
    let mut former = identity.clone();
    former["cases"][0][0] = old.into();
    former["fingerprint"] = "of another version".into();
    std::fs::write(out.join("campaign.json"), former.to_string()).expect("written");
    let list = words(&breccia_in(folder.path(), &["sweep", "study.toml", "--list"]).code(0));
    assert!(
        list.contains(&format!("done     {new}")) && list.contains("renamed 1, the first from 000_duration_s=1"),
        "{list}"
    );
    assert!(out.join("cases").join(new).exists() && !out.join("cases").join(old).exists());
    assert!(out.join(format!("logs/{new}.log")).exists());
    assert_eq!(serde_json::from_str::<Value>(&text(&out.join("campaign.json"))).expect("json"), identity);
    let again = words(&breccia_in(folder.path(), &["sweep", "study.toml", "--table"]).code(1));
    assert!(!again.contains("renamed") && text(&out.join("campaign.csv")) == table, "{again}");
    std::fs::remove_dir_all(folder.path().join("runs")).expect("removed");
    std::fs::write(folder.path().join("kept.csv"), kept.replace(new, old)).expect("written");
    let text = words(&breccia_in(folder.path(), &["sweep", "study.toml", "--keep", "kept.csv"]).code(1));
    assert!(text.contains("1 kept, 1 failed"), "{text}");
}

/// Tasks of an array that begin together in a directory that is not there yet: one makes it, none waits for the long one.
#[test]
fn tasks_that_begin_together_share_a_new_directory() {
    let folder = study(PILE, CAMPAIGN);
    for round in 0..5 {
        let start = |case: &str| {
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
            command.current_dir(folder.path()).args(["sweep", "study.toml", "--case", case, "--max-walltime", "7"]);
            command.args(["--out", &format!("round{round}")]).stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().expect("starts")
        };
        let tasks: Vec<_> = [("2", 75), ("0", 0), ("1", 6)].into_iter().map(|(c, code)| (start(c), code)).collect();
        for (task, code) in tasks {
            let output = task.wait_with_output().expect("ends");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "round {round}: {text}");
        }
    }
}

/// Names of all cases of all built-in campaigns are words for shells, make and workflow programs.
#[test]
fn names_of_cases_are_plain_words() {
    for (name, _) in breccia::scenario::bundled::built_in_campaigns() {
        for case in breccia::campaign::load(&name).expect("loads").cases {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
            assert!(case.name.chars().all(plain), "{name}: {}", case.name);
        }
    }
}
