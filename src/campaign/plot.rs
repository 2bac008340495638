//! `[[plot]]`: which columns of the table are drawn, and which reference curves with them.

use super::cell::varied;
use super::expand::cell;
use super::known::Known;
use super::model::{Conditions, Curve, ErrorBars, FitLaw, Fitted, Plot, Shape, Split, Style, Within};
use super::remnants::Collision;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind, Word};
use std::collections::HashSet;

/// Keys of `[[plot]]`.
pub(super) const KEYS: &[Key] = &[
    Key::either("x", &[Kind::Text, Kind::Texts])
        .required()
        .says("column along the axis, the last parts of a key are enough; or one for each of several y")
        .eg("\"friction_sliding\""),
    Key::either("y", &[Kind::Text, Kind::Texts])
        .required()
        .says("column that is shown, or several; a quantity of the runs comes before a key of the same name")
        .eg("\"packing_final\""),
    Key::with_kind("names", Kind::Texts)
        .without("the columns; with several x none: all are of one series")
        .says("names of several y in the legend")
        .eg("[\"solver\", \"gravity\"]"),
    Key::name("name").without("Y_over_X").says("name of the file").eg("\"packing\""),
    Key::text("series").says("column whose values have a symbol and a colour each").eg("\"restitution_normal\""),
    Key::either("panels", &[Kind::Text, Kind::Texts])
        .says("column whose values have a panel each; or two columns, across and down")
        .eg("[\"eta\", \"impact_angle_deg\"]"),
    Key::choice(
        "style",
        &[
            Word::new("points", "symbols"),
            Word::new("lines", "symbols that are joined"),
            Word::new("bars", "grouped bars from zero"),
        ],
    )
    .or_word("points")
    .says("how values are drawn")
    .eg("\"lines\""),
    Key::text("x_label").without("name of the column").says("text at the x axis").eg("\"friction\""),
    Key::text("y_label").without("name of the column").says("text at the y axis").eg("\"packing\""),
    Key::flag("x_logarithmic").says("the x axis has decades").eg("true"),
    Key::flag("y_logarithmic").says("the y axis has decades").eg("true"),
    Key::choice(
        "error_bars",
        &[
            Word::new("standard_error", "of the mean of the cases at one x"),
            Word::new("deviation", "standard deviation of these cases"),
        ],
    )
    .or_word("standard_error")
    .says("what the error bars are")
    .eg("\"deviation\""),
    Key::flag("fit").says("fits a law to all cases of each series, by least squares").eg("true"),
    Key::choice(
        "fit_law",
        &[
            Word::new("line", "y = a + b x"),
            Word::new("power", "y = a x^b, through the logarithms of both"),
            Word::new("exponential", "y = a exp(b x), through the logarithms of y"),
        ],
    )
    .or_word("line")
    .says("what is fitted")
    .eg("\"power\""),
    Key::with_kind("fit_where", Kind::Settings)
        .without("all panels")
        .says("columns and their values in the panels that have a fit")
        .eg("{ impact_angle_deg = 22 }"),
    Key::table("split", SPLIT)
        .says("two colours, by what side of a number a column is on")
        .eg("{ column = \"eta\", at = 1, below = \"bound\", above = \"free\" }"),
    Key::tables("only", ONLY)
        .says("leaves out cases whose number in a column is missing or outside of limits")
        .eg("[{ column = \"aggregates.0.rigid_share\", above = 0.5 }]"),
    Key::tables("curve", CURVE).says("a reference curve").eg("[{ label = \"theory\", points = [[0, 0], [1, 1]] }]"),
];

const SPLIT: &[Key] = &[
    Key::text("column").required().says("column of the table").eg("\"eta\""),
    Key::number("at", D::Pure).required().says("number between the two colours").eg("1"),
    Key::text("below").required().says("name of values up to it, for the legend").eg("\"bound\""),
    Key::text("above").required().says("name of values above it, for the legend").eg("\"free\""),
];

pub(super) const ONLY: &[Key] = &[
    Key::text("column").required().says("column of the table").eg("\"aggregates.0.rigid_share\""),
    Key::number("above", D::Pure).without("no limit").says("the number is above this one").eg("0.5"),
    Key::number("below", D::Pure).without("no limit").says("the number is below this one").eg("100"),
];

const CURVE: &[Key] = &[
    Key::text("label").required().says("name of the curve in the legend").eg("\"theory\""),
    Key::choice("law", LAWS).or_word("points").says("what the curve is").eg("\"points\""),
    Key::with_kind("where", Kind::Settings)
        .without("all panels")
        .says("columns and their values in the panels that have the curve")
        .eg("{ impact_angle_deg = 22 }"),
];

const LAWS: &[Word] = &[
    Word::with(
        "points",
        "a line through points",
        &[Key::with_kind("points", Kind::Pairs).required().says("two points or more").eg("[[0, 0], [1, 1]]")],
    ),
    Word::with(
        "leinhardt_stewart_2012",
        "the mass of the largest remnant over that of both bodies, by Leinhardt and Stewart (2012)",
        &[
            Key::positive("target_mass_kg", D::Mass).required().says("mass of the target").eg("1e18"),
            Key::positive("target_radius_m", D::Length).required().says("radius of the target").eg("\"95 km\""),
            Key::positive("projectile_mass_kg", D::Mass).required().says("mass of the projectile").eg("1e18"),
            Key::positive("projectile_radius_m", D::Length).required().says("radius of the projectile").eg("\"95 km\""),
            Key::within("impact_angle_deg", D::Pure, 0.0, 89.0).required().says("impact angle, in degrees").eg("22"),
            Key::positive("c_star", D::Pure).or(5.0).says("c* of the paper").eg("5"),
            Key::within("mu_bar", D::Pure, 0.33, 0.67).or(0.37).says("mu-bar of the paper").eg("0.37"),
            Key::choice(
                "potential",
                &[
                    Word::new("self", "eta is relative to the potential energy of each body by itself"),
                    Word::new("mutual", "eta is relative to the potential energy with the bodies in contact"),
                ],
            )
            .or_word("self")
            .says("potential energy that eta refers to")
            .eg("\"mutual\""),
        ],
    ),
];

/// Reads all plots.
pub fn read(root: &Table, known: &Known) -> Vec<Plot> {
    root.tables("plot").iter().map(|t| plot(t, known)).collect()
}

/// The fault of plots whose files would have one name.
pub(super) fn names_of_their_own<'a>(tables: &[Table], names: impl Iterator<Item = &'a str>) {
    let mut taken = HashSet::new();
    for (t, name) in tables.iter().zip(names).filter(|(_, name)| !taken.insert(*name)) {
        t.fault("name", format!("\"{name}\" is taken"), "give every plot and picture a name of its own");
    }
}

fn plot(t: &Table, known: &Known) -> Plot {
    let (x, y) = (columns(t, "x", known), columns(t, "y", known));
    if x.len() > 1 && x.len() != y.len() {
        let what = format!("there are {} columns along the axis for {} that are shown", x.len(), y.len());
        t.fault("x", what, "name one, or one for each of y");
    }
    let names = names(t, &x, &y);
    let [first_x, first_y] = [&x, &y].map(|list| list.first().map_or("", |c| tail(c)).to_owned());
    let name = t.name("name").unwrap_or_else(|| format!("{first_y}_over_{first_x}"));
    let style = match t.choice("style") {
        "points" => Style::Points,
        "lines" => Style::Lines,
        _ => Style::Bars,
    };
    let plot = Plot {
        name,
        series: t.text("series").map(|name| known.telling(t, "series", &name)),
        panels: panels(t, known),
        style,
        labels: [("x_label", first_x), ("y_label", first_y)].map(|(key, c)| t.text(key).unwrap_or(c)),
        logarithmic: ["x_logarithmic", "y_logarithmic"].map(|key| t.flag(key)),
        error_bars: match t.choice("error_bars") {
            "standard_error" => ErrorBars::StandardError,
            _ => ErrorBars::Deviation,
        },
        fit: fit(t, known),
        split: t.table_if("split").map(|s| split(&s, known)),
        curves: t.tables("curve").iter().map(|c| curve(c, known)).collect(),
        only: t.tables("only").iter().map(|o| within(o, known)).collect(),
        x,
        y,
        names,
    };
    if plot.style == Style::Bars && (plot.fit.is_some() || plot.logarithmic != [false; 2] || !plot.curves.is_empty()) {
        t.fault("style", "bars go without fit, curves and decades", "write style = \"points\"");
    }
    t.close();
    plot
}

/// The columns of `x` or `y`, which must be there.
fn columns(t: &Table, key: &str, known: &Known) -> Vec<String> {
    let names = if t.has(key) {
        one_or_more(t, key)
    } else {
        t.text(key).into_iter().collect() // which says that it is missing
    };
    if names.is_empty() && t.has(key) {
        t.fault(key, "names no column", "name one or more columns of the table");
    }
    let column = |name: &String| if key == "y" { known.shown(t, key, name) } else { known.varied(t, key, name) };
    names.iter().map(column).collect()
}

/// What the legend calls several columns.
fn names(t: &Table, x: &[String], y: &[String]) -> Vec<String> {
    match given_names(t, y) {
        Some(names) => names,
        None if y.len() > 1 && x.len() == 1 => y.to_vec(),
        None => vec![],
    }
}

/// `names`, one for each column, if they are given.
pub(super) fn given_names(t: &Table, columns: &[String]) -> Option<Vec<String>> {
    let names = t.texts("names")?;
    if names.len() != columns.len() {
        let what = format!("there are {} names for {} columns", names.len(), columns.len());
        t.fault("names", what, "give a name for each column");
    }
    Some(names)
}

/// A text or a list of texts.
pub(super) fn one_or_more(t: &Table, key: &str) -> Vec<String> {
    t.text_if(key).map_or_else(|| t.texts(key).unwrap_or_default(), |one| vec![one])
}

pub(super) fn tail(column: &str) -> &str {
    column.rsplit('.').next().unwrap_or(column)
}

pub(super) fn panels(t: &Table, known: &Known) -> Vec<String> {
    let names = one_or_more(t, "panels");
    if names.len() > 2 {
        t.fault("panels", "names more than two columns", "name one, or two: across and down");
    }
    names.iter().map(|name| known.telling(t, "panels", name)).collect()
}

fn split(t: &Table, known: &Known) -> Split {
    let text = |key: &str| t.text(key).unwrap_or_default();
    let column = text("column");
    let split = Split {
        column: if column.is_empty() { column } else { known.shown(t, "column", &column) },
        at: t.value("at"),
        names: ["below", "above"].map(text),
    };
    t.close();
    split
}

pub(super) fn within(t: &Table, known: &Known) -> Within {
    let column = t.text("column").unwrap_or_default();
    if !t.has("above") && !t.has("below") {
        t.fault("above", "is missing, and so is below", "give one of the two, or both");
    }
    let within = Within {
        column: if column.is_empty() { column } else { known.shown(t, "column", &column) },
        above: t.value_if("above"),
        below: t.value_if("below"),
    };
    t.close();
    within
}

/// The table `key`, its keys columns of panels.
pub(super) fn conditions(t: &Table, key: &str, known: &Known) -> Conditions {
    conditions_on(t, key, |only, name| known.varied(only, name, name))
}

/// The table `key`, its keys columns that `column` names in full.
pub(super) fn conditions_on(t: &Table, key: &str, column: impl Fn(&Table, &str) -> String) -> Conditions {
    let only = t.table(key);
    let given = only.settings();
    given.iter().map(|(name, value)| (column(&only, name), varied(&cell(value)))).collect()
}

fn fit(t: &Table, known: &Known) -> Option<Fitted> {
    let (wanted, only) = (t.flag("fit"), conditions(t, "fit_where", known));
    for key in ["fit_where", "fit_law"].into_iter().filter(|key| !wanted && t.has(key)) {
        t.fault(key, "has no effect without a fit", "add fit = true, or remove it");
    }
    let law = match t.choice("fit_law") {
        "line" => FitLaw::Line,
        "power" => FitLaw::Power,
        _ => FitLaw::Exponential,
    };
    wanted.then_some(Fitted { law, only })
}

fn curve(t: &Table, known: &Known) -> Curve {
    let label = t.text("label").unwrap_or_default();
    let shape = match t.choice("law") {
        "points" => points(t),
        _ => Shape::Remnants(collision(t)),
    };
    let only = conditions(t, "where", known);
    t.close();
    Curve { label, only, shape }
}

/// A line through two points or more.
pub(super) fn points(t: &Table) -> Shape {
    let points = t.pairs("points");
    if points.len() == 1 {
        t.fault("points", "one point is not a curve", "give two points or more: [[x, y], [x, y], ...]");
    }
    Shape::Points(points)
}

fn collision(t: &Table) -> Collision {
    let c = Collision {
        target_mass_kg: t.value("target_mass_kg"),
        target_radius_m: t.value("target_radius_m"),
        projectile_mass_kg: t.value("projectile_mass_kg"),
        projectile_radius_m: t.value("projectile_radius_m"),
        impact_angle_deg: t.value("impact_angle_deg"),
        c_star: t.value("c_star"),
        mu_bar: t.value("mu_bar"),
        mutual: t.choice("potential") == "mutual",
    };
    if c.projectile_mass_kg > c.target_mass_kg {
        t.fault("projectile_mass_kg", "is above target_mass_kg", "make the heavier body the target");
    }
    c
}
