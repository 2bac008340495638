//! Campaigns that do not run through at once: killed, stopped by a signal, with cases that fail, case by case, from kept rows.
//! The table repeats byte for byte however often a campaign is cut off.

use super::sweep::{CAMPAIGN, PILE, contents, study, sweep, table};
use crate::common::command::words;
use breccia::record::files::status::RunStatus;
use serde_json::Value;
use std::path::Path;

fn same(a: &Path, b: &Path) {
    let (a, b) = (contents(a), contents(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    a.iter().for_each(|(name, bytes)| assert!(*bytes == b[name], "{} differs", name.display()));
}

/// Killed with all its processes in the midst of each case, and once alone, so that its runs have to end by themselves.
#[cfg(unix)]
#[test]
fn a_campaign_that_was_killed_ends_with_the_same_bytes() {
    use std::os::unix::process::CommandExt;
    use std::time::Duration;
    let folder = study(PILE, CAMPAIGN);
    sweep(folder.path(), &["--out", "whole"]).code(0);
    let cut = folder.path().join("cut");
    let has_checkpoint = |case: usize| {
        let cases = std::fs::read_dir(cut.join("cases")).into_iter().flatten().flatten();
        let name = format!("{case:03}_");
        let mut of_case = cases.filter(|c| c.file_name().to_string_lossy().starts_with(&name));
        of_case.any(|c| std::fs::read_dir(c.path().join("checkpoint")).is_ok_and(|d| d.count() > 0))
    };
    let mut told = String::new();
    for (case, wait_ms) in [37, 141, 3, 88].into_iter().enumerate() {
        let said = folder.path().join("said");
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
        command.current_dir(folder.path()).args(["sweep", "study.toml", "--out", "cut", "--jobs", "2"]);
        command
            .process_group(0)
            .stdout(std::process::Stdio::null())
            .stderr(std::fs::File::create(&said).expect("file"));
        let mut child = command.spawn().expect("starts");
        for _ in 0..12_000 {
            if has_checkpoint(case) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(wait_ms));
        assert!(child.try_wait().expect("status").is_none(), "it ended before it could be killed");
        let target = if case == 1 { child.id().to_string() } else { format!("-{}", child.id()) };
        let status = std::process::Command::new("kill").args(["-9", "--", &target]).status().expect("kill");
        assert!(status.success(), "{target}");
        child.wait().expect("ends");
        told += &std::fs::read_to_string(&said).expect("said");
    }
    told += &words(&sweep(folder.path(), &["--out", "cut"]).code(0));
    let again = told.matches("goes on").count();
    println!("{told}");
    assert!(again >= 3, "resumed {again} times");
    same(&folder.path().join("whole"), &cut);
}

/// The second case is far too fast for its springs.
const ONE_FAILS: &str = r#"format = 1
scenario = "bounce"
engine = "reference"
[grid]
bodies.0.body.1.velocity_m_s = [[-0.01, 0, 0], [-9, 0, 0], [-0.02, 0, 0]]
"#;

#[test]
fn a_failure_is_told_and_stops_nothing_else_unless_asked() {
    let folder = study(PILE, ONE_FAILS);
    let out = folder.path().join("runs/study");
    let text = words(&sweep(folder.path(), &[]).code(1));
    assert!(text.contains("cases: 2 done, 1 failed, 0 left") && text.contains("--retry"), "{text}");
    assert!(text.contains("failed 001_velocity_m_s--9_0_0: step") && text.contains("lower run.time_step_s"), "{text}");
    let statuses: Vec<String> = table(&out).iter().map(|r| r["status"].clone()).collect();
    assert_eq!(statuses, ["done", "failed", "done"]);
    let before = contents(&out);
    let again = words(&sweep(folder.path(), &[]).code(1));
    assert!(!again.contains("begins") && !again.contains("goes on"), "a failed case rests: {again}");
    assert!(words(&sweep(folder.path(), &["--retry"]).code(1)).contains("001_velocity_m_s--9_0_0: "));
    assert!(contents(&out) == before, "and fails again in the same way");
    let text = words(&sweep(folder.path(), &["--out", "other", "--stop-at-failure"]).code(1));
    assert!(text.contains("1 done, 1 failed, 1 left"), "{text}");
}

/// Nor is it taken for one that has not begun, which would begin again and remove what is there.
#[test]
fn a_case_whose_files_cannot_be_read_is_left_as_it_is() {
    let folder = study(PILE, ONE_FAILS);
    let out = folder.path().join("runs/study");
    sweep(folder.path(), &[]).code(1);
    let manifest = out.join("cases/000_velocity_m_s--0.01_0_0/manifest.json");
    let whole = std::fs::read(&manifest).expect("manifest");
    std::fs::write(&manifest, &whole[..whole.len() / 2]).expect("written");
    let before = contents(&out.join("cases"));
    let text = words(&sweep(folder.path(), &[]).code(1));
    assert!(text.contains("cases: 1 done, 2 failed, 0 left") && !text.contains("begins"), "{text}");
    assert!(text.contains("manifest.json: EOF while parsing") && text.contains("--retry"), "{text}");
    assert!(contents(&out.join("cases")) == before, "nothing is lost");
    std::fs::write(&manifest, whole).expect("written");
    assert!(words(&sweep(folder.path(), &[]).code(1)).contains("cases: 2 done, 1 failed, 0 left"));
}

/// One damaged file of one case is named, and the other cases have their rows, plots and expectations.
#[test]
fn a_damaged_file_of_a_case_stops_nothing_else() {
    let measured =
        "[analysis]\nparts = [\"aggregates\"]\n[[time_plot]]\nname = \"energy\"\ny = \"kinetic_translational_j\"\n";
    let folder = study(PILE, &(ONE_FAILS.replace("[-9, 0, 0], ", "") + measured));
    let out = folder.path().join("runs/study");
    sweep(folder.path(), &[]).code(0);
    let case = out.join("cases/000_velocity_m_s--0.01_0_0");
    let damaged = |file: &str, code: i32, parts: &[&str]| {
        let file = case.join(file);
        let whole = std::fs::read(&file).ok();
        std::fs::write(&file, "{").expect("written");
        for more in [&[][..], &["--table"]] {
            let text = words(&sweep(folder.path(), more).code(code));
            for part in parts {
                assert!(text.contains(part), "{}: {part} is not in: {text}", file.display());
            }
            assert_eq!(table(&out)[1]["status"], "done");
        }
        sweep(folder.path(), &["--list"]).code(0);
        match whole {
            Some(whole) => std::fs::write(&file, whole).expect("written"),
            None => std::fs::remove_file(&file).expect("removed"),
        }
    };
    damaged("quantities.json", 1, &["failed 000_", "quantities.json", "--retry", "1 done, 1 failed, 0 left"]);
    let last = std::fs::read_dir(case.join("frames")).expect("frames").count() - 1;
    damaged(&format!("analysis/{last:06}/aggregates.json"), 0, &["cases: 2 done, 0 failed, 0 left"]);
    damaged("timing.json", 0, &["cases: 2 done"]);
    damaged("series.csv", 0, &["series.csv: has 0 rows, but the checkpoint counts"]);
    std::fs::remove_dir_all(case.join("analysis")).expect("removed");
    damaged(
        "frames/000002/time.json",
        1,
        &["not measured 000_", "time.json", "2 done, 0 failed, 0 left; 1 not measured"],
    );
    sweep(folder.path(), &["--retry"]).code(0);
    assert!(table(&out).iter().all(|row| row["error"].is_empty()));
}

/// Who mends the scenario of a case that failed has it run again, and is told how.
#[test]
fn a_failed_case_runs_again_after_it_was_mended() {
    let folder = study(PILE, ONE_FAILS);
    sweep(folder.path(), &[]).code(1);
    std::fs::write(folder.path().join("study.toml"), ONE_FAILS.replace("-9, 0, 0", "-0.03, 0, 0")).expect("written");
    let text = words(&sweep(folder.path(), &[]).code(2));
    assert!(text.contains("that case failed, and with --retry it runs from its start"), "{text}");
    let text = words(&sweep(folder.path(), &["--retry"]).code(0));
    assert!(text.matches(": begins").count() == 1 && text.contains("cases: 3 done, 0 failed, 0 left"), "{text}");
    // the same name, another scenario
    let wild = ONE_FAILS.replace("[grid]", "[set]\nguards.overlap_max = 0.0001\n[grid]");
    std::fs::write(folder.path().join("study.toml"), &wild).expect("written");
    sweep(folder.path(), &["--out", "b"]).code(1);
    std::fs::write(folder.path().join("study.toml"), wild.replace("0.0001", "0.5")).expect("written");
    assert!(words(&sweep(folder.path(), &["--out", "b"]).code(2)).contains("with --retry it runs from its start"));
    assert!(words(&sweep(folder.path(), &["--out", "b", "--case", "0", "--retry"]).code(0)).contains("000_velocity"));
}

/// Plots of an earlier table go, those of the user stay, and no table is kept where the campaign writes its own files.
#[test]
fn the_folder_of_a_campaign_shows_its_table_of_today() {
    let plot = |name: &str, more: &str| {
        format!("[[plot]]\nname = \"{name}\"\nx = \"velocity_m_s\"\ny = \"restitution_normal\"\n{more}")
    };
    let text = ONE_FAILS.replace("[-9, 0, 0], ", "").replace("format = 1", "format = 1\nname = \"study\"");
    let folder = study(PILE, &(text.clone() + &plot("a", "") + &plot("b", "")));
    let with =
        |plots: &str| std::fs::write(folder.path().join("study.toml"), format!("{text}{plots}")).expect("written");
    let plots = folder.path().join("runs/study/plots");
    for file in ["runs/study/campaign.csv", "runs/./study/plots/kept.csv", "runs/study/cases/kept.csv"] {
        let refused = words(&sweep(folder.path(), &["--keep", file]).code(2));
        assert!(refused.contains(file) && refused.contains("the campaign writes its own"), "{refused}");
    }
    assert!(!folder.path().join("runs").exists(), "a refused campaign leaves nothing");
    sweep(folder.path(), &[]).code(0);
    let there = |names: &[&str]| {
        let mut found: Vec<String> = std::fs::read_dir(&plots)
            .expect("plots")
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        found.sort();
        assert_eq!(found, names);
    };
    there(&["a.json", "a.svg", "b.json", "b.svg"]);
    std::fs::write(plots.join("mine.json"), "{\"panels\": 3}").expect("written");
    std::fs::write(plots.join("mine.svg"), "<svg/>").expect("written");
    with(&plot("a", ""));
    sweep(folder.path(), &["--table"]).code(0);
    there(&["a.json", "a.svg", "mine.json", "mine.svg"]);
    // no case is in it any more
    with(&plot("a", "only = [{ column = \"restitution_normal\", above = 9 }]\n"));
    sweep(folder.path(), &["--table"]).code(1);
    there(&["mine.json", "mine.svg"]);
    assert!(words(&sweep(folder.path(), &["--keep", "runs/kept.csv"]).code(1)).contains("2 done"));
}

#[test]
fn cases_one_by_one_and_what_belongs_together() {
    let folder = study(PILE, ONE_FAILS);
    let run = |more: &[&str]| words(&sweep(folder.path(), more));
    sweep(folder.path(), &["--case", "2"]).code(0);
    sweep(folder.path(), &["--case", "1"]).code(6);
    assert!(words(&sweep(folder.path(), &["--case", "3"]).code(2)).contains("has 0 to 2"));
    assert!(!folder.path().join("runs/study/campaign.csv").exists(), "cases of an array leave the table alone");
    let list: Value =
        serde_json::from_slice(&sweep(folder.path(), &["--list", "--json"]).get_output().stdout).expect("json");
    let statuses: Vec<&str> =
        list["cases"].as_array().expect("cases").iter().filter_map(|c| c["status"].as_str()).collect();
    assert_eq!(statuses, ["waiting", "failed", "done"]);
    let end: Value =
        serde_json::from_slice(&sweep(folder.path(), &["--json"]).code(1).get_output().stdout).expect("json");
    assert_eq!(end["counts"], serde_json::json!({ "done": 2, "kept": 0, "failed": 1, "unmeasured": 0, "left": 0 }));
    sweep(folder.path(), &["--slurm", "array.sh"]).code(0);
    assert!(words(&sweep(folder.path(), &["--slurm", "array.sh"]).code(2)).contains("exists already"));
    assert!(words(&sweep(folder.path(), &["--gpu", "0"]).code(2)).contains("uses no GPU"));
    assert!(words(&sweep(folder.path(), &["--list", "--dry-run"]).code(2)).contains("cannot be used with"));
    // The same directory, another campaign: the same keys with another value, another number of cases, another engine.
    let changed = |from: &str, to: &str| {
        std::fs::write(folder.path().join("study.toml"), ONE_FAILS.replace(from, to)).expect("written");
        let text = run(&[]);
        assert!(text.contains("runs/study: belongs to another campaign: ") && text.contains("another --out"), "{text}");
        text
    };
    assert!(changed("-9", "-8").contains("its case `001_velocity_m_s--9_0_0` is `001_velocity_m_s--8_0_0` here"));
    assert!(changed("[-9, 0, 0], ", "").contains("its case"));
    assert!(changed("\"reference\"", "\"gpu\"").contains("its engine is `reference`"));
    assert!(changed("[grid]", "[set]\nrun.duration_s = 0.9\n[grid]").contains("the scenario of case `000"));
    std::fs::create_dir_all(folder.path().join("mine")).expect("folder");
    std::fs::write(folder.path().join("mine/thesis.tex"), "").expect("file");
    let text = words(&sweep(folder.path(), &["--out", "mine"]).code(2));
    assert!(text.contains("has `thesis.tex`"), "{text}");
}

#[test]
fn cases_that_have_not_begun_may_change_and_new_ones_may_come() {
    let folder = study(PILE, ONE_FAILS);
    let with = |list: &str| {
        let text = ONE_FAILS.replace("[[-0.01, 0, 0], [-9, 0, 0], [-0.02, 0, 0]]", list);
        std::fs::write(folder.path().join("study.toml"), text).expect("written");
    };
    sweep(folder.path(), &["--case", "0"]).code(0);
    with("[[-0.01, 0, 0], [-0.03, 0, 0]]");
    assert!(words(&sweep(folder.path(), &[]).code(0)).contains("cases: 2 done, 0 failed, 0 left"));
    with("[[-0.01, 0, 0], [-0.03, 0, 0], [-0.04, 0, 0]]");
    let text = words(&sweep(folder.path(), &[]).code(0));
    assert!(text.matches(": begins").count() == 1 && text.contains("cases: 3 done, 0 failed, 0 left"), "{text}");
    with("[[-0.01, 0, 0], [-0.03, 0, 0]]");
    let text = words(&sweep(folder.path(), &[]).code(2));
    assert!(text.contains("its case `002_velocity_m_s--0.04_0_0` is none here, of 2 cases"), "{text}");
}

/// `--list` changes nothing, and a run that a campaign at work has made of other settings is not taken for one of today's.
#[test]
fn a_case_that_was_run_of_other_settings_is_refused() {
    let folder = study(PILE, ONE_FAILS);
    let identity = folder.path().join("runs/study/campaign.json");
    sweep(folder.path(), &["--case", "0"]).code(0);
    let before = std::fs::read(&identity).expect("identity");
    let slow = ONE_FAILS.replace("[grid]", "[set]\nrun.duration_s = 0.9\n[grid]");
    std::fs::write(folder.path().join("study.toml"), ONE_FAILS.replace("-0.02", "-0.03")).expect("written");
    sweep(folder.path(), &["--list"]).code(0);
    assert!(std::fs::read(&identity).expect("identity") == before, "--list has written");
    // What the directory would have if the settings had changed before the case was done.
    std::fs::write(folder.path().join("study.toml"), &slow).expect("written");
    sweep(folder.path(), &["--case", "0", "--out", "slow"]).code(0);
    std::fs::copy(folder.path().join("slow/campaign.json"), &identity).expect("copied");
    let text = words(&sweep(folder.path(), &[]).code(2));
    assert!(text.contains("cases/000_velocity_m_s--0.01_0_0: is the run of another scenario"), "{text}");
}

/// A run that was stopped alone, and not with its campaign, is not done, and the code says so.
#[cfg(target_os = "linux")]
#[test]
fn a_case_that_was_stopped_by_itself_is_left() {
    let folder = study(PILE, CAMPAIGN);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    command.current_dir(folder.path()).args(["sweep", "study.toml"]).stdout(std::process::Stdio::null());
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("starts");
    let tasks = std::path::PathBuf::from(format!("/proc/{}/task", child.id()));
    let run = || {
        let lists =
            std::fs::read_dir(&tasks).ok()?.flatten().map(|t| std::fs::read_to_string(t.path().join("children")));
        let list: String = lists.flatten().collect();
        list.split_whitespace().next().map(str::to_owned)
    };
    let cases = folder.path().join("runs/study/cases");
    let has_begun = || {
        std::fs::read_dir(&cases).is_ok_and(|mut d| d.any(|c| c.is_ok_and(|c| c.path().join("checkpoint").exists())))
    };
    while !has_begun() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-TERM", &run().expect("a run")]).status().expect("kill");
    assert_eq!(child.wait().expect("ends").code(), Some(75));
    assert!(words(&sweep(folder.path(), &[]).code(0)).contains("cases: 4 done, 0 failed, 0 left"));
}

#[test]
fn a_run_that_a_case_names_may_be_made_later() {
    const LATTICE: &str = "generator = \"lattice\"\ncount = 27\ngrid_spacing_m = 2.1\nradius_m = 1.0";
    let short = PILE.replace("4000", "40");
    let two = ONE_FAILS.split_once("[grid]").expect("a grid").0.replace("bounce", "pile.toml")
        + "[grid]\nbodies.0.path = [\"first\", \"later\"]\n";
    let folder = study(&short.replace(LATTICE, "generator = \"frame\"\npath = \"first\""), &two);
    std::fs::write(folder.path().join("first.toml"), &short).expect("written");
    let make = |out: &str| {
        let mut run = assert_cmd::Command::cargo_bin("breccia").expect("binary");
        run.current_dir(folder.path())
            .args(["run", "first.toml", "--engine", "reference", "--out", out])
            .assert()
            .code(0);
    };
    make("first");
    sweep(folder.path(), &["--case", "0"]).code(0);
    make("later");
    assert!(words(&sweep(folder.path(), &[]).code(0)).contains("cases: 2 done, 0 failed, 0 left"));
}

#[test]
fn rows_of_a_kept_table_stand_for_runs_that_are_gone() {
    let folder = study(PILE, CAMPAIGN);
    let out = folder.path().join("runs/study");
    let keep = |more: &[&str]| sweep(folder.path(), &[&["--keep", "kept.csv"], more].concat());
    keep(&["--jobs", "2"]).code(0);
    let kept = std::fs::read_to_string(folder.path().join("kept.csv")).expect("kept table");
    let (rows, plot) = (table(&out), std::fs::read(out.join("plots/packing.json")).expect("numbers"));
    std::fs::remove_dir_all(folder.path().join("runs")).expect("removed");
    // All cases are in it: nothing runs, and the table and its plots are the same.
    let text = words(&keep(&[]).code(0));
    assert!(text.contains("cases: 0 done, 4 kept, 0 failed, 0 left") && !text.contains("begins"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.path().join("kept.csv")).expect("kept table"), kept);
    assert_eq!(std::fs::read(out.join("plots/packing.json")).expect("numbers"), plot);
    for (row, mut before) in table(&out).into_iter().zip(rows) {
        assert_eq!(before.insert("status".into(), "kept".into()).as_deref(), Some("done"));
        assert_eq!(row, before);
    }
    assert!(
        words(&sweep(folder.path(), &["--case", "1"]).code(0)).contains("kept"),
        "an array does not queue it again"
    );
    // A row that is taken out is a case that runs again, and comes back.
    let less: String = kept.lines().filter(|l| !l.starts_with("2,")).map(|l| l.to_owned() + "\n").collect();
    std::fs::write(folder.path().join("kept.csv"), &less).expect("written");
    let text = words(&keep(&[]).code(0));
    assert!(text.matches("begins").count() == 1 && text.contains("1 done, 3 kept"), "{text}");
    let values =
        |text: &str| text.lines().map(|l| l.rsplit_once(',').expect("wall time").0.to_owned()).collect::<Vec<_>>();
    let again = std::fs::read_to_string(folder.path().join("kept.csv")).expect("kept table");
    assert_eq!(values(&again), values(&kept));
    // What is expected of the scenario does not matter, what is computed does.
    std::fs::remove_dir_all(folder.path().join("runs")).expect("removed");
    let other = |scenario: &str| std::fs::write(folder.path().join("pile.toml"), scenario).expect("written");
    other(&(PILE.to_owned() + "[expect]\nmomentum_drift = { value = 0, tolerance_absolute = 1, source = \"none\" }\n"));
    assert!(words(&keep(&[]).code(0)).contains("4 kept"));
    // What else is in the directory neither runs nor takes a row away.
    let failed = out.join("cases/000_friction_sliding-0.1_restitution_normal-0.3/failure.json");
    std::fs::write(failed, r#"{ "exit_code": 6, "error": "none" }"#).expect("written");
    assert!(words(&keep(&["--retry"]).code(0)).contains("4 kept"));
    assert_eq!(values(&std::fs::read_to_string(folder.path().join("kept.csv")).expect("kept table")), values(&kept));
    std::fs::write(folder.path().join("study.toml"), CAMPAIGN.replace("minimum = 1", "minimum = 2")).expect("written");
    let refused = words(&sweep(folder.path(), &["--keep", "kept.csv", "--out", "new"]).code(2));
    assert!(refused.contains("row `003_"), "measured otherwise: {refused}");
    std::fs::write(folder.path().join("study.toml"), CAMPAIGN).expect("written");
    other(&PILE.replace("radius_m = 1.0", "radius_m = 0.9"));
    let refused = words(&sweep(folder.path(), &["--keep", "kept.csv", "--out", "new"]).code(2));
    assert!(
        refused.contains("kept.csv: row `000_") && refused.contains("were others; keep in another file"),
        "{refused}"
    );
    std::fs::write(folder.path().join("bad.csv"), "name,recipe\nnobody,0\n").expect("written");
    let refused = words(&sweep(folder.path(), &["--keep", "bad.csv", "--out", "new"]).code(2));
    assert!(refused.contains("row `nobody`: the campaign has no such case"), "{refused}");
    std::fs::write(folder.path().join("bad.csv"), "case,name\n").expect("written");
    let refused = words(&sweep(folder.path(), &["--keep", "bad.csv", "--out", "new"]).code(7));
    assert!(refused.contains("has no column `recipe`; take a table that --keep wrote"), "{refused}");
}

/// As Ctrl-C and a scheduler's signal do: every run leaves a checkpoint, and the campaign goes on from there.
#[cfg(unix)]
#[test]
fn a_signal_stops_all_runs_with_checkpoints() {
    let folder = study(&PILE.replace("duration_s = 4000", "duration_s = 1e6"), CAMPAIGN);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    command.current_dir(folder.path()).args(["sweep", "study.toml", "--jobs", "2", "--json"]);
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().expect("starts");
    let checkpoints = || {
        let cases = std::fs::read_dir(folder.path().join("runs/study/cases")).into_iter().flatten().flatten();
        cases.filter(|c| std::fs::read_dir(c.path().join("checkpoint")).is_ok_and(|mut d| d.next().is_some())).count()
    };
    for _ in 0..1200 {
        if checkpoints() == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let status = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(75));
    let end: Value = serde_json::from_slice(&output.stdout).expect("json");
    assert_eq!(end["counts"], serde_json::json!({ "done": 0, "kept": 0, "failed": 0, "unmeasured": 0, "left": 4 }));
    let statuses: Vec<&str> =
        end["cases"].as_array().expect("cases").iter().filter_map(|c| c["status"].as_str()).collect();
    assert_eq!(statuses, ["begun", "begun", "waiting", "waiting"]);
    for case in end["cases"].as_array().expect("cases").iter().take(2) {
        let run = folder.path().join("runs/study/cases").join(case["name"].as_str().expect("name"));
        let manifest = breccia::record::files::manifest::Manifest::read(&run).expect("manifest");
        assert_eq!(manifest.status, RunStatus::Stopped);
    }
}
