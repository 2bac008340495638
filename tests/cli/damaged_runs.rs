//! Damage to files of a run: `resume` finds it, makes again what a checkpoint allows, and refuses the rest with a command that
//! repairs it.
#![cfg(target_os = "linux")]

use super::durability::{Case, Counts, output, said, same, study, text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Damage that `resume` must find, and how it ends: each file of the newest frames, and the series.
#[test]
fn damage_is_found_and_made_again_where_a_checkpoint_allows() {
    let study = study();
    let (case, folder) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let whole = case.whole(folder.path());
    let (out, kept) = (folder.path().join("run"), folder.path().join("kept"));
    // stopped with frame 3, on which the checkpoint before does not count
    let steps = breccia::record::files::manifest::Manifest::read(&folder.path().join("whole")).expect("manifest").steps;
    let stop = (steps * 3 / 5).to_string();
    let stopped = output(&[&case.arguments(&out)[..], &["--stop-at-step", stop.as_str()]].concat());
    assert_eq!(stopped.status.code(), Some(75), "{}", said(&stopped));
    copy(&out, &kept);
    let frame = |k: usize| out.join("frames").join(format!("{k:06}"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(frame(3)).expect("frame").flatten().map(|e| e.path()).collect();
    files.sort();
    assert!(files.len() > 10);
    let (mut made_again, mut healed) = (0, Counts::default());
    for file in files.iter().chain(&[out.join("series.csv"), frame(3), frame(1)]) {
        for (name, damage) in [("flipped", flip as fn(&Path)), ("cut", cut_short), ("removed", remove)] {
            if file.is_dir() && name != "removed" {
                continue;
            }
            damage(file);
            let what = format!("{} {name}", file.display());
            let left = output(&["resume", text(&out)]);
            let words = said(&left);
            assert!(words.contains("/frames/") || words.contains("series.csv"), "{what} goes unnoticed: {words}");
            if left.status.success() {
                made_again += 1
            } else {
                healed.end(&case, &out, &what)
            }
            same(&whole, &out, &what);
            std::fs::remove_dir_all(&out).expect("removed");
            copy(&kept, &out);
        }
    }
    println!("{made_again} made again from the older checkpoint, {healed:?}");
    // of the newest frame all; of the series what both checkpoints count on is lost, and so is frame 1
    assert_eq!(made_again, 3 * files.len() + 1);
    assert_eq!(healed, Counts { restarted: 4, ..Counts::default() });
}

/// Damage in a frame that both checkpoints count on: refused, and let pass where the user says so.
#[test]
fn a_damaged_old_frame_is_refused_or_left() {
    let study = study();
    let (case, folder) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let out = folder.path().join("run");
    assert_eq!(output(&case.arguments(&out)).status.code(), Some(0));
    flip(&out.join("frames/000001/position.npy"));
    let refused = output(&["resume", text(&out)]);
    let words = said(&refused);
    assert_eq!(refused.status.code(), Some(7));
    for part in ["000001/position.npy", "--restart", "--damaged-frames"] {
        assert!(words.contains(part), "{words}");
    }
    assert_eq!(output(&["resume", text(&out), "--damaged-frames"]).status.code(), Some(0));
    assert_eq!(output(&["resume", text(&out), "--restart"]).status.code(), Some(0));
    same(&case.whole(folder.path()), &out, "made again");
}

/// Commands that draw or measure a series warn of rows that are gone, with a checkpoint that counts them and without one.
#[test]
fn rows_that_are_gone_are_told() {
    let study = study();
    let (case, folder) = (Case::bounce(study.path()), tempfile::tempdir().expect("folder"));
    let out = folder.path().join("run");
    assert_eq!(output(&case.arguments(&out)).status.code(), Some(0));
    let series = out.join("series.csv");
    let whole = std::fs::read_to_string(&series).expect("series");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let told = |rows: &str, parts: &[&str]| {
        std::fs::write(&series, rows).expect("written");
        let words = said(&output(&["report", text(&out), "--overwrite"]));
        assert!(parts.iter().all(|part| words.contains(part)), "{parts:?}: {words}");
    };
    let (cut, fewer) = (&whole[..whole.len() - 5], lines[..lines.len() - 2].concat());
    let middle = [&lines[..5], &lines[7..]].concat().concat();
    for rows in [cut, &fewer, &middle] {
        told(rows, &["series.csv: has ", "but the checkpoint counts", "lacks these rows"]);
    }
    std::fs::remove_dir_all(out.join("checkpoint")).expect("removed");
    told(cut, &["series.csv: its last row is cut off"]);
    told(&fewer, &["series.csv: ends at step", "and the run ended at step"]);
    std::fs::write(&series, &whole).expect("written");
    assert!(!said(&output(&["report", text(&out), "--overwrite"])).contains("rows"));
}

fn flip(file: &Path) {
    let mut bytes = std::fs::read(file).expect("file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file, bytes).expect("written");
}

fn cut_short(file: &Path) {
    let bytes = std::fs::read(file).expect("file");
    std::fs::write(file, &bytes[..bytes.len() / 2]).expect("written");
}

fn remove(path: &Path) {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.expect("removed");
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp").success());
}
