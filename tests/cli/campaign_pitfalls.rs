//! What a campaign must not count, measure or lose: runs that are the same, a run without its end, rows of others.

use super::not_in_silence::{PAIR, drawn, folder, said};
use crate::common::command::{breccia_in, holds};
use breccia::campaign::check::recipes;
use breccia::campaign::kept::Kept;
use breccia::campaign::load;
use breccia::campaign::table::Table;
use breccia::scenario::inputs::Sums;
use std::path::Path;

const STUDY: &str = "format = 1\nscenario = \"pair.toml\"\nengine = \"reference\"\n[grid]\nseed = [1, 2]\n";
const SHARES: &str = "[analysis]\nparts = [\"aggregates\"]\nminimum = 1\n";

/// Two cases that differ, each in motions of its own.
fn moving(study: &str) -> tempfile::TempDir {
    folder(&[("pair.toml", &drawn()), ("study.toml", study)])
}

fn still() -> tempfile::TempDir {
    folder(&[("pair.toml", PAIR), ("study.toml", STUDY)])
}

fn sweep(at: &Path, more: &str, code: i32) -> String {
    said(at, &format!("sweep study.toml {more}"), code)
}

fn table(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).expect("table").lines().map(str::to_owned).collect()
}

/// Twelve copies of three runs would have errors half as large as those of the three.
#[test]
fn seeds_that_change_nothing_are_refused() {
    let still = still();
    for more in ["--dry-run", "--out out"] {
        let told = sweep(still.path(), more, 2);
        holds(&told, &["000_seed-1", "001_seed-2", "differ by their seed alone", "generator that draws"]);
    }
    let moving = moving(STUDY);
    holds(&sweep(moving.path(), "--dry-run", 0), &["000_seed-1", "001_seed-2"]);
}

#[test]
fn seeds_that_a_table_cannot_tell_apart_are_refused() {
    let at = moving(&STUDY.replace("[1, 2]", "[9007199254740992, 9007199254740993]"));
    holds(
        &sweep(at.path(), "--dry-run", 2),
        &["study.toml:5", "9007199254740993 is beyond 2^53, and a table has no such number"],
    );
}

/// Cases that were run one by one were never looked at together: their table tells.
#[test]
fn copies_of_one_run_are_told() {
    let still = still();
    sweep(still.path(), "--out out --case 0", 0);
    sweep(still.path(), "--out out --case 1", 0);
    let told = sweep(still.path(), "--out out", 0);
    holds(&told, &["000_seed-1", "001_seed-2", "show the same in every column"]);
    let moving = moving(STUDY);
    assert!(!sweep(moving.path(), "--out out", 0).contains("in every column"));
}

/// Its last frame is gone, and so is what the columns are of.
#[test]
fn a_case_without_its_last_frame_is_not_measured() {
    let at = moving(STUDY);
    sweep(at.path(), "--out out", 0);
    std::fs::remove_dir_all(at.path().join("out/cases/001_seed-2/frames/000004")).expect("removed");
    std::fs::write(at.path().join("study.toml"), STUDY.to_owned() + SHARES).expect("written");
    let told = sweep(at.path(), "--out out", 1);
    holds(&told, &["not measured 001_seed-2", "000004: is missing", "1 not measured"]);
    let rows = table(&at.path().join("out/campaign.csv"));
    let column = rows[0].split(',').position(|c| c == "aggregates.0.mass_share").expect("measured");
    let shares: Vec<&str> = rows[1..].iter().filter_map(|row| row.split(',').nth(column)).collect();
    assert!(!shares[0].is_empty() && shares[1].is_empty(), "{shares:?}");
}

/// Another campaign of the same cases has written rows since a table was read: they stay.
#[test]
fn rows_of_another_campaign_stay() {
    let at = moving(STUDY);
    let (file, other) = (at.path().join("kept.csv"), at.path().join("other"));
    sweep(at.path(), "--out one --keep kept.csv", 0);
    let rows = table(&file);
    assert_eq!(rows.len(), 3, "{rows:?}");
    let campaign = load(at.path().join("study.toml").to_str().expect("utf8")).expect("loads");
    let recipes = recipes(&campaign, &mut Sums::default()).expect("recipes");
    std::fs::rename(&file, at.path().join("away.csv")).expect("renamed");
    let kept = Kept::read(&file, &campaign, recipes).expect("nothing there yet");
    std::fs::rename(at.path().join("away.csv"), &file).expect("renamed");
    let nothing_done = Table::read(&campaign, &other).expect("reads");
    kept.write(&campaign, &nothing_done, &other).expect("written");
    let names = |rows: &[String]| -> Vec<String> {
        rows.iter().map(|row| row.split(',').take(4).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(names(&table(&file)), names(&rows));
    // rows of other cases are refused, and not taken away
    let others = std::fs::read_to_string(&file).expect("table").replace("001_seed-2", "001_seed-3");
    std::fs::write(&file, &others).expect("written");
    let told = kept.write(&campaign, &nothing_done, &other).expect_err("rows of others").to_string();
    holds(&told, &["kept.csv", "001_seed-3", "no such case"]);
    assert_eq!(std::fs::read_to_string(&file).expect("table"), others);
}

/// Processes that come to one finished case measure it one after the other.
#[test]
fn one_case_is_measured_by_many_at_once() {
    let at = moving(&(STUDY.to_owned() + SHARES).replace("\"aggregates\"", "\"aggregates\", \"shape\""));
    sweep(at.path(), "--out out", 0);
    let whole = table(&at.path().join("out/campaign.csv"));
    for _ in 0..5 {
        std::fs::remove_dir_all(at.path().join("out/cases/000_seed-1/analysis")).expect("removed");
        std::thread::scope(|scope| {
            (0..4).for_each(|_| drop(scope.spawn(|| sweep(at.path(), "--out out --case 0", 0))));
        });
    }
    sweep(at.path(), "--out out --table", 0);
    assert_eq!(table(&at.path().join("out/campaign.csv")), whole);
}

/// A file's name may hold what a name of a scenario may not.
#[test]
fn files_with_dots_and_blanks_in_their_names_take_set() {
    let folder = tempfile::tempdir().expect("folder");
    for (file, name) in [("pile v1.2.toml", "pile_v1_2"), ("a-b_c.toml", "a-b_c")] {
        std::fs::write(folder.path().join(file), PAIR).expect("written");
        let run = ["run", file, "--engine", "reference", "--set", "seed=2", "--overwrite", "--out", "run"];
        breccia_in(folder.path(), &run).code(0);
        let manifest = std::fs::read_to_string(folder.path().join("run/manifest.json")).expect("manifest");
        holds(&manifest, &[&format!("\"scenario\": \"{name}\"")]);
        breccia_in(
            folder.path(),
            &["run", "run/resolved.toml", "--engine", "reference", "--out", "again", "--overwrite"],
        )
        .code(0);
    }
}
