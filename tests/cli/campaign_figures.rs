//! The numbers behind the plots of a campaign.

use super::campaigns::{GOOD, good, read};
use breccia::campaign::cell::Cell;
use breccia::campaign::figure::{Figure, Point};
use breccia::campaign::remnants::Collision;
use breccia::campaign::table::Table;

/// Q'*_RD, interacting share and eta at which half of the mass is left: piles of 203, 129 and 95 km. Masses are those of
/// 5000, 1250 and 500 spheres of three sizes; values by an independent evaluation of the same equations.
#[test]
fn largest_remnants_follow_leinhardt_and_stewart() {
    let pile = |n: usize| match n {
        5000 => (6.155e19, 203e3),
        1250 => (1.540e19, 129e3),
        _ => (6.174e18, 95e3),
    };
    let table = [
        (5000, 0.0, 1.0, 7.99e4, [6.58, 4.64]),
        (5000, 22.0, 0.684, 1.08e5, [8.88, 6.27]),
        (5000, 44.0, 0.223, 3.44e5, [28.3, 20.0]),
        (1250, 22.0, 0.901, 9.43e4, [8.84, 7.18]),
        (1250, 44.0, 0.342, 3.21e5, [30.1, 24.4]),
        (500, 0.0, 1.0, 1.30e5, [11.5, 10.4]),
        (500, 44.0, 0.468, 3.62e5, [32.1, 28.9]),
    ];
    for (n, impact_angle_deg, share, critical, half) in table {
        let ((target_mass_kg, target_radius_m), (projectile_mass_kg, projectile_radius_m)) = (pile(5000), pile(n));
        let c = |mutual| Collision {
            target_mass_kg,
            target_radius_m,
            projectile_mass_kg,
            projectile_radius_m,
            impact_angle_deg,
            c_star: 5.0,
            mu_bar: 0.37,
            mutual,
        };
        // three digits are given
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 6e-3, "{n}, {impact_angle_deg}: {a}, not {b}");
        close(c(false).interacting_share(), share);
        close(c(false).critical_j_kg(), critical);
        for (mutual, eta) in [(false, half[0]), (true, half[1])] {
            assert!((c(mutual).largest_share(eta) - 0.5).abs() < 3e-3, "{n}, {impact_angle_deg}");
            assert!((c(mutual).largest_share(0.0) - 1.0).abs() < 1e-12);
            // the line ends at 1.8 of the critical energy, the power law begins: both at 0.1
            let end = 0.9 / (1.0 - c(mutual).largest_share(1.0));
            assert!((c(mutual).largest_share(1.001 * end) - 0.1).abs() < 1e-3);
            assert!((c(mutual).largest_share(0.999 * end) - 0.1).abs() < 1e-3);
        }
    }
}

#[test]
fn cases_at_one_x_are_averaged_and_fitted() {
    let text = good().replace("panels = \"label\"", "panels = \"label\"\nfit = true");
    let plot = read(&text).plots.remove(0);
    let columns = ["label", "pair", &plot.x[0], "restitution_normal", "seed"].map(str::to_owned).to_vec();
    let row = |label: &str, pair: &str, x: f64, y: f64| {
        let word = |t: &str| Cell::Text(t.to_owned());
        vec![word(label), word(pair), Cell::Number(x), Cell::Number(y), Cell::Number(1.0)]
    };
    let mut rows = vec![];
    for (x, y) in [(0.3, 1.0), (0.3, 2.0), (0.3, 6.0), (0.6, 8.0), (0.6, 10.0)] {
        rows.push(row("slow", "soft", x, y));
    }
    rows.push(row("fast", "hard", 0.6, 5.0));
    rows.push(vec![Cell::Text("fast".into()), Cell::Text("soft".into()), Cell::Number(0.6), Cell::Empty, Cell::Empty]);
    let table = Table { columns, rows };
    let figure = Figure::of(&plot, &table).expect("a figure");
    assert_eq!((figure.shape, figure.left_out), ([2, 1], 1));
    let soft = &figure.panels[0].series[0];
    assert_eq!((figure.panels[0].title.as_str(), soft.label.as_str()), ("label slow", "soft"));
    // of 1, 2, 6: mean 3, squares 4 + 1 + 9 over two degrees of freedom
    let first = Point {
        x: 0.3,
        mean: 3.0,
        deviation: Some(7.0f64.sqrt()),
        standard_error: Some((7.0f64 / 3.0).sqrt()),
        cases: 3,
    };
    assert_eq!(
        soft.points,
        [first, Point { x: 0.6, mean: 9.0, deviation: Some(2.0f64.sqrt()), standard_error: Some(1.0), cases: 2 }]
    );
    let fit = soft.fit.expect("two values of x");
    // a line through two values goes through their means; what is left is the spread about these
    let rms = ((14.0 + 2.0) / 5.0f64).sqrt();
    assert!((fit.slope - 20.0).abs() < 1e-12 && (fit.intercept + 3.0).abs() < 1e-12 && (fit.rms - rms).abs() < 1e-12);
    let hard = &figure.panels[1].series[1];
    assert_eq!(hard.points, [Point { x: 0.6, mean: 5.0, deviation: None, standard_error: None, cases: 1 }]);
    assert!(hard.fit.is_none() && figure.panels[0].series[1].points.is_empty());
    for (only, fitted) in [("slow", true), ("fast", false)] {
        let text = text.replace("fit = true", &format!("fit = true\nfit_where = {{ label = \"{only}\" }}"));
        let figure = Figure::of(&read(&text).plots[0], &table).expect("a figure");
        assert_eq!(figure.panels[0].series[0].fit.is_some(), fitted, "{only}");
    }
}

/// Several columns are series of their own, or, each with an x of its own, points of one; what ended without a value is
/// counted where it would be, and what waits is not.
#[test]
fn several_columns_and_cases_without_a_value() {
    let plot = |keys: &str| {
        let (front, _) = GOOD.split_once("[[plot]]").expect("a plot");
        let parts = front.replace("[\"aggregates\"]", "[\"aggregates\"]\nat_s = [0.5]");
        read(&(parts + "[[plot]]\n" + keys)).plots.remove(0)
    };
    let columns =
        ["status", "pair", "steps", "aggregates.count", "aggregates.at_0.5s.count"].map(str::to_owned).to_vec();
    let row = |status: &str, pair: &str, numbers: [f64; 3]| {
        let number = |v: f64| if v.is_nan() { Cell::Empty } else { Cell::Number(v) };
        let words = [status, pair].map(|text| Cell::Text(text.to_owned()));
        words.into_iter().chain(numbers.map(number)).collect::<Vec<Cell>>()
    };
    let rows = vec![
        row("done", "soft", [1.0, 4.0, 5.0]),
        row("done", "soft", [2.0, f64::NAN, 6.0]),
        row("failed", "hard", [f64::NAN; 3]),
        row("done", "hard", [2.0, 8.0, f64::NAN]),
        row("waiting", "soft", [f64::NAN; 3]),
    ];
    let table = Table { columns, rows };
    let y = "y = [\"aggregates.count\", \"aggregates.at_0.5s.count\"]\n";
    let points = |s: &breccia::campaign::figure::Series| s.points.iter().map(|p| (p.x, p.mean)).collect::<Vec<_>>();
    let figure =
        Figure::of(&plot(&format!("x = \"steps\"\n{y}names = [\"end\", \"half\"]\nseries = \"pair\"\n")), &table);
    let figure = figure.expect("a figure");
    let series = &figure.panels[0].series;
    let told: Vec<_> = series.iter().map(|s| (s.label.as_str(), points(s), s.missing)).collect();
    let expected = [
        ("soft, end", vec![(1.0, 4.0)], 1),
        ("soft, half", vec![(1.0, 5.0), (2.0, 6.0)], 0),
        ("hard, end", vec![(2.0, 8.0)], 1),
        ("hard, half", vec![], 2),
    ];
    assert_eq!(told, expected);
    assert_eq!((figure.missing, figure.left_out), (3, 2));
    assert_eq!((figure.panels[0].missing, figure.panels[0].cases), (3, 4));
    let drawn = breccia::campaign::panels::draw(&plot(&format!("x = \"steps\"\n{y}")), &figure).expect("draws");
    assert!(drawn.contains("3 of 4 without a value"), "the picture tells it");
    // y of 4 against an x of 5, and so on: cases that have both
    let pairs = "x = [\"aggregates.at_0.5s.count\", \"steps\"]\ny = [\"aggregates.count\", \"aggregates.count\"]\n";
    let figure = Figure::of(&plot(pairs), &table).expect("a figure");
    assert_eq!(points(&figure.panels[0].series[0]), [(1.0, 4.0), (2.0, 8.0), (5.0, 4.0)]);
    assert_eq!((figure.panels[0].series.len(), figure.missing), (1, 3));
    let only = format!("x = \"steps\"\n{y}only = [{{ column = \"aggregates.count\", above = 0 }}]\n");
    assert_eq!(Figure::of(&plot(&only), &table).expect("a figure").missing, 1, "what `only` asks for is asked for");
}

/// A split by what has no number leaves no point: there is nothing to draw, and no axis without ends.
#[test]
fn a_plot_without_points_is_none() {
    let split = "split = { column = \"packing_final\", at = 1, below = \"a\", above = \"b\" }";
    let plot = read(&good().replace("panels = \"label\"", split)).plots.remove(0);
    let columns = ["packing_final", &plot.x[0], "restitution_normal"].map(str::to_owned).to_vec();
    let row = |pair: &str| vec![Cell::Text(pair.to_owned()), Cell::Number(0.3), Cell::Number(0.4)];
    let table = Table { columns, rows: vec![row("soft"), row("hard")] };
    assert!(Figure::of(&plot, &table).is_none());
}

/// Values that differ in the fifth digit, and decades however small: each tick has a text of its own.
#[test]
fn ticks_of_a_campaign_differ() {
    for (logarithmic, values) in [("", [0.642_61, 0.642_66]), ("y_logarithmic = true\n", [2e-17, 3e-15])] {
        let text = good().replace("panels = \"label\"", &format!("{logarithmic}panels = \"label\""));
        let plot = read(&text).plots.remove(0);
        let columns = ["label", "pair", &plot.x[0], "restitution_normal"].map(str::to_owned).to_vec();
        let word = |t: &str| Cell::Text(t.to_owned());
        let row = |x: f64, y: f64| vec![word("slow"), word("soft"), Cell::Number(x), Cell::Number(y)];
        let table = Table { columns, rows: vec![row(0.3, values[0]), row(0.6, values[1])] };
        let figure = Figure::of(&plot, &table).expect("a figure");
        let drawn = breccia::campaign::panels::draw(&plot, &figure).expect("draws");
        let mut numbers: Vec<&str> = drawn.lines().filter(|line| line.parse::<f64>().is_ok()).collect();
        let of_y = |text: &&str| (0.5 * values[0]..2.0 * values[1]).contains(&text.parse().unwrap_or(f64::NAN));
        let ticks = numbers.iter().copied().filter(of_y).count();
        assert!(ticks >= 3, "{numbers:?}");
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "{numbers:?}");
    }
}

/// A value that decades cannot show parts the line: it would else run over the gap.
#[test]
fn a_line_ends_at_what_decades_cannot_show() {
    let lines = |values: [f64; 5]| {
        let text = good().replace("panels = \"label\"", "y_logarithmic = true\nstyle = \"lines\"\npanels = \"label\"");
        let plot = read(&text).plots.remove(0);
        let columns = ["label", "pair", &plot.x[0], "restitution_normal"].map(str::to_owned).to_vec();
        let word = |t: &str| Cell::Text(t.to_owned());
        let row = |(k, y): (usize, &f64)| vec![word("slow"), word("soft"), Cell::Number(k as f64), Cell::Number(*y)];
        let table = Table { columns, rows: values.iter().enumerate().map(row).collect() };
        let figure = Figure::of(&plot, &table).expect("a figure");
        let drawn = breccia::campaign::panels::draw(&plot, &figure).expect("draws");
        drawn.matches("<polyline").count()
    };
    let (whole, parted) = (lines([1.0, 10.0, 5.0, 100.0, 1000.0]), lines([1.0, 10.0, 0.0, 100.0, 1000.0]));
    assert_eq!(parted, whole + 1, "the line has two parts");
}
