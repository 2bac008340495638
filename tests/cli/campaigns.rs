//! Campaign files: cases and their names, every slip of the pen, checks before any run.

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

/// (what to replace, with what, the line that is named, what the message holds)
const BAD: &[(&str, &str, usize, &[&str])] = &[
    ("format = 1", "format = 7", 1, &["format", "reads format 1"]),
    ("title =", "titel =", 2, &["titel", "did you mean `title`"]),
    ("\"bounce\"", "\"bouncy\"", 3, &["scenario", "bouncy", "there is no file some/bouncy", "did you mean `bounce`"]),
    ("scenario = \"bounce\"\n", "", 1, &["scenario", "is missing"]),
    ("\"reference\"", "\"referenz\"", 4, &["engine", "did you mean `reference`"]),
    ("[0.3, 0.6]", "0.3", 0, &["grid.material.rock.restitution_normal", "0.3 is not a list", "write [0.3]"]),
    ("[0.3, 0.6]", "[]", 0, &["restitution_normal", "is an empty list"]),
    ("[0.3, 0.6]", "[0.3, 0.3]", 0, &["restitution_normal", "0.3 is given twice"]),
    (
        "seed = [1, 2, 3]",
        "seed = [1, 2, 3]\noutput.series_rows = [1, 2]",
        0,
        &["`output.series_rows`", "remove one of the two"],
    ),
    ("[0.1, 0.9]", "[0.1]", 17, &["friction_sliding", "has 1 values", "has 2; give as many values"]),
    ("[\"soft\", \"hard\"]", "[\"soft\"]", 15, &["labels", "there are 1 labels for 2 values"]),
    ("name = \"pair\"\n", "", 0, &["together.0.name", "is missing"]),
    ("labels = [\"soft\", \"hard\"]\n", "", 0, &["together", "labels", "are missing"]),
    ("label = \"fast\"\n", "", 0, &["case.1.label", "missing here and given"]),
    ("[-0.02, 0, 0]", "[-0.01, 0, 0]", 0, &["cases 0 and 1 set the same"]),
    ("[\"aggregates\"]", "[\"agregates\"]", 22, &["analysis.parts", "did you mean `aggregates`"]),
    ("minimum = 1", "alpha_m = 1", 23, &["analysis.alpha_m", "belongs to shape", "remove it"]),
    ("minimum = 1", "at_s = []", 23, &["analysis.at_s", "names no instant"]),
    ("minimum = 1", "at_s = [\"1 h\", -1]", 23, &["analysis.at_s", "-1 s is before the start"]),
    ("[\"aggregates\"]", "[\"shape\"]\nalpha_m = [1, \"big\"]", 23, &["analysis.alpha_m", "big"]),
    ("[\"aggregates\"]", "[\"shape\"]\nalpha_m = [1, 0]", 23, &["analysis.alpha_m", "not positive"]),
    ("[\"aggregates\"]", "[\"shape\"]\nalpha_m = []", 23, &["analysis.alpha_m", "is an empty list"]),
    ("minimum = 1", "list_rows = 0", 23, &["analysis.list_rows", "at least 1"]),
    (
        "[\"aggregates\"]",
        "[\"shape\"]\nlist_rows = 2",
        23,
        &["analysis.list_rows", "belongs to aggregates or clusters"],
    ),
    ("minimum = 1", "frames = \"al\"", 23, &["analysis.frames", "did you mean `all`"]),
    (
        "panels = \"label\"",
        "panels = \"label\"\n[[time_plot]]\ny = \"aggregates.count\"",
        30,
        &["time_plot.0.y", "measured of the last frame alone", "frames = \"all\""],
    ),
    (
        "panels = \"label\"",
        "panels = \"label\"\n[[time_plot]]\ny = [\"aggregates.count\", \"contacts\"]",
        30,
        &["time_plot.0.y", "of the series and of frames", "two plots"],
    ),
    ("minimum = 1", "minimum = 0", 23, &["analysis.minimum", "at least 1"]),
    ("\"restitution_normal\"", "\"restitution_nromal\"", 26, &["plot.0.y", "unknown column", "did you mean"]),
    ("\"restitution_normal\"", "\"outcome.mass\"", 26, &["plot.0.y", "outcome.mass", "unknown column"]),
    (
        "\"restitution_normal\"",
        "\"aggregates.at_7200s.count\"",
        26,
        &["plot.0.y", "unknown column", "aggregates.0.QUANT"],
    ),
    ("\"restitution_normal\"", "[]", 26, &["plot.0.y", "names no column"]),
    ("series = \"pair\"", "names = [\"a\", \"b\"]", 27, &["plot.0.names", "2 names for 1 columns"]),
    (
        "x = \"material.rock.restitution_normal\"",
        "x = [\"bodies\", \"steps\"]",
        25,
        &["plot.0.x", "2 columns along the axis for 1", "name one, or one for each of y"],
    ),
    ("series = \"pair\"", "sereis = \"pair\"", 27, &["plot.0.sereis", "did you mean `series`"]),
    ("panels = \"label\"", "panels = [\"label\", \"seed\", \"pair\"]", 28, &["plot.0.panels", "across and down"]),
    ("panels = \"label\"", "fit_law = \"power\"", 28, &["plot.0.fit_law", "add fit = true"]),
    ("panels = \"label\"", "fit = true\nfit_law = \"cubic\"", 29, &["plot.0.fit_law", "line, power, exponential"]),
    ("panels = \"label\"", "error_bars = \"rms\"", 28, &["plot.0.error_bars", "standard_error, deviation"]),
    ("panels = \"label\"", "[[time_plot]]\ny = \"kinetic_j\"", 29, &["time_plot.0.y", "no column of the series"]),
    ("panels = \"label\"", "[[time_plot]]\nname = \"a\"", 28, &["time_plot.a.y", "names no column"]),
    ("panels = \"label\"", "[[time_plot]]\ny = \"packing_sphere\"\nseries = \"pear\"", 30, &["series", "did you mean"]),
    (
        "panels = \"label\"",
        "[[time_plot]]\ny = [\"contacts\", \"diameter_m\"]\nnames = [\"n\"]",
        30,
        &["time_plot.0.names", "1 names for 2 columns"],
    ),
    (
        "panels = \"label\"",
        "name = \"a\"\n[[time_plot]]\nname = \"a\"\ny = \"contacts\"",
        30,
        &["time_plot.a.name", "\"a\" is taken"],
    ),
    (
        "panels = \"label\"",
        "[[time_plot]]\ny = \"contacts\"\n[[time_plot.curve]]\nlabel = \"a\"\npoints = [[0, 1]]",
        0,
        &["time_plot.0.curve.0.points", "one point is not a curve"],
    ),
    (
        "panels = \"label\"",
        "panels = \"label\"\nfit_where = { label = \"slow\" }",
        29,
        &["plot.0.fit_where", "add fit = true"],
    ),
    (
        "panels = \"label\"",
        "only = [{ column = \"restitution_normal\" }]",
        28,
        &["plot.0.only.0.above", "is missing, and so is below"],
    ),
    (
        "panels = \"label\"",
        "only = [{ column = \"restitution\", above = 1 }]",
        28,
        &["plot.0.only.0.column", "unknown column"],
    ),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"a\"\nexpression = \"bodies +\"",
        30,
        &["column.a.expression", "is no expression"],
    ),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"a\"\nexpression = \"bodys + 1\"",
        30,
        &["column.a.expression", "unknown column \"bodys\"", "did you mean `bodies`"],
    ),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"seed\"\nexpression = \"1 + bodies\"",
        29,
        &["column.seed.name", "is the name of another column"],
    ),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"error\"\nexpression = \"1 + bodies\"",
        29,
        &["column.error.name", "is the name of another column"],
    ),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"a\"\nexpression = \"1 + bodies\"\n[[column]]\nname = \"a\"\nexpression = \"2 + bodies\"",
        32,
        &["column.a.name", "is the name of another column"],
    ),
    ("name = \"pair\"", "name = \"error\"", 0, &["together.error.name", "is the name of another column"]),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nwhere = { label = \"slower\" }",
        30,
        &["picture.a.where", "no case has these values"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nwhere = { pear = \"soft\" }",
        0,
        &["picture.a.where.pear", "unknown column", "did you mean"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\neach = \"bodies\"",
        30,
        &["picture.a.each", "known after the runs alone", "take one of: case, label"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\neach = \"pair\"\nlabels = [\"s\"]",
        31,
        &["picture.a.labels", "1 labels for 2 values"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nlabels = [\"s\"]",
        30,
        &["picture.a.labels", "1 labels for 0 values"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\ntimes_s = \"frist\"",
        30,
        &["picture.a.times_s", "did you mean `first`"],
    ),
    ("panels = \"label\"", "[[picture]]\nname = \"a\"\ntimes_s = []", 30, &["picture.a.times_s", "names no instant"]),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nviews = [\"1,2\"]",
        30,
        &["picture.a.views", "\"1,2\" is no view", "three numbers"],
    ),
    ("panels = \"label\"", "[[picture]]\nname = \"a\"\nviews = [\"0,0,0\"]", 30, &["picture.a.views", "is no view"]),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nshow = \"velocity\"\nviews = [\"1,1,0\"]",
        31,
        &["picture.a.views", "no plane that is seen from 1,1,0"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nshow = \"velocity\"\ncolor = \"id\"",
        31,
        &["picture.a.color", "show = \"bodies\""],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\ncolor = \"sped\"",
        30,
        &["picture.a.color", "did you mean `speed`"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\ncolumns = 2\neach = \"pair\"\ntimes_s = [0, 1]",
        30,
        &["picture.a.columns", "several rows"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nsize = 2800\ntimes_s = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        30,
        &["picture.a.size", "make panels smaller"],
    ),
    (
        "panels = \"label\"",
        "[[picture]]\nname = \"a\"\nscale = \"row\"\nwidth_m = 3",
        30,
        &["picture.a.scale", "no effect with width_m"],
    ),
    ("panels = \"label\"", "[[picture]]\ncolor = \"id\"", 28, &["picture.0.name", "is missing"]),
    ("panels = \"label\"", "name = \"a\"\n[[picture]]\nname = \"a\"", 30, &["picture.a.name", "\"a\" is taken"]),
    ("panels = \"label\"", "style = \"bars\"\nfit = true", 28, &["plot.0.style", "points"]),
    ("panels = \"label\"", "[[plot.curve]]\nlabel = \"a\"", 0, &["plot.0.curve.0.points", "is missing"]),
    ("panels = \"label\"", "[[plot.curve]]\npoints = [[0, 1], [1, 1]]", 0, &["curve.0.label", "is missing"]),
    ("panels = \"label\"", "[[plot.curve]]\nlabel = \"a\"\nlaw = \"leinhardt\"", 30, &["law", "did you mean"]),
    ("panels = \"label\"", "[[expect]]\ny = \"bodies\"", 28, &["expect.0.law", "is missing", "choose one of: mean"]),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"rises\"\nsource = \"a\"",
        28,
        &["expect.0.x", "is missing"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodys\"\nlaw = \"above\"\nlimit = 3\nsource = \"a\"",
        29,
        &["expect.0.y", "unknown column \"bodys\"", "bodies"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"mean\"\nvalue = 0\ntolerance = 0.1\nsource = \"a\"",
        32,
        &["expect.0.tolerance", "tolerance_absolute"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"above\"\nlimit = 3\nx = \"label\"\nsource = \"a\"",
        32,
        &["expect.0.x", "belongs to law = \"rises\" or \"falls\" or \"level\" or \"power\""],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"label\"\norder = [\"a\"]\nsource = \"a\"",
        32,
        &["expect.0.order", "has one value"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"pair\"\norder = [\"soft\", \"hrad\"]\nsource = \"a\"",
        32,
        &["expect.0.order", "no case has pair = hrad", "its values are soft, hard"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"pair\"\nsource = \"a\"",
        31,
        &["expect.0.x", "pair has words: soft, hard", "order"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"above\"\nlimit = 3\nsource = \"a\"\nwhere = { label = \"no\" }",
        33,
        &["expect.0.where", "no case has label = no", "its values are slow, fast"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"seed\"\nsource = \"a\"\nwhere = { seed = 2 }",
        31,
        &["expect.0.x", "seed does not vary"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"above\"\nlimit = 3\nsource = \"a\"\nwhere = { bodies = 3 }",
        33,
        &["expect.0.where.bodies", "known after the runs alone"],
    ),
];

#[test]
fn bad_files_name_file_line_key_and_way_out() {
    for (from, to, line, texts) in BAD {
        assert!(good().contains(from), "{from}");
        let message = match parse(&good().replacen(from, to, 1), "some/bad.toml") {
            Err(e) => {
                assert_eq!(e.exit_code(), 2);
                e.to_string()
            }
            Ok(_) => panic!("accepted: {to}"),
        };
        let front = if *line == 0 { "some/bad.toml:".to_owned() } else { format!("some/bad.toml:{line}: ") };
        let found = message.lines().find(|l| l.starts_with(&front) && texts.iter().all(|t| l.contains(t)));
        assert!(found.is_some(), "{to}: {front} {texts:?} is not in:\n{message}");
    }
    let nothing = parse("format = 1\nscenario = \"bounce\"\n", "a.toml").expect_err("nothing varies").to_string();
    assert!(nothing.contains("nothing varies"), "{nothing}");
    let count = |n: usize| (0..n).map(|k| k.to_string()).collect::<Vec<_>>().join(", ");
    let text = format!("format = 1\nscenario = \"bounce\"\n[grid]\nseed = [{0}]\noutput.frames = [{0}]\n", count(400));
    assert!(parse(&text, "a.toml").expect_err("160,000").to_string().contains("more than 100000 cases"));
    let text = format!("{}[[picture]]\nname = \"a\"\ntimes_s = [{}]\n", good(), count(101));
    assert!(parse(&text, "a.toml").expect_err("101 panels").to_string().contains("has 101 panels, more than 100"));
    let missing = load("no_such_campaign").expect_err("missing").to_string();
    assert!(missing.contains("no_such_campaign") && missing.contains("no such file"), "{missing}");
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
