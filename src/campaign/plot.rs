//! `[[plot]]`: which columns of the table are drawn, and which reference curves with them.

use super::analysis::Analysis;
use super::expand::shown;
use super::remnants::Collision;
use super::table::{Cell, OF_RUN, varied};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::quantities::QUANTITIES;
use std::collections::HashSet;

/// A picture of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// of the file
    pub name: String,
    /// column along the axis
    pub x: String,
    /// column that is shown
    pub y: String,
    /// column whose values have a symbol each
    pub series: Option<String>,
    /// columns whose values have a panel each: first across, then down
    pub panels: Vec<String>,
    /// how values are drawn
    pub style: Style,
    /// text at the axes
    pub labels: [String; 2],
    /// decades, of x and y
    pub logarithmic: [bool; 2],
    /// a straight line of least squares through each series of the panels where this holds
    pub fit: Option<Conditions>,
    /// colours by what side of a number a column is on
    pub split: Option<Split>,
    /// reference curves
    pub curves: Vec<Curve>,
}

/// How values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// symbols
    Points,
    /// symbols, joined
    Lines,
    /// bars in groups
    Bars,
}

/// Colours by what side of a number a column is on.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// of the table
    pub column: String,
    /// where it changes
    pub at: f64,
    /// names of values up to it, and above
    pub names: [String; 2],
}

/// Columns and their values in the panels that are meant; none: all are.
pub type Conditions = Vec<(String, Cell)>;

/// A reference curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// in the legend
    pub label: String,
    /// in the panels that have it
    pub only: Conditions,
    /// what is drawn
    pub shape: Shape,
}

/// What a reference curve is.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// through these points
    Points(Vec<[f64; 2]>),
    /// share of the largest remnant against eta
    Remnants(Collision),
}

/// Columns that a table will have.
pub struct Known {
    /// what varies
    varied: Vec<String>,
    /// what runs show
    shown: Vec<String>,
    /// measured parts, whose columns are known when they are measured
    parts: Vec<String>,
}

/// Quantities of regions, which a scenario names, end so.
const OF_REGIONS: &str = "_bodies_final";

impl Known {
    /// The columns of a campaign in which `columns` vary.
    pub fn new(columns: &[String], analysis: Option<&Analysis>) -> Known {
        let shown = OF_RUN.into_iter().chain(QUANTITIES.iter().map(|q| q.0)).chain(["case"]);
        Known {
            varied: columns.to_vec(),
            shown: shown.map(str::to_owned).collect(),
            parts: analysis.map_or(vec![], |a| a.parts.clone()),
        }
    }

    /// The column of this name, or the only one that ends so behind a dot; what varies comes first.
    fn varied(&self, t: &Table, key: &str, name: &str) -> String {
        if self.varied.iter().any(|c| c == name) {
            return name.to_owned();
        }
        let ends: Vec<&String> = self.varied.iter().filter(|c| c.ends_with(&format!(".{name}"))).collect();
        match ends[..] {
            [column] => column.clone(),
            [] => self.shown(t, key, name),
            _ => {
                let list = ends.iter().map(|c| c.as_str()).collect::<Vec<_>>().join(", ");
                t.fault(key, format!("\"{name}\" may be any of {list}; write one of them"));
                name.to_owned()
            }
        }
    }

    /// The column of this name: what runs show comes first.
    fn shown(&self, t: &Table, key: &str, name: &str) -> String {
        let measured = self.parts.iter().any(|p| name.starts_with(&format!("{p}."))) || name.ends_with(OF_REGIONS);
        if measured || self.shown.iter().any(|c| c == name) {
            return name.to_owned();
        }
        if self.varied.iter().any(|c| c == name || c.ends_with(&format!(".{name}"))) {
            return self.varied(t, key, name);
        }
        let parts = self.parts.iter().map(|p| format!("{p}.QUANTITY")).collect::<Vec<_>>();
        let known = self.varied.iter().chain(&self.shown).chain(&parts).map(String::as_str);
        t.fault(key, format!("\"{name}\" is no column of the table; {}", t.hint(name, known)));
        name.to_owned()
    }
}

/// Reads all plots.
pub fn read(root: &Table, known: &Known) -> Vec<Plot> {
    let tables = root.tables("plot");
    let plots: Vec<Plot> = tables.iter().map(|t| plot(t, known)).collect();
    let mut taken = HashSet::new();
    for (t, p) in tables.iter().zip(&plots).filter(|(_, p)| !taken.insert(p.name.as_str())) {
        t.fault("name", format!("\"{}\" is taken; give every [[plot]] its own name", p.name));
    }
    plots
}

fn plot(t: &Table, known: &Known) -> Plot {
    let column = |key: &str| {
        let name = t.text(key).unwrap_or_else(|| {
            if !t.has(key) {
                t.fault(key, "is missing: a column of the table");
            }
            String::new()
        });
        match name.as_str() {
            "" => name,
            _ if key == "y" => known.shown(t, key, &name),
            _ => known.varied(t, key, &name),
        }
    };
    let (x, y) = (column("x"), column("y"));
    let name = t.name("name").unwrap_or_else(|| format!("{}_over_{}", tail(&y), tail(&x)));
    let style = match t.choice("style", &["points", "lines", "bars"], Some("points")).as_str() {
        "points" => Style::Points,
        "lines" => Style::Lines,
        _ => Style::Bars,
    };
    let plot = Plot {
        name,
        series: t.has("series").then(|| column("series")),
        panels: panels(t, known),
        style,
        labels: [("x_label", &x), ("y_label", &y)].map(|(key, c)| t.text(key).unwrap_or_else(|| tail(c).to_owned())),
        logarithmic: ["x_logarithmic", "y_logarithmic"].map(|key| t.flag(key, false)),
        fit: fit(t, known),
        split: t.has("split").then(|| split(&t.table("split"), known)),
        curves: t.tables("curve").iter().map(|c| curve(c, known)).collect(),
        x,
        y,
    };
    if plot.fit.is_some() && plot.logarithmic != [false; 2] {
        t.fault("fit", "is a straight line on plain axes; leave it out, or x_logarithmic and y_logarithmic");
    }
    if plot.style == Style::Bars && (plot.fit.is_some() || plot.logarithmic != [false; 2] || !plot.curves.is_empty()) {
        t.fault("style", "bars stand at names, from zero: without fit, curves and decades; write style = \"points\"");
    }
    t.close();
    plot
}

fn tail(column: &str) -> &str {
    column.rsplit('.').next().unwrap_or(column)
}

fn panels(t: &Table, known: &Known) -> Vec<String> {
    let names = match t.text_if("panels") {
        Some(one) => vec![one],
        None => t.texts("panels").unwrap_or_default(),
    };
    if names.len() > 2 {
        t.fault("panels", "are by one column, or by two: across and down");
    }
    names.iter().map(|name| known.varied(t, "panels", name)).collect()
}

fn split(t: &Table, known: &Known) -> Split {
    let text = |key: &str| {
        t.text(key).unwrap_or_else(|| {
            t.fault(key, "is missing: a name for the legend");
            String::new()
        })
    };
    let column = text("column");
    let split = Split {
        column: if column.is_empty() { column } else { known.shown(t, "column", &column) },
        at: t.need("at", D::Pure),
        names: ["below", "above"].map(text),
    };
    t.close();
    split
}

/// The table `key`, its keys columns of panels.
fn conditions(t: &Table, key: &str, known: &Known) -> Conditions {
    let only = t.table(key);
    let given = only.flat(&[]);
    given.iter().map(|(key, value)| (known.varied(&only, key, key), varied(&shown(value)))).collect()
}

fn fit(t: &Table, known: &Known) -> Option<Conditions> {
    let (wanted, only) = (t.flag("fit", false), conditions(t, "fit_where", known));
    if !wanted && !only.is_empty() {
        t.fault("fit_where", "says which panels have a fit; add fit = true, or remove it");
    }
    wanted.then_some(only)
}

fn curve(t: &Table, known: &Known) -> Curve {
    let label = t.text("label").unwrap_or_else(|| {
        t.fault("label", "is missing: what the legend calls the curve");
        String::new()
    });
    let shape = match t.choice("law", &["points", "leinhardt_stewart_2012"], Some("points")).as_str() {
        "points" => {
            let points = t.pairs("points");
            if points.len() < 2 {
                t.fault("points", "are missing: two and more, [[x, y], [x, y], ...]; or name a `law`");
            }
            Shape::Points(points)
        }
        _ => Shape::Remnants(collision(t)),
    };
    let only = conditions(t, "where", known);
    t.close();
    Curve { label, only, shape }
}

fn collision(t: &Table) -> Collision {
    let positive = |key: &str, dimension| t.positive(key, t.need(key, dimension));
    let c = Collision {
        target_mass_kg: positive("target_mass_kg", D::Mass),
        target_radius_m: positive("target_radius_m", D::Length),
        projectile_mass_kg: positive("projectile_mass_kg", D::Mass),
        projectile_radius_m: positive("projectile_radius_m", D::Length),
        impact_angle_deg: t.within("impact_angle_deg", t.need("impact_angle_deg", D::Pure), 0.0, 89.0),
        c_star: t.positive("c_star", t.number("c_star", D::Pure).unwrap_or(5.0)),
        mu_bar: t.within("mu_bar", t.number("mu_bar", D::Pure).unwrap_or(0.37), 0.33, 0.67),
        mutual: t.choice("potential", &["self", "mutual"], Some("self")) == "mutual",
    };
    if c.projectile_mass_kg > c.target_mass_kg {
        t.fault("projectile_mass_kg", "is above target_mass_kg; the heavier body is the target");
    }
    c
}
