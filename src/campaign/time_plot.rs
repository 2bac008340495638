//! `[[time_plot]]`: columns of the series of all finished cases against time, a line for each case.

use super::cell::Cell;
use super::directory::run_of;
use super::figure::{Figure, Line, Panel, Point, Series, arranged, distinct, holds, line, title, write};
use super::model::{Campaign, Curve, ErrorBars, Plot, Style, TimePlot};
use super::plot::{Known, conditions, panels, points};
use super::table::Table as Results;
use crate::base::error::Result;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind};
use crate::physics::measure::columns;
use crate::record::files::series::read as read_series;
use crate::render::scale::time_unit;
use std::path::{Path, PathBuf};

/// Rows of a case that are drawn, at most.
const ROWS_MAX: usize = 500;

/// Keys of `[[time_plot]]`.
pub(super) const KEYS: &[Key] = &[
    Key::either("y", &[Kind::Text, Kind::Texts])
        .required()
        .says("column of the series; or several, each with a colour")
        .eg("[\"semi_axis_a_m\", \"semi_axis_b_m\", \"semi_axis_c_m\"]"),
    Key::with_kind("names", Kind::Texts)
        .without("the columns")
        .says("names of several columns in the legend")
        .eg("[\"a\", \"b\", \"c\"]"),
    Key::name("name").without("Y_over_time").says("name of the file").eg("\"semi_axes\""),
    Key::text("series").says("column of the table whose values have a colour each").eg("\"friction_sliding\""),
    Key::either("panels", &[Kind::Text, Kind::Texts])
        .says("column of the table whose values have a panel each; or two columns, across and down")
        .eg("\"friction_sliding\""),
    Key::text("y_label").without("name of the column").says("text at the y axis").eg("\"semi-axis (m)\""),
    Key::flag("x_logarithmic").says("the axis of time has decades").eg("true"),
    Key::flag("y_logarithmic").says("the y axis has decades").eg("true"),
    Key::tables("curve", CURVE).says("a reference curve").eg("[{ label = \"theory\", points = [[0, 0], [60, 1]] }]"),
];

const CURVE: &[Key] = &[
    Key::text("label").required().says("name of the curve in the legend").eg("\"theory\""),
    Key::with_kind("points", Kind::Pairs)
        .required()
        .says("two points or more: seconds, and the unit of the column")
        .eg("[[0, 0], [60, 1]]"),
    Key::with_kind("where", Kind::Settings)
        .without("all panels")
        .says("columns and their values in the panels that have the curve")
        .eg("{ impact_angle_deg = 22 }"),
];

/// Reads all of them.
pub fn read(root: &Table, known: &Known) -> Vec<TimePlot> {
    root.tables("time_plot").iter().map(|t| time_plot(t, known)).collect()
}

fn time_plot(t: &Table, known: &Known) -> TimePlot {
    let columns = match t.text_if("y") {
        Some(one) => vec![one],
        None => t.texts("y").unwrap_or_default(),
    };
    if columns.is_empty() {
        t.fault("y", "names no column", "name one or more columns of series.csv");
    }
    for name in columns.iter().filter(|name| !columns::is_known(name)) {
        t.fault("y", format!("\"{name}\" is no column of the series"), "take one of the columns that docs/user/output.md lists");
    }
    let names = t.texts("names").unwrap_or_else(|| columns.clone());
    if names.len() != columns.len() {
        let what = format!("there are {} names for {} columns", names.len(), columns.len());
        t.fault("names", what, "give a name for each column");
    }
    let first = columns.first().map_or("", String::as_str);
    let plot = Plot {
        name: t.name("name").unwrap_or_else(|| format!("{}_over_time", first.replace('.', "_"))),
        x: "time_s".into(),
        y: first.to_owned(),
        series: t.text("series").map(|name| known.varied(t, "series", &name)),
        panels: panels(t, known),
        style: Style::Curves,
        labels: [String::new(), t.text("y_label").unwrap_or_else(|| first.to_owned())],
        logarithmic: ["x_logarithmic", "y_logarithmic"].map(|key| t.flag(key)),
        error_bars: ErrorBars::StandardError,
        fit: None,
        split: None,
        curves: t.tables("curve").iter().map(|c| curve(c, known)).collect(),
    };
    t.close();
    TimePlot { columns, names, plot }
}

fn curve(t: &Table, known: &Known) -> Curve {
    let shape = points(t);
    let only = conditions(t, "where", known);
    let label = t.text("label").unwrap_or_default();
    t.close();
    Curve { label, only, shape }
}

/// A finished case.
struct Run {
    panel: Vec<Cell>,
    series: Cell,
    /// where the columns of the plot stand in a row
    columns: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

/// Draws them into the folder plots/ of a campaign, each with a file of its numbers, and returns the files.
pub fn draw_all(campaign: &Campaign, table: &Results, directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = vec![];
    for plot in &campaign.time_plots {
        match plot.figure(campaign, table, directory)? {
            Some((plot, figure)) => files.extend(write(&plot, &figure, directory)?),
            None => tracing::warn!("time plot `{}`: no case has its columns yet; left out", plot.plot.name),
        }
    }
    Ok(files)
}

impl TimePlot {
    /// What is shown, and the plot with the unit of time at its axis; none if no case has the columns.
    pub fn figure(&self, campaign: &Campaign, table: &Results, directory: &Path) -> Result<Option<(Plot, Figure)>> {
        let runs = self.runs(campaign, table, directory)?;
        if runs.is_empty() {
            return Ok(None);
        }
        let longest_s = runs.iter().filter_map(|r| Some(r.rows.last()?[1])).fold(0.0, f64::max);
        let (unit, factor) = time_unit(longest_s);
        let values = |of: &dyn Fn(&Run) -> Cell| distinct(runs.iter().map(of));
        let series = values(&|r| r.series.clone());
        let curve = |c: &Curve| {
            let Line { label, points } = line(c, [0.0, longest_s]);
            Line { label, points: points.iter().map(|[x, y]| [factor * x, *y]).collect() }
        };
        let panel = |at: &Vec<Cell>| Panel {
            title: title(&self.plot, at),
            series: runs.iter().filter(|r| r.panel == *at).flat_map(|r| self.lines(r, &series, factor)).collect(),
            curves: self.plot.curves.iter().filter(|c| holds(&c.only, &self.plot, at)).map(curve).collect(),
        };
        let values: Vec<Vec<Cell>> = (0..self.plot.panels.len()).map(|k| values(&|r| r.panel[k].clone())).collect();
        let (shape, panels) = arranged(&values, panel);
        let figure = Figure { names: None, shape, panels, left_out: table.rows.len() - runs.len() };
        let mut plot = self.plot.clone();
        plot.labels[0] = format!("time ({unit})");
        Ok(Some((plot, figure)))
    }

    /// Finished cases that have all columns, in the order of the table.
    fn runs(&self, campaign: &Campaign, table: &Results, directory: &Path) -> Result<Vec<Run>> {
        let column_of = |name: &String| table.columns.iter().position(|c| c == name);
        let cell = |row: &[Cell], name: &String| column_of(name).map_or(Cell::Empty, |k| row[k].clone());
        let status = column_of(&"status".to_owned());
        let mut runs = vec![];
        for (case, row) in campaign.cases.iter().zip(&table.rows) {
            if status.map(|k| row[k].shown()).as_deref() != Some("done") {
                continue;
            }
            let (names, rows) = read_series(&run_of(directory, case).join("series.csv"))?;
            let place = |name: &String| names.iter().position(|c| c == name);
            if let Some(columns) = self.columns.iter().map(place).collect::<Option<Vec<usize>>>() {
                let panel = self.plot.panels.iter().map(|name| cell(row, name)).collect();
                let series = self.plot.series.as_ref().map_or(Cell::Empty, |name| cell(row, name));
                runs.push(Run { panel, series, columns, rows });
            }
        }
        Ok(runs)
    }

    /// The lines of a run, one a column.
    fn lines(&self, run: &Run, series: &[Cell], factor: f64) -> Vec<Series> {
        let every = run.rows.len().div_ceil(ROWS_MAX).max(1);
        let kind = series.iter().position(|s| *s == run.series).unwrap_or(0);
        let column = |(k, name): (usize, &String)| {
            let point = |row: &Vec<f64>| Point {
                x: factor * row[1],
                mean: row[run.columns[k]],
                deviation: None,
                standard_error: None,
                cases: 1,
            };
            let several = if self.columns.len() > 1 { name.clone() } else { String::new() };
            let label = [run.series.shown(), several].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let colour = kind * self.columns.len() + k;
            Series {
                label: label.join(", "),
                symbol: 0,
                colour,
                points: run.rows.iter().step_by(every).map(point).collect(),
                fit: None,
            }
        };
        self.names.iter().enumerate().map(column).collect()
    }
}
