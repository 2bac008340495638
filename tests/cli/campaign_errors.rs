//! What is wrong in a campaign's file is named with its line, its key and the way out.

use super::campaigns::good;
use breccia::campaign::load;
use breccia::campaign::parse::parse;

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
        "minimum = 1\n",
        "minimum = 1\nframes = \"all\"\nat_s = [0.5]\n[[time_plot]]\ny = \"aggregates.at_0.5s.count\"\n",
        27,
        &["time_plot.0.y", "is measured at one instant"],
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
    ("panels = \"label\"", "[[time_plot]]\ny = \"kinetic_j\"", 29, &["time_plot.0.y", "unknown column"]),
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
        &["column.a.expression", "cannot be read as an expression"],
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
        &["picture.a.views", "unknown view \"1,2\"", "three numbers"],
    ),
    ("panels = \"label\"", "[[picture]]\nname = \"a\"\nviews = [\"0,0,0\"]", 30, &["picture.a.views", "unknown view"]),
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
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"label\"\norder = [\"slow\", \"fast\"]\nsource = \"a\"\npaired_by = \"label\"",
        34,
        &["expect.0.paired_by", "label does not vary among cases of one label"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"falls\"\nx = \"label\"\norder = [\"slow\", \"fast\"]\nsource = \"a\"\npaired_by = \"bodies\"",
        34,
        &["expect.0.paired_by", "known after the runs alone"],
    ),
    (
        "panels = \"label\"",
        "[[expect]]\ny = \"bodies\"\nlaw = \"above\"\nlimit = 3\nsource = \"a\"\npaired_by = \"seed\"",
        33,
        &["expect.0.paired_by", "belongs to law = \"rises\" or \"falls\" or \"level\" or \"power\""],
    ),
    (
        "series = \"pair\"",
        "series = \"packing_final\"",
        0,
        &["plot.0.series", "is measured", "take a column that varies: case"],
    ),
    ("panels = \"label\"", "panels = \"aggregates.count\"", 0, &["plot.0.panels", "is measured"]),
    (
        "panels = \"label\"",
        "[[time_plot]]\ny = \"contacts\"\nseries = \"packing_final\"",
        0,
        &["time_plot.0.series", "is measured"],
    ),
    (
        "panels = \"label\"",
        "curve = [{ label = \"a\", points = [[0, 0], [1, 1]], where = { packing_final = 3 } }]",
        0,
        &["plot.0.curve.0.where", "packing_final has no panels of its own"],
    ),
    (
        "panels = \"label\"",
        "panels = \"label\"\ncurve = [{ label = \"a\", points = [[0, 0], [1, 1]], where = { label = \"sloe\" } }]",
        0,
        &["plot.0.curve.0.where", "no case has label = sloe", "its values are slow, fast"],
    ),
    (
        "panels = \"label\"",
        "fit = true\nfit_where = { seed = 1 }",
        0,
        &["plot.0.fit_where", "seed has no panels of its own"],
    ),
    (
        "panels = \"label\"",
        "only = [{ column = \"label\", above = 1 }]",
        0,
        &["plot.0.only.0.column", "is a word, and a limit needs numbers"],
    ),
    (
        "panels = \"label\"",
        "only = [{ column = \"seed\", above = 5 }]",
        0,
        &["plot.0.only.0.column", "no case has seed within these limits", "1, 2, 3"],
    ),
    (
        "panels = \"label\"",
        "split = { column = \"pair\", at = 1, below = \"a\", above = \"b\" }",
        0,
        &["plot.0.split.column", "is a word"],
    ),
    ("label = \"fast\"", "label = \" \"", 0, &["case.1.label", "a label is empty"]),
    ("[\"soft\", \"hard\"]", "[\"soft\", \"\"]", 0, &["together.pair.labels", "a label is empty"]),
    (
        "[\"soft\", \"hard\"]",
        "[\"1.1\", \"1.10\"]",
        0,
        &["together.pair.labels", "\"1.1\" and \"1.10\" are one number"],
    ),
    ("name = \"pair\"", "name = \"soft\"\nsoft = [1, 2]", 0, &["together.soft.name", "the name of another column"]),
    ("name = \"pair\"", "name = \"G\"", 0, &["together.G.name", "is a constant of expressions"]),
    ("panels = \"label\"", "[[column]]\nname = \"PI\"\nexpression = \"bodies + 1\"", 0, &["column.", "is a constant"]),
    ("panels = \"label\"", "[[column]]\nname = \"G\"\nexpression = \"bodies + 1\"", 0, &["column.", "is a constant"]),
    ("panels = \"label\"", "[[column]]\nname = \"\"\nexpression = \"bodies + 1\"", 0, &["column.", "is empty"]),
    ("panels = \"label\"", "[[column]]\nname = \" \"\nexpression = \"bodies + 1\"", 0, &["column.", "is empty"]),
    ("panels = \"label\"", "[[column]]\nname = \"a}b\"\nexpression = \"bodies + 1\"", 0, &["column.", "has braces"]),
    (
        "panels = \"label\"",
        "[[column]]\nname = \"a\\tb\"\nexpression = \"bodies + 1\"",
        0,
        &["column.", "control character"],
    ),
    (
        "panels = \"label\"",
        "[[time_plot]]\ny = \"contacts\"\n[[time_plot.curve]]\nlabel = \"a\"\npoints = [[0, 1], [1, 1]]\nwhere = { seed = 1 }",
        0,
        &["time_plot.0.curve.0.where", "seed has no panels of its own"],
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
