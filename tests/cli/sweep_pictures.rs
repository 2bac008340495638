//! `[[picture]]`: sheets of panels that `breccia sweep` draws from the frames of its cases.

use super::sweep::{PILE, study};
use crate::common::command::words;
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use image::{Rgba, RgbaImage};
use serde_json::Value;
use std::path::Path;

const CAMPAIGN: &str = r#"format = 1
scenario = "pile.toml"
engine = "reference"
[grid]
material.rock.friction_sliding = [0.1, 0.8]
[[picture]]
name = "piles"
each = "friction_sliding"
labels = ["slippery", "grippy"]
times_s = [10, 3900]
time_unit = "s"
color = "none"
size = 120
[[picture]]
name = "flow"
where = { friction_sliding = 0.8 }
show = "velocity"
times_s = [1000]
width_m = 10
"#;

fn command(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").current_dir(folder);
    command.args(["sweep", "study.toml"]).args(more);
    command
}

fn sweep(folder: &Path, more: &[&str]) -> Assert {
    command(folder, more).assert()
}

fn square(sheet: &RgbaImage, left: u32, top: u32) -> RgbaImage {
    image::imageops::crop_imm(sheet, left, top, 120, 120).to_image()
}

#[test]
fn one_command_draws_panels_of_cases_and_instants() {
    let folder = study(PILE, CAMPAIGN);
    let end = sweep(folder.path(), &["--json"]).code(0);
    let end: Value = serde_json::from_slice(&end.get_output().stdout).expect("json");
    let plots = folder.path().join("runs/study/plots");
    for name in ["piles.png", "piles.json", "flow.png", "flow.json"] {
        let path = format!("runs/study/plots/{name}");
        assert!(end["files"].as_array().expect("files").iter().any(|f| f == path.as_str()), "{path}: {end}");
    }
    let sheet = image::open(plots.join("piles.png")).expect("a picture").to_rgba8();
    // Letters of 10 pixels: gaps of 5, and a line of 12 with 2 below it above each panel.
    assert_eq!(sheet.dimensions(), (5 + 2 * 125, 5 + 2 * (14 + 125)));
    let panels: Vec<RgbaImage> =
        [(5, 19), (130, 19), (5, 158), (130, 158)].map(|(left, top)| square(&sheet, left, top)).to_vec();
    for (k, panel) in panels.iter().enumerate() {
        let drawn = panel.pixels().filter(|p| **p != Rgba([255; 4])).count();
        assert!(drawn > 120 * 120 / 5, "panel {k} has {drawn} pixels that are not white");
    }
    assert!(panels[0] != panels[1], "the pile has moved");
    assert!(panels[1] != panels[3], "with another friction in another way");
    let told: Value =
        serde_json::from_str(&std::fs::read_to_string(plots.join("piles.json")).expect("file")).expect("json");
    let shown: Vec<_> = told["panels"].as_array().expect("panels").iter().map(|p| (&p["case"], &p["frame"])).collect();
    assert_eq!(
        shown,
        [(0, 0), (0, 4), (1, 0), (1, 4)]
            .map(|(c, f)| (Value::from(c), Value::from(f)))
            .each_ref()
            .map(|p| (&p.0, &p.1))
    );
    assert_eq!(told["panels"][3]["caption"], serde_json::json!(["grippy", "4000 s"]));
    let flow = image::open(plots.join("flow.png")).expect("a picture").to_rgba8();
    assert!(flow.pixels().any(|p| p[1] > p[0].saturating_add(40)), "arrows have colours");
}

#[test]
fn what_cannot_be_drawn_is_told_and_stops_nothing_else() {
    let folder = study(PILE, CAMPAIGN);
    let with = |from: &str, to: &str| {
        std::fs::write(folder.path().join("study.toml"), CAMPAIGN.replace(from, to)).expect("written");
    };
    with("[10, 3900]", "[10, 1e6]");
    let text = words(&sweep(folder.path(), &["--dry-run"]).code(2));
    assert!(text.contains("picture.piles.times_s: ") && text.contains("is after the end of the run"), "{text}");
    with("", "");
    sweep(folder.path(), &["--case", "0"]).code(0);
    let text = words(&sweep(folder.path(), &["--table"]).code(0));
    assert!(text.contains("picture piles: left out, case 001_friction_sliding-0.8 is not done"), "{text}");
    let mut without = command(folder.path(), &[]);
    let text =
        words(&without.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null").assert().code(1));
    assert!(text.contains("picture piles: not drawn: ") && text.contains("adapter"), "{text}");
    let out = folder.path().join("runs/study");
    assert!(out.join("campaign.csv").exists() && !out.join("plots/piles.png").exists());
    assert!(out.join("plots/flow.png").exists(), "a velocity field needs no device");
    with("color = \"none\"", "views = [\"grains\"]");
    let text = words(&sweep(folder.path(), &["--table"]).code(1));
    assert!(text.contains("is a close-up of an asteroid, and case 000_friction_sliding-0.1 has none"), "{text}");
}

#[test]
fn what_no_frame_will_have_is_refused_before_the_runs() {
    let with = |pile: &str, keys: &str, key: &str| {
        study(pile, &format!("{keys}{}", CAMPAIGN.replace("color = \"none\"", key)))
    };
    let refused = |pile: &str, keys: &str, key: &str, told: &str| {
        let text = words(&sweep(with(pile, keys, key).path(), &["--dry-run"]).code(2));
        assert!(text.contains(told), "{text}");
    };
    let clusters = |more: &str| format!("analysis = {{ parts = [\"clusters\"]{more} }}\n");
    let (cluster, track, strain) = ("color = \"cluster\"", "color = \"track\"", "color = \"strain\"");
    let unmeasured = "picture.piles.color: \"cluster\" is not measured in the frames that are shown";
    refused(PILE, "", cluster, unmeasured);
    refused(PILE, &clusters(", at_s = [10]"), cluster, unmeasured);
    refused(
        PILE,
        &clusters(", at_s = [10, 3900]"),
        track,
        "picture.piles.color: \"track\" is not measured in every frame",
    );
    let bare = PILE.replace("contacts = true", "contacts = false");
    refused(&bare, "", strain, "picture.piles.color: \"strain\" needs contacts in the frames");
    refused(
        PILE,
        "",
        "color = \"none\"\n[[picture]]\nname = \"b\"\ntimes_s = [-5]",
        "times_s: -5 s is before the start of a run",
    );
    refused(PILE, "", "views = [\"grains\"]", "picture.piles.views: \"grains\" is a close-up of an asteroid");
    for (keys, key) in [(", at_s = [10, 3900]", cluster), (", frames = \"all\"", track)] {
        sweep(with(PILE, &clusters(keys), key).path(), &["--dry-run"]).code(0);
    }
    sweep(with(PILE, "", strain).path(), &["--dry-run"]).code(0);
}

/// A plot whose column no case has is no success once all cases are done.
#[test]
fn a_plot_that_no_case_can_show_is_told() {
    let campaign = "format = 1\nscenario = \"pile.toml\"\nengine = \"reference\"\n[grid]\nseed = [1, 2]\n[analysis]\nparts = [\"aggregates\"]\n\
                    [[plot]]\nx = \"seed\"\ny = \"aggregates.cuont\"\n";
    let folder = study(PILE, campaign);
    sweep(folder.path(), &["--case", "0"]).code(0);
    let text = words(&sweep(folder.path(), &[]).code(1));
    assert!(
        text.contains("`aggregates.cuont` is not a column of the table; did you mean `aggregates.count`"),
        "{text}"
    );
    std::fs::write(folder.path().join("study.toml"), campaign.replace("cuont", "count")).expect("written");
    sweep(folder.path(), &[]).code(0);
}
