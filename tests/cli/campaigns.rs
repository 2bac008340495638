//! Campaign files: cases and their names, checks before any run.

use breccia::campaign::check::{fingerprints, prospects};
use breccia::campaign::model::{Campaign, Case, Factor, Instants};
use breccia::campaign::parse::parse;
use breccia::campaign::{analysis, load};
use breccia::scenario::bundled::built_in;
use breccia::scenario::bundled::built_in_campaigns;
use breccia::scenario::inputs::Sums;
use std::process::Command;

pub(super) const GOOD: &str = r#"format = 1
title = "good"
scenario = "bounce"
engine = "reference"
[set]
"output.series_rows" = 20
[[case]]
label = "slow"
bodies.0.body.1.velocity_m_s = [-0.01, 0, 0]
[[case]]
label = "fast"
bodies.0.body.1.velocity_m_s = [-0.02, 0, 0]
[[together]]
name = "pair"
labels = ["soft", "hard"]
"material.rock.stiffness_normal_n_m" = [1e4, 1e5]
"material.rock.friction_sliding" = [0.1, 0.9]
[grid]
material.rock.restitution_normal = [0.3, 0.6]
seed = [1, 2, 3]
[analysis]
parts = ["aggregates"]
minimum = 1
[[plot]]
x = "material.rock.restitution_normal"
y = "quantity"
series = "pair"
panels = "label"
"#;

pub(super) fn good() -> String {
    GOOD.replace("\"quantity\"", "\"restitution_normal\"")
}

pub(super) fn read(text: &str) -> Campaign {
    parse(text, "some/good.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_combination_is_a_case_and_the_last_key_varies_fastest() {
    let c = read(&good());
    assert_eq!((c.name.as_str(), c.engine.as_str(), c.scenario.as_str()), ("good", "reference", "bounce"));
    assert_eq!(c.cases.len(), 2 * 2 * 2 * 3);
    let columns = [
        "label",
        "bodies.0.body.1.velocity_m_s",
        "pair",
        "material.rock.stiffness_normal_n_m",
        "material.rock.friction_sliding",
        "material.rock.restitution_normal",
        "seed",
    ];
    assert_eq!(c.columns, columns);
    let names: Vec<&str> = c.cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names[0], "000_slow_soft_restitution_normal-0.3_seed-1");
    assert_eq!(names[1], "001_slow_soft_restitution_normal-0.3_seed-2");
    assert_eq!(names[3], "003_slow_soft_restitution_normal-0.6_seed-1");
    assert_eq!(names[23], "023_fast_hard_restitution_normal-0.6_seed-3");
    let expected = Case {
        index: 23,
        name: names[23].into(),
        set: [
            "output.series_rows=20",
            "bodies.0.body.1.velocity_m_s=[-0.02, 0, 0]",
            "material.rock.stiffness_normal_n_m=100000.0",
            "material.rock.friction_sliding=0.9",
            "material.rock.restitution_normal=0.6",
            "seed=3",
        ]
        .map(str::to_owned)
        .to_vec(),
        values: ["fast", "-0.02 0 0", "hard", "100000.0", "0.9", "0.6", "3"].map(|v| Some(v.to_owned())).to_vec(),
    };
    assert_eq!(c.cases[23], expected);
    let mut unique = names.clone();
    unique.dedup();
    assert_eq!(unique.len(), 24);
}

#[test]
fn keys_of_one_name_are_told_apart_and_cases_need_not_set_the_same() {
    let text = "format = 1\nscenario = \"bounce\"\n[[case]]\nmaterial.rock.friction_sliding = 0.1\n[[case]]\nmaterial.0.friction_sliding = 0.2\nseed = 4\n";
    let c = read(text);
    assert_eq!(c.columns, ["material.rock.friction_sliding", "material.0.friction_sliding", "seed"]);
    assert_eq!(c.cases[0].name, "000_rock.friction_sliding-0.1");
    assert_eq!(c.cases[1].name, "001_0.friction_sliding-0.2_seed-4");
    assert_eq!(c.cases[0].values, [Some("0.1".to_owned()), None, None]);
}

/// A table in braces is a value: it takes the place of the scenario's, of which nothing is left.
#[test]
fn whole_tables_are_values() {
    let laws = "\"bodies.0.radius_m\" = [{ min_m = 0.8, max_m = 1.0 }, { min_m = 0.5, mean_m = 0.55 }]";
    let text = |more: &str| format!("format = 1\nscenario = \"accretion_small\"\n{more}\n");
    let together = text(&format!("[[together]]\nname = \"law\"\nlabels = [\"flat\", \"steep\"]\n{laws}"));
    let campaign = read(&together);
    assert_eq!(campaign.cases[1].set, ["bodies.0.radius_m={ min_m = 0.5, mean_m = 0.55 }"]);
    assert_eq!(campaign.cases[1].name, "001_steep");
    fingerprints(&campaign, &mut Sums::default()).expect("the max_m of the scenario is gone");
    let listed = "[[grid.\"bodies.0.radius_m\"]]\nmin_m = 0.8\nmax_m = 1.0\n[[grid.\"bodies.0.radius_m\"]]\nmin_m = 0.5\nmean_m = 0.55";
    assert_eq!(read(&text(listed)).cases[1].set, campaign.cases[1].set, "a list of tables in either spelling");
    let dotted = text(
        "[[case]]\nbodies.0.radius_m.max_m = 0.9\n[[case]]\n\"bodies.0.radius_m\" = { min_m = 0.5, mean_m = 0.6 }",
    );
    let sets: Vec<Vec<String>> = read(&dotted).cases.into_iter().map(|c| c.set).collect();
    assert_eq!(sets, [["bodies.0.radius_m.max_m=0.9"], ["bodies.0.radius_m={ min_m = 0.5, mean_m = 0.6 }"]]);
    let bad = read(&together.replace("mean_m = 0.55", "mean_m = 0.4"));
    let told = fingerprints(&bad, &mut Sums::default()).expect_err("a mean below the least").to_string();
    let at = "case 001_steep: some/good.toml:6: bodies.0.radius_m.mean_m: 0.4 is not above min_m 0.5";
    assert!(told.contains(at), "{told}");
    let typo = read(&together.replace("mean_m", "men_m"));
    let told = fingerprints(&typo, &mut Sums::default()).expect_err("unknown").to_string();
    assert!(told.contains("bodies.0.radius_m.men_m") && told.contains("did you mean"), "{told}");
}

/// A bad value is reported with the case, file and line of the campaign, and the key of the scenario, once for all
/// cases that have it.
#[test]
fn all_cases_are_checked_before_any_is_run() {
    let with = |grid: &str| format!("format = 1\nscenario = \"bounce\"\nengine = \"reference\"\n[grid]\n{grid}\n");
    let told = |grid: &str| {
        let campaign = read(&with(grid));
        let cases: Vec<&Case> = campaign.cases.iter().collect();
        let checked = fingerprints(&campaign, &mut Sums::default()).and_then(|_| prospects(&campaign, &cases));
        checked.map(|_| ()).map_err(|e| (e.exit_code(), e.to_string()))
    };
    told("material.rock.friction_sliding = [0.1, 0.2]").expect("good");
    let (code, text) = told("material.rock.friction_sliding = [0.1, 0.2, -3]\nseed = [1, 2]").expect_err("negative");
    assert_eq!((code, text.lines().count()), (2, 1), "{text}");
    let at = "case 004_friction_sliding--3_seed-1 and 1 more: some/good.toml:5: material.rock.friction_sliding: -3";
    for part in [at, "is outside"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, text) = told("material.rock.frction = [0.1, 0.2]").expect_err("unknown key");
    assert!(text.lines().count() == 1 && text.contains("material.rock.frction"), "{text}");
    let overlapping = "bodies.0.body.1.position_m = [[0.3, 0, 0], [0.05, 0, 0]]";
    let (_, text) = told(overlapping).expect_err("bodies overlap");
    assert!(text.contains("case 001_position_m-0.05_0_0") && text.contains("overlap"), "{text}");
    let campaign = read(&(with("seed = [1]") + "[analysis]\nparts = [\"stress\"]\n"));
    let text = prospects(&campaign, &[&campaign.cases[0]]).expect_err("no contacts").to_string();
    assert!(text.contains("output.contacts"), "{text}");
    let campaign = read(&(with("seed = [1]") + "[analysis]\nparts = [\"aggregates\"]\nat_s = [0, \"2 h\"]\n"));
    let text = prospects(&campaign, &[&campaign.cases[0]]).expect_err("too late").to_string();
    assert!(text.contains("analysis.at_s") && text.contains("7200 s is after the end of the run"), "{text}");
}

#[test]
fn pictures_show_the_first_case_of_each_value() {
    let text =
        good() + "[[picture]]\nname = \"a\"\nwhere = { pair = \"hard\" }\neach = \"label\"\nviews = [\"0,0,2\"]\n";
    let picture = read(&text).pictures.remove(0);
    assert_eq!(picture.cases, [("slow".to_owned(), 6), ("fast".to_owned(), 18)]);
    assert_eq!((picture.across, picture.times, picture.size), (Factor::Each, Instants::Last, 480));
    assert_eq!(picture.views[0].0, "from +z");
    let text = text.replace("where = { pair", "labels = [\"a\", \"b\"]\nwhere = { case = 7, pair");
    let message = parse(&text, "a.toml").expect_err("one case").to_string();
    assert!(message.contains("2 labels for 1 values"), "{message}");
    let text = text.replace("labels = [\"a\", \"b\"]\n", "").replace("each = \"label\"", "each = \"seed\"");
    assert_eq!(read(&text).pictures[0].cases, [("seed = 2".to_owned(), 7)]);
}

#[test]
fn every_part_that_is_known_is_one_that_analyze_takes() {
    let help =
        Command::new(assert_cmd::cargo::cargo_bin("breccia")).args(["analyze", "--help"]).output().expect("runs");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for part in analysis::PARTS {
        assert!(help.contains(&format!("- {part}:")), "{part} is not in:\n{help}");
    }
}

#[test]
fn campaigns_are_no_scenarios_and_built_in_ones_are_good() {
    let scenarios: Vec<String> = built_in().into_iter().map(|b| b.name).collect();
    for (name, _) in built_in_campaigns() {
        assert!(!scenarios.contains(&name), "{name} is a scenario too");
        let campaign = load(&name).unwrap_or_else(|e| panic!("{name}: {e}"));
        fingerprints(&campaign, &mut Sums::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}
