//! What commands say of places that results may not take, of what is no run, and of damaged files.

use super::said_at_once::{SCENARIO, said};
use crate::common::command::{files, holds};

#[test]
fn info_tells_a_damaged_series() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    said(at, &["run", "bounce", "--engine", "reference", "--out", "run"], 0);
    said(at, &["info", "run"], 0);
    let series = at.join("run/series.csv");
    let whole = std::fs::read_to_string(&series).expect("series");
    let cut: String = whole.lines().take(20).map(|line| format!("{line}\n")).collect();
    for damaged in [cut, whole.replacen('1', "2", 1), whole.lines().next().expect("header").to_owned() + "\n"] {
        std::fs::write(&series, damaged).expect("written");
        holds(&said(at, &["info", "run"], 7), &["series.csv"]);
    }
}

/// Results go into no file, into no run, and a run into no other run, which `--overwrite` might remove with it.
#[test]
fn places_that_results_may_not_take() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("file"), "text").expect("written");
    let run = ["run", "bounce", "--engine", "reference", "--out"];
    let to = |place: &str, code: i32| said(at, &[&run[..], &[place]].concat(), code);
    holds(&to("file", 2), &["file: is a file and not a directory", "choose another --out"]);
    to("outer", 0);
    holds(&to("outer/frames/inner", 2), &["is inside the directory of the run", "outer; choose another --out"]);
    let map = ["analyze", "safety-map", "landslide_small", "--thickness", "3", "--radius", "0.4", "--out"];
    for command in [&["surface", "landslide_small", "--out"][..], &map] {
        let told = |place: &str| said(at, &[command, &[place]].concat(), 2);
        holds(&told("outer"), &["outer: is the directory of a run; choose another --out"]);
        holds(&told("file"), &["file: is a file and not a directory"]);
    }
    assert!(at.join("outer/frames").is_dir() && !at.join("outer/slope.npy").exists());
    std::fs::remove_dir_all(at.join("outer/frames/000003")).expect("removed");
    holds(&said(at, &["analyze", "outer", "clusters", "--frame", "3"], 2), &["--frame 3: outer lacks it; see"]);
}

/// A run does not mix with the files of a campaign, nor a campaign with those of a run.
#[test]
fn runs_and_campaigns_take_places_of_their_own() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let study = "format = 1\nscenario = \"bounce\"\nengine = \"reference\"\n[grid]\nseed = [1]\n";
    std::fs::write(at.join("study.toml"), study).expect("written");
    let run = |place: &str, code: i32| {
        said(at, &["run", "bounce", "--engine", "reference", "--expect", "off", "--overwrite", "--out", place], code)
    };
    let sweep = |place: &str, code: i32| said(at, &["sweep", "study.toml", "--out", place], code);
    sweep("study", 0);
    let before = files(&at.join("study"));
    holds(&run("study", 2), &["study: is the directory of a campaign; choose another --out"]);
    for inside in ["study/cases", "study/plots", "study/logs/more"] {
        holds(&run(inside, 2), &[inside, "is inside the directory of the campaign", "choose another --out"]);
    }
    holds(&sweep("study/inner", 2), &["study/inner: is inside the directory of the campaign"]);
    assert!(before == files(&at.join("study")), "a refused run leaves nothing in a campaign");
    run("one", 0);
    let before = files(&at.join("one"));
    holds(&sweep("one", 2), &["one: is the directory of a run; choose another --out"]);
    holds(&sweep("one/inner", 2), &["one/inner: is inside the directory of the run"]);
    assert!(before == files(&at.join("one")), "a refused campaign leaves nothing in a run");
    holds(&said(at, &["surface", "landslide_small", "--out", "study"], 2), &["study: is the directory of a campaign"]);
}

/// Every command that reads a run says what else it was given.
#[test]
fn what_is_no_run() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("file"), "text").expect("written");
    std::fs::create_dir(at.join("empty")).expect("made");
    std::fs::create_dir(at.join("sweep")).expect("made");
    std::fs::write(at.join("sweep/campaign.json"), "{}").expect("written");
    for command in ["analyze", "export", "info", "render", "report", "resume", "view"] {
        for (place, what) in [
            ("none", "none: there is no such directory; name the directory of a run"),
            ("file", "file: is a file; name the directory of a run"),
            ("empty", "empty: holds no run; name the directory of a run"),
            ("sweep", "sweep: is the directory of a campaign; name one of its runs"),
        ] {
            holds(&said(at, &[command, place], 7), &[what]);
        }
    }
    std::fs::write(at.join("file"), "mine").expect("written");
    let nowhere = said(at, &["run", "bounce", "--engine", "reference", "--out", "file/inner"], 7);
    holds(&nowhere, &["file", "choose another --out"]);
}

#[test]
fn damaged_arrays_are_told_by_info() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    said(at, &["run", "bounce", "--engine", "reference", "--out", "run"], 0);
    said(at, &["info", "run"], 0);
    std::fs::write(at.join("run/frames/000002/position.npy"), "cut").expect("written");
    std::fs::remove_dir_all(at.join("run/frames/000001")).expect("removed");
    std::fs::remove_file(at.join("run/bodies/radius.npy")).expect("removed");
    let told = said(at, &["info", "run"], 7);
    holds(
        &told,
        &["frames/000001: is missing", "frames/000002/position.npy: is damaged", "bodies/radius.npy: is missing"],
    );
}

/// Nothing is measured, drawn, exported or begun from a frame that is not as it was written.
#[test]
fn damaged_frames_are_refused_by_all_who_read_them() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    said(at, &["run", "bounce", "--engine", "reference", "--out", "run"], 0);
    let frame = at.join("run/frames/000001");
    std::fs::write(at.join("from.toml"), SCENARIO).expect("written");
    let last = at.join("run/frames").read_dir().expect("frames").count() - 1;
    let last_frame = at.join(format!("run/frames/{last:06}"));
    let refused = |damaged: &std::path::Path, name: &str, hint: &str| {
        let file = damaged.join(name);
        let whole = std::fs::read(&file).expect("whole");
        let mut bytes = whole.clone();
        match hint {
            "is missing" => std::fs::remove_file(&file).expect("removed"),
            _ => {
                *bytes.last_mut().expect("bytes") ^= 1;
                std::fs::write(&file, &bytes).expect("written");
            }
        }
        // a report shows the frames that are there, as the page does
        let listed = ["analyze", "export", "render", "report"];
        for command in &listed[..if (name, hint) == ("time.json", "is missing") { 3 } else { 4 }] {
            holds(&said(at, &[command, "run"], 7), &[name, hint]);
        }
        holds(&said(at, &["check", "from.toml"], 7), &[name, hint]);
        std::fs::write(&file, whole).expect("written");
    };
    for (folder, name, hint) in [
        (&last_frame, "position.npy", "its checksum differs"),
        (&last_frame, "position.npy", "is missing"),
        (&last_frame, "SHA256SUMS", "is missing"),
        (&last_frame, "SHA256SUMS", "is cut short"),
        (&last_frame, "time.json", "its checksum differs"),
        (&last_frame, "time.json", "is missing"),
        (&at.join("run/bodies"), "mass.npy", "its checksum differs"),
    ] {
        refused(folder, name, hint);
    }
    // a file of another frame
    std::fs::copy(frame.join("velocity.npy"), last_frame.join("velocity.npy")).expect("copied");
    holds(&said(at, &["analyze", "run"], 7), &["velocity.npy: is damaged: its checksum differs"]);
}

/// A step back out of a run or a campaign leads to a place of its own.
#[test]
fn places_beside_the_directory_of_a_run() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    said(at, &["run", "bounce", "--engine", "reference", "--out", "first"], 0);
    said(&at.join("first"), &["run", "bounce", "--engine", "reference", "--out", "../second"], 0);
    assert!(at.join("second/manifest.json").is_file());
    let inside = said(&at.join("first"), &["run", "bounce", "--engine", "reference", "--out", "third"], 2);
    holds(&inside, &["is inside the directory of the run"]);
}
