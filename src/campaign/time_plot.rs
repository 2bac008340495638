//! `[[time_plot]]`: columns of the series of all finished cases, or of what was measured of their frames, against time, a line
//! for each case.

use super::analysis::Analysis;
use super::cell::{Cell, distinct};
use super::column::Computed;
use super::figure::{Figure, Line, Panel, Point, Series, arranged, holds, line, title, write};
use super::known::Known;
use super::model::{Campaign, Curve, ErrorBars, Plot, Style, TimePlot};
use super::paths::run_of;
use super::plot::{conditions, given_names, one_or_more, panels, points};
use super::status::Status;
use super::table::Table as Results;
use crate::base::error::Result;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind};
use crate::physics::measure::columns;
use crate::record::files::rows;
use crate::render::scale::time_unit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Rows of a case that are drawn, at most.
const ROWS_MAX: usize = 500;

/// Keys of `[[time_plot]]`.
pub(super) const KEYS: &[Key] = &[
    Key::either("y", &[Kind::Text, Kind::Texts])
        .required()
        .says(
            "column of the series, or several, each with a colour; with * for x, y, z: the size of the vector; with \
             frames = \"all\" in [analysis] columns PART.QUANTITY instead",
        )
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
pub fn read(root: &Table, known: &Known, computed: &[Computed], analysis: Option<&Analysis>) -> Vec<TimePlot> {
    root.tables("time_plot").iter().map(|t| time_plot(t, known, computed, analysis)).collect()
}

fn time_plot(t: &Table, known: &Known, computed: &[Computed], analysis: Option<&Analysis>) -> TimePlot {
    let columns = one_or_more(t, "y");
    if columns.is_empty() {
        t.fault("y", "names no column", "name one or more columns of series.csv");
    }
    let of_frames = of_frames(t, &columns, computed, analysis);
    let is_known = |name: &String| {
        of_frames || computed.iter().any(|c| c.name == *name) || parts(name).iter().all(|part| columns::is_known(part))
    };
    for name in columns.iter().filter(|name| !is_known(name)) {
        let remedy = "take one of the columns that docs/user/output.md lists, or compute one with [[column]]";
        t.fault("y", format!("unknown column \"{name}\" of the series"), remedy);
    }
    let names = given_names(t, &columns).unwrap_or_else(|| columns.clone());
    let first = columns.first().cloned().unwrap_or_default();
    let plot = Plot {
        name: t.name("name").unwrap_or_else(|| format!("{}_over_time", first.replace('.', "_").replace("_*", ""))),
        x: vec!["time_s".into()],
        y: columns,
        names,
        series: t.text("series").map(|name| known.telling(t, "series", &name)),
        panels: panels(t, known),
        style: Style::Curves,
        labels: [String::new(), t.text("y_label").unwrap_or(first)],
        logarithmic: ["x_logarithmic", "y_logarithmic"].map(|key| t.flag(key)),
        error_bars: ErrorBars::StandardError,
        fit: None,
        split: None,
        only: vec![],
        curves: t.tables("curve").iter().map(|c| curve(c, known)).collect(),
    };
    t.close();
    TimePlot { plot, of_frames }
}

/// True if the columns are measured of frames, and not those of the series; a fault if some are and some are not, or if frames
/// are not all measured.
fn of_frames(t: &Table, columns: &[String], computed: &[Computed], analysis: Option<&Analysis>) -> bool {
    let Some(analysis) = analysis else { return false };
    // An expression with columns of the series takes what was measured of the last frame.
    let needs = |name: &String| match computed.iter().find(|c| c.name == *name) {
        Some(column) => column.needs().any(|n| analysis.may_have(n)) && !column.needs().any(columns::is_known),
        None => analysis.may_have(name),
    };
    let measured: Vec<&String> = columns.iter().filter(|name| needs(name)).collect();
    if let Some(name) = measured.iter().find(|name| analysis.is_of_an_instant(name)) {
        t.fault("y", format!("\"{name}\" is measured at one instant"), "leave its at_ out: every frame has a point");
    }
    if !measured.is_empty() && measured.len() < columns.len() {
        t.fault("y", "names columns of the series and of frames", "make two plots of them");
    } else if let Some(name) = measured.first().filter(|_| !analysis.every_frame) {
        let what = format!("\"{name}\" is measured of the last frame alone");
        t.fault("y", what, "write frames = \"all\" in [analysis]");
    }
    !measured.is_empty()
}

fn curve(t: &Table, known: &Known) -> Curve {
    let shape = points(t);
    let only = conditions(t, "where", known);
    let label = t.text("label").unwrap_or_default();
    t.close();
    Curve { label, only, shape }
}

/// The value of a column in a row of the table; empty without the column.
fn cell(table: &Results, row: usize, name: &String) -> Cell {
    table.columns.iter().position(|c| c == name).map_or(Cell::Empty, |k| table.rows[row][k].clone())
}

/// The columns behind a name: with a star in it those of x, y and z.
fn parts(name: &str) -> Vec<String> {
    if name.contains('*') {
        ["x", "y", "z"].map(|axis| name.replace('*', axis)).to_vec()
    } else {
        vec![name.to_owned()]
    }
}

/// What was recorded of a case over time.
enum Recorded {
    /// time (s) and values of each frame
    Frames(Vec<(f64, BTreeMap<String, f64>)>),
    /// names of the columns, and the rows of the series
    Series(Vec<String>, Vec<Vec<f64>>),
}

impl Recorded {
    /// Time (s) of each instant, and its value of a column.
    fn instants(&self) -> Box<dyn Iterator<Item = (f64, ValueOf<'_>)> + '_> {
        match self {
            Recorded::Frames(frames) => Box::new(frames.iter().map(|(time_s, of)| {
                let value: ValueOf = Box::new(|name| of.get(name).copied());
                (*time_s, value)
            })),
            Recorded::Series(names, rows) => Box::new(rows.iter().map(|row| {
                let value: ValueOf = Box::new(|name| names.iter().position(|c| c == name).map(|k| row[k]));
                (row[1], value)
            })),
        }
    }
}

type ValueOf<'a> = Box<dyn Fn(&str) -> Option<f64> + 'a>;

/// A finished case.
struct Run {
    panel: Vec<Cell>,
    series: Cell,
    /// time (s), and the value of each column of the plot; none where an expression gives no number
    rows: Vec<(f64, Vec<Option<f64>>)>,
}

/// Draws them into the folder plots/ of a campaign, each with a file of its numbers, and returns the files.
pub fn draw_all(campaign: &Campaign, table: &Results, directory: &Path) -> Result<Drawn> {
    let has_runs = (0..table.rows.len()).any(|k| table.is_any(k, &[Status::Done]));
    let mut drawn = Drawn { files: vec![], lacks_columns: false };
    for plot in &campaign.time_plots {
        match plot.figure(campaign, table, directory)? {
            Some((plot, figure)) => drawn.files.extend(write(&plot, &figure, directory)?),
            None => {
                tracing::warn!("time plot `{}`: no case has its columns yet; left out", plot.plot.name);
                drawn.lacks_columns |= has_runs;
            }
        }
    }
    Ok(drawn)
}

/// Plots against time that were drawn.
#[derive(Debug)]
pub struct Drawn {
    /// their files
    pub files: Vec<PathBuf>,
    /// runs have ended, and none of them has the columns of some plot; of kept rows nothing can be shown
    pub lacks_columns: bool,
}

impl TimePlot {
    /// What is shown, and the plot with the unit of time at its axis; none if no case has the columns.
    pub fn figure(&self, campaign: &Campaign, table: &Results, directory: &Path) -> Result<Option<(Plot, Figure)>> {
        let runs = self.runs(campaign, table, directory)?;
        if runs.is_empty() {
            return Ok(None);
        }
        // Of a kept row the series is gone, and nothing is missing of it.
        let ended = (0..table.rows.len()).filter(|k| table.is_any(*k, &[Status::Done, Status::Failed]));
        let ended: Vec<Vec<Cell>> = ended.map(|k| self.panel(table, k)).collect();
        let longest_s = runs.iter().filter_map(|r| Some(r.rows.last()?.0)).fold(0.0, f64::max);
        let (unit, factor) = time_unit(longest_s);
        let values = |of: &dyn Fn(&Run) -> Cell| distinct(runs.iter().map(of));
        let series = values(&|r| r.series.clone());
        let curve = |c: &Curve| {
            let Line { label, points } = line(c, [0.0, longest_s]);
            Line { label, points: points.iter().map(|[x, y]| [factor * x, *y]).collect() }
        };
        let columns: Vec<Vec<Cell>> = (0..self.plot.panels.len()).map(|k| values(&|r| r.panel[k].clone())).collect();
        let panel = |at: &Vec<Cell>| Panel {
            title: title(&self.plot, at, &columns),
            cases: ended.iter().filter(|panel| *panel == at).count(),
            missing: ended.iter().filter(|panel| *panel == at).count() - runs.iter().filter(|r| r.panel == *at).count(),
            series: runs.iter().filter(|r| r.panel == *at).flat_map(|r| self.lines(r, &series, factor)).collect(),
            curves: self.plot.curves.iter().filter(|c| holds(&c.only, &self.plot, at)).map(curve).collect(),
        };
        let (shape, panels) = arranged(&columns, panel);
        let (left_out, missing) = (table.rows.len() - runs.len(), ended.len() - runs.len());
        let figure = Figure { names: None, shape, panels, left_out, missing };
        let mut plot = self.plot.clone();
        plot.labels[0] = format!("time ({unit})");
        Ok(Some((plot, figure)))
    }

    /// Values of the columns of the panels in a row of the table.
    fn panel(&self, table: &Results, row: usize) -> Vec<Cell> {
        self.plot.panels.iter().map(|name| cell(table, row, name)).collect()
    }

    /// Finished cases that have all columns, in the order of the table.
    fn runs(&self, campaign: &Campaign, table: &Results, directory: &Path) -> Result<Vec<Run>> {
        let column_of = |name: &String| table.columns.iter().position(|c| c == name);
        let status = column_of(&"status".to_owned());
        let mut runs = vec![];
        for (index, (case, row)) in campaign.cases.iter().zip(&table.rows).enumerate() {
            if status.map(|k| row[k].shown()).as_deref() != Some("done") {
                continue;
            }
            // What a frame does not show is none, and not that of the last frame, which the table has.
            let changes = |name: &str| self.of_frames && campaign.analysis.as_ref().is_some_and(|a| a.may_have(name));
            let of_case = |name: &str| row[column_of(&name.to_owned()).filter(|_| !changes(name))?].number();
            let values = |(time_s, of_row): (f64, ValueOf)| {
                let number = |name: &str| of_row(name).or_else(|| of_case(name)).filter(|v| v.is_finite());
                (time_s, self.plot.y.iter().map(|name| value(name, &campaign.computed, number)).collect())
            };
            let recorded = match self.recorded(campaign, &run_of(directory, case)) {
                Ok(Some(recorded)) => recorded,
                Ok(None) => continue,
                Err(e) => {
                    tracing::warn!("time plot `{}`: case {} is left out: {e}", self.plot.name, case.name);
                    continue;
                }
            };
            let rows: Vec<(f64, Vec<Option<f64>>)> = recorded.instants().map(values).collect();
            if (0..self.plot.y.len()).all(|k| rows.iter().any(|(_, values)| values[k].is_some())) {
                let series = self.plot.series.as_ref().map_or(Cell::Empty, |name| cell(table, index, name));
                runs.push(Run { panel: self.panel(table, index), series, rows });
            }
        }
        Ok(runs)
    }

    /// What the columns of the plot are taken from; none of a run whose frames could not be measured, as the table says.
    fn recorded(&self, campaign: &Campaign, run: &Path) -> Result<Option<Recorded>> {
        match &campaign.analysis {
            Some(analysis) if self.of_frames && analysis.error(run).is_some() => Ok(None),
            Some(analysis) if self.of_frames => Ok(Some(Recorded::Frames(analysis.over_time(run)?))),
            _ => {
                let (names, rows) = rows::read(run)?;
                Ok(Some(Recorded::Series(names, rows)))
            }
        }
    }

    /// The lines of a run, one a column.
    fn lines(&self, run: &Run, series: &[Cell], factor: f64) -> Vec<Series> {
        let kind = series.iter().position(|s| *s == run.series).unwrap_or(0);
        let column = |(k, name): (usize, &String)| {
            let point = |(time_s, values): &(f64, Vec<Option<f64>>)| {
                let mean = values[k]?;
                Some(Point { x: factor * time_s, mean, deviation: None, standard_error: None, cases: 1 })
            };
            let several = if self.plot.y.len() > 1 { name.clone() } else { String::new() };
            let label = [run.series.shown(), several].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let colour = kind * self.plot.y.len() + k;
            Series {
                label: label.join(", "),
                symbol: 0,
                colour,
                points: thinned(run.rows.iter().filter_map(point).collect()),
                fit: None,
                missing: 0,
            }
        };
        self.plot.names.iter().enumerate().map(column).collect()
    }
}

/// At most [`ROWS_MAX`] points, and the last of all.
fn thinned(points: Vec<Point>) -> Vec<Point> {
    let (every, last) = (points.len().div_ceil(ROWS_MAX - 1).max(1), points.len().saturating_sub(1));
    points.into_iter().enumerate().filter(|(k, _)| k % every == 0 || *k == last).map(|(_, point)| point).collect()
}

/// The value of a column of the plot, `number` giving those of the series and of the table.
fn value(name: &str, computed: &[Computed], number: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    if let Some(column) = computed.iter().find(|c| c.name == name) {
        return column.value(number);
    }
    match &parts(name)[..] {
        [one] => number(one),
        several => several.iter().map(|part| number(part).map(|v| v * v)).sum::<Option<f64>>().map(f64::sqrt),
    }
}
