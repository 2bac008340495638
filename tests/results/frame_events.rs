//! Frames at events, as runs write them: bodies that fly off, and an aggregate that comes apart.

use crate::common::command::breccia;
use breccia::record::files::series;
use std::path::{Path, PathBuf};

/// Two spheres of 1 m that touch. From 100 s on they turn about their middle at SPIN rad/s; 1.06e-3 rad/s is the escape speed.
const PAIR: &str = r#"format = 1
name = "pair"
[run]
duration_s = 1500
[[material]]
name = "rock"
density_kg_m3 = 2000
speed_max_m_s = 0.02
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [-1, 0, 0], radius_m = 1 }, { position_m = [1, 0, 0], radius_m = 1 }]
[[gravity]]
kind = "self"
[spin_up]
start_s = 100
initial_rad_s = [0, 0, SPIN]
increment_rad_s = [0, 0, 0]
interval_s = "1 h"
[output]
frames = 1
series_rows = 30
frame_events = EVENTS
"#;

/// A run of the pair: time and events of each frame.
fn frames(folder: &Path, spin: &str, events: &str) -> Vec<(f64, Vec<String>)> {
    let file = folder.join("pair.toml");
    std::fs::write(&file, PAIR.replace("SPIN", spin).replace("EVENTS", events)).expect("written");
    let out = folder.join("run");
    let paths = [&file, &out].map(|p: &PathBuf| p.to_str().expect("utf8"));
    breccia(&["run", paths[0], "--engine", "reference", "--overwrite", "--out", paths[1]]).success();
    let read = |k: usize| {
        let text = std::fs::read_to_string(out.join(format!("frames/{k:06}/time.json"))).ok()?;
        let time: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let list = time["events"].as_array().cloned().unwrap_or_default();
        let names = list.iter().map(|e| e.as_str().expect("a name").to_owned());
        Some((time["time_s"].as_f64().expect("a number"), names.collect()))
    };
    (0..).map_while(read).collect()
}

/// Instant of the first row that is so.
fn first_row(run: &Path, is_so: impl Fn(&dyn Fn(&str) -> f64) -> bool) -> f64 {
    let (columns, rows) = series::read(&run.join("series.csv")).expect("reads");
    let at = |row: &[f64], name: &str| row[columns.iter().position(|c| c == name).expect(name)];
    let row = rows.iter().find(|row| is_so(&|name| at(row, name))).expect("a row that is so");
    at(row, "time_s")
}

#[test]
fn bodies_that_fly_off_have_a_frame_when_they_escape_and_one_when_the_pair_has_failed() {
    let folder = tempfile::tempdir().expect("folder");
    let frames = frames(folder.path(), "5e-3", r#"["failure", "escape"]"#);
    let events: Vec<&[String]> = frames.iter().map(|(_, events)| events.as_slice()).collect();
    assert_eq!(events, [&[][..], &["escape".to_owned()], &["failure".to_owned()], &[]], "{frames:?}");
    let run = folder.path().join("run");
    // they turn before the row of 100 s is measured, or after it
    assert!((99.0..151.0).contains(&frames[1].0), "{frames:?}");
    let failed = first_row(&run, |of| of("semi_axis_a_m") - of("semi_axis_c_m") > 3.0 * 2.0);
    assert_eq!(frames[2].0, failed, "three mean diameters are 6 m");
    assert!(failed > 200.0 && failed < 1500.0, "{failed} s");
}

#[test]
fn a_pair_that_stays_together_and_events_that_are_not_asked_for_have_no_frame() {
    let folder = tempfile::tempdir().expect("folder");
    let all = r#"["failure", "escape"]"#;
    for (spin, events, count) in [("5e-4", all, 2), ("5e-3", r#"["failure"]"#, 3), ("5e-3", r#"["escape"]"#, 3)] {
        let frames = frames(folder.path(), spin, events);
        assert_eq!(frames.len(), count, "{spin} {events}: {frames:?}");
    }
}
