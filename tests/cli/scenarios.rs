//! Built-in scenarios meet their own expectations: the quick ones in every check, all others nightly.

use assert_cmd::Command;
use breccia::scenario::bundled;
use std::path::Path;

/// Those that take seconds on software Vulkan.
const QUICK: [&str; 12] = [
    "accretion_small",
    "bounce",
    "bounce_on_mesh",
    "grain_on_facets",
    "hertz_bounce",
    "hysteretic_bounce",
    "hysteretic_oblique",
    "oblique_impact",
    "resting_column",
    "rolling_across_edges",
    "slide_to_roll",
    "two_body_fall",
];

/// Those that take a GPU hours: `landslide` starts from what `sand_pile` leaves, the collisions from `rubble_pile`, and
/// `hopper_small` is `hopper` with softer contacts.
const LARGE: [&str; 6] = ["hopper", "landslide", "pile_collision", "rubble_pile", "sand_pile", "spinning_collision"];

/// Makes the run that a scenario starts from.
const FIRST: [&str; 1] = ["rubble_pile_small"];

/// Runs it in a folder, where it may find what runs before it have left; what it says if it does not meet its expectations.
fn misses(folder: &Path, name: &str) -> Option<String> {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").args(["run", name]).current_dir(folder);
    let output = command.output().expect("runs");
    let (text, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{name}\n{text}");
    let met = output.status.success() && text.lines().any(|l| l.starts_with("ok "));
    (!met).then(|| format!("{name}: {text}{log}"))
}

/// All are run, so that one that misses does not hide the others.
fn meet_their_expectations<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) {
    let missed: Vec<String> = names.filter_map(|name| misses(folder, name)).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn quick_scenarios() {
    let folder = tempfile::tempdir().expect("folder");
    meet_their_expectations(folder.path(), QUICK.into_iter());
}

#[test]
#[ignore = "nightly: about three quarters of an hour"]
fn all_other_scenarios() {
    let names: Vec<_> = bundled::built_in().into_iter().map(|b| b.name).collect();
    let known = |n: &&str| QUICK.contains(n) || LARGE.contains(n) || FIRST.contains(n);
    let others: Vec<_> = FIRST.into_iter().chain(names.iter().map(String::as_str).filter(|n| !known(n))).collect();
    assert!(others.len() >= 3 && LARGE.iter().all(|l| names.iter().any(|n| n == l)), "{names:?}");
    // Otherwise by name, so that `aggregate_at_rest` comes before what starts from it.
    let folder = tempfile::tempdir().expect("folder");
    meet_their_expectations(folder.path(), others.into_iter());
}
