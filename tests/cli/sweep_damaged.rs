//! Campaigns with damaged or missing files: every one has a way out, and none is taken for another process at work.

use super::sweep::{CAMPAIGN, PILE, contents, study, sweep, table};
use crate::common::command::{holds, words};
use std::path::Path;

const CASE: &str = "cases/000_friction_sliding-0.1_restitution_normal-0.3";

/// As a run that was stopped: its newest checkpoint is at its end.
fn stopped(case: &Path) {
    let manifest = case.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).expect("manifest");
    assert!(text.contains(r#""status": "done""#), "{text}");
    std::fs::write(manifest, text.replace(r#""status": "done""#, r#""status": "stopped""#)).expect("written");
}

#[test]
fn a_begun_case_with_damaged_files_begins_again() {
    let folder = study(PILE, CAMPAIGN);
    let case = folder.path().join("runs/study").join(CASE);
    let one = || words(&sweep(folder.path(), &["--case", "0"]).code(0));
    one();
    let whole = contents(&case);
    stopped(&case);
    holds(&one(), &["goes on"]);
    for file in ["settings.json", "scenario.toml", "inputs.json"] {
        stopped(&case);
        std::fs::write(case.join(file), "{").expect("written");
        holds(&one(), &["begins"]);
        assert!(contents(&case) == whole, "{file}");
    }
}

/// A lock that cannot be made is a failure of the case, not a process in the way that one would wait for.
#[test]
fn a_lock_that_cannot_be_taken_fails_the_case() {
    let folder = study(PILE, CAMPAIGN);
    let case = folder.path().join("runs/study").join(CASE);
    sweep(folder.path(), &["--case", "0"]).code(0);
    stopped(&case);
    std::fs::remove_file(case.join("lock")).expect("removed");
    std::fs::create_dir(case.join("lock")).expect("made");
    holds(&words(&sweep(folder.path(), &["--case", "0"]).code(7)), &["failed, exit code 7", "lock", "--retry"]);
    std::fs::remove_dir(case.join("lock")).expect("removed");
    holds(&words(&sweep(folder.path(), &["--case", "0", "--retry"]).code(0)), &["goes on", "done"]);
}

#[test]
fn a_campaign_that_lost_its_identity_is_taken_up() {
    let folder = study(PILE, CAMPAIGN);
    let out = folder.path().join("runs/study");
    sweep(folder.path(), &["--jobs", "2"]).code(0);
    let (rows, identity) = (table(&out), out.join("campaign.json"));
    std::fs::write(&identity, "{").expect("written");
    holds(&words(&sweep(folder.path(), &[]).code(7)), &["campaign.json", "restore it, or remove it"]);
    std::fs::remove_file(&identity).expect("removed");
    let told = words(&sweep(folder.path(), &[]).code(0));
    assert!(told.contains("4 done") && !told.contains("begins"), "{told}");
    assert_eq!(table(&out), rows);
    // a folder of something else is left alone
    std::fs::create_dir_all(folder.path().join("mine/cases")).expect("made");
    std::fs::write(folder.path().join("mine/notes"), "").expect("written");
    holds(&words(&sweep(folder.path(), &["--out", "mine"]).code(2)), &["has `notes`"]);
}

#[test]
fn a_kept_table_is_refused_before_anything_runs() {
    let folder = study(PILE, CAMPAIGN);
    holds(&words(&sweep(folder.path(), &["--keep", "none/kept.csv"]).code(2)), &["none: is no folder; make it"]);
    assert!(!folder.path().join("runs").exists());
    sweep(folder.path(), &["--keep", "kept.csv"]).code(0);
    let file = folder.path().join("kept.csv");
    let text = std::fs::read_to_string(&file).expect("table");
    let column = |name: &str| text.lines().next().expect("header").split(',').position(|c| c == name).expect("column");
    for name in ["packing_final", "time_step_s", "per_body"] {
        let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        lines[1][column(name)] = "0.5x";
        let damaged: Vec<String> = lines.iter().map(|cells| cells.join(",")).collect();
        std::fs::write(&file, damaged.join("\n") + "\n").expect("written");
        let told = words(&sweep(folder.path(), &["--keep", "kept.csv"]).code(2));
        holds(&told, &[&format!("`{name}` is \"0.5x\", and a number is wanted")]);
    }
}

#[test]
fn a_time_plot_that_no_case_can_show_is_told_by_the_code() {
    let plot = "[analysis]\nparts = [\"strain\"]\nframes = \"all\"\n[[time_plot]]\nname = \"none\"\ny = \"strain.sizes.9.strain_share\"\n";
    let head = CAMPAIGN.split("[analysis]").next().expect("head").replace("[0.1, 0.8]", "[0.1]");
    let folder = study(PILE, &(head + plot));
    holds(&words(&sweep(folder.path(), &[]).code(1)), &["time plot `none`: no case has its columns"]);
}

/// A folder of the same name is not the campaign.
#[test]
fn a_script_names_a_built_in_campaign_by_its_name() {
    let folder = tempfile::tempdir().expect("folder");
    let name = "azema_2018_cracks";
    std::fs::create_dir(folder.path().join(name)).expect("made");
    let command = ["sweep", name, "--slurm", "array.sh"];
    crate::common::command::breccia_in(folder.path(), &command).code(0);
    let script = std::fs::read_to_string(folder.path().join("array.sh")).expect("script");
    holds(&script, &[&format!(" sweep {name} --out ")]);
}
