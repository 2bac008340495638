//! A plot as it will be drawn: rows of the table in panels and series, cases at the same position averaged.

use super::cell::{Cell, distinct};
use super::fit::Fit;
use super::model::{Conditions, Curve, ErrorBars, FitLaw, Plot, Shape, Split};
use super::panels::draw;
use super::table::Table;
use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::json;
use crate::base::readable::named;
use crate::base::reader::nearest;
use crate::model::stored::names::PLOTS;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Points of a law along the axis.
pub(super) const STEPS: usize = 200;

/// All that a plot shows.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// names along x, if they are not numbers: positions 0, 1, 2, ...
    pub names: Option<Vec<String>>,
    /// numbers of panels across and down
    pub shape: [usize; 2],
    /// across, then down
    pub panels: Vec<Panel>,
    /// cases that are not shown
    pub left_out: usize,
    /// cases that ended without a value of x or y, where there are several without one of them
    pub missing: usize,
}

/// One panel.
#[derive(Debug, Clone, Serialize)]
pub struct Panel {
    /// columns and their values
    pub title: String,
    /// cases that ended and belong here
    pub cases: usize,
    /// those of them without a value, see [`Figure::missing`]
    pub missing: usize,
    /// in the same order in all panels
    pub series: Vec<Series>,
    /// reference curves
    pub curves: Vec<Line>,
}

/// A reference curve.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// in the legend
    pub label: String,
    /// positions along the axes
    pub points: Vec<[f64; 2]>,
}

/// Values of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// in the legend
    pub label: String,
    /// number of its symbol
    pub symbol: usize,
    /// number of its colour
    pub colour: usize,
    /// by x
    pub points: Vec<Point>,
    /// law through all cases
    pub fit: Option<Fit>,
    /// cases that ended without a value
    pub missing: usize,
}

/// Cases at the same position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// along the axis
    pub x: f64,
    /// of y
    pub mean: f64,
    /// standard deviation of y, by n - 1; none of one case
    pub deviation: Option<f64>,
    /// standard error of the mean
    pub standard_error: Option<f64>,
    /// cases
    pub cases: usize,
}

impl Point {
    /// Half of the error bar.
    pub fn error(&self, bars: ErrorBars) -> Option<f64> {
        match bars {
            ErrorBars::StandardError => self.standard_error,
            ErrorBars::Deviation => self.deviation,
        }
    }
}

/// A case as the plot sees it, by one of its pairs of columns.
struct Seen {
    /// row of the table
    row: usize,
    panel: Vec<Cell>,
    series: Cell,
    /// index of the pair among those that the legend tells apart
    pair: usize,
    /// side of the split
    side: usize,
    /// x and y; none if the case ended without one of them
    at: Option<[f64; 2]>,
}

/// Rows of those without a value, each once.
fn missing<'a>(seen: impl Iterator<Item = &'a Seen>) -> usize {
    seen.filter(|s| s.at.is_none()).map(|s| s.row).collect::<HashSet<_>>().len()
}

impl Figure {
    /// Draws the plots of a campaign into its folder plots/, each with a file of its numbers, and returns the files.
    /// Plots that show no case yet are left out, with a warning.
    pub fn draw_all(plots: &[Plot], table: &Table, directory: &Path) -> Result<Vec<PathBuf>> {
        let mut files = vec![];
        for plot in plots {
            let Some(figure) = Figure::of(plot, table) else {
                if !table.has_measured() {
                    tracing::warn!("plot `{}`: no case is done yet; left out", plot.name);
                    continue;
                }
                let absent = plot.x.iter().chain(&plot.y).find(|name| !table.columns.contains(*name));
                let which = absent.map_or_else(String::new, |name| {
                    format!(
                        ", and `{name}` is not a column of the table; {}",
                        nearest(name, table.columns.iter().map(String::as_str))
                    )
                });
                tracing::warn!("plot `{}`: no case shows all its columns{which}; left out", plot.name);
                continue;
            };
            if figure.missing > 0 {
                tracing::warn!(
                    "plot `{}`: {} of the cases that ended without a value of x or y",
                    plot.name,
                    figure.missing
                );
            }
            files.extend(write(plot, &figure, directory)?);
        }
        Ok(files)
    }

    /// Picks the columns of a plot; none if no case has a value, or the table lacks a column.
    pub fn of(plot: &Plot, table: &Table) -> Option<Figure> {
        let (seen, names) = seen(plot, table)?;
        let shown = || seen.iter().filter(|s| s.at.is_some());
        let values = |of: &dyn Fn(&Seen) -> Cell| distinct(shown().map(of));
        let series = values(&|s| s.series.clone());
        let along = shown().filter_map(|s| s.at);
        let range = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], [x, _]| [a.min(x), b.max(x)]);
        let rows = |of: &mut dyn Iterator<Item = &Seen>| of.map(|s| s.row).collect::<HashSet<_>>().len();
        let columns: Vec<Vec<Cell>> = (0..plot.panels.len()).map(|k| values(&|s| s.panel[k].clone())).collect();
        let panel = |at: &Vec<Cell>| {
            let inside: Vec<&Seen> = seen.iter().filter(|s| s.panel == *at).collect();
            Panel {
                title: title(plot, at, &columns),
                cases: rows(&mut inside.iter().copied()),
                missing: missing(inside.iter().copied()),
                series: in_panel(plot, &series, &inside, fitted(plot, at).filter(|_| names.is_none())),
                curves: plot.curves.iter().filter(|c| holds(&c.only, plot, at)).map(|c| line(c, range)).collect(),
            }
        };
        let (shape, panels) = arranged(&columns, panel);
        let left_out = table.rows.len() - rows(&mut shown());
        Some(Figure { shape, panels, left_out, missing: missing(seen.iter()), names })
    }
}

/// Writes a plot and a file of its numbers into the folder plots/ of a campaign.
pub(super) fn write(plot: &Plot, figure: &Figure, directory: &Path) -> Result<[PathBuf; 2]> {
    let folder = directory.join(PLOTS);
    std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    let [picture, numbers] = ["svg", "json"].map(|kind| folder.join(format!("{}.{kind}", plot.name)));
    let text = draw(plot, figure).map_err(|e| Fault::new(e.to_string()).path(&picture).data())?;
    write_atomic(&picture, text.as_bytes())?;
    json::write(&numbers, figure)?;
    Ok([picture, numbers])
}

/// Indices of the columns of x and y, for each y; none where the table lacks one of them.
fn pairs(plot: &Plot, table: &Table) -> Vec<Option<(usize, usize)>> {
    let column_of = |name: &String| table.columns.iter().position(|c| c == name);
    let along = plot.x.iter().cycle();
    plot.y.iter().zip(along).map(|(y, x)| Some((column_of(x)?, column_of(y)?))).collect()
}

/// Cases that have a number for y and something for x, or have ended without one of them; and the names along x if these are
/// not numbers. None if no case has both.
fn seen(plot: &Plot, table: &Table) -> Option<(Vec<Seen>, Option<Vec<String>>)> {
    let column_of = |name: &String| table.columns.iter().position(|c| c == name);
    let pairs = pairs(plot, table);
    let series = plot.series.as_ref().map(column_of);
    let panels = plot.panels.iter().map(column_of).collect::<Option<Vec<usize>>>()?;
    let split = plot.split.as_ref().map(|s| Some((column_of(&s.column)?, s)));
    if series == Some(None) || matches!(split, Some(None)) {
        return None;
    }
    let only = plot.only.iter().map(|o| Some((column_of(&o.column)?, o))).collect::<Option<Vec<_>>>()?;
    let within = |r: &[Cell]| only.iter().all(|(k, o)| r[*k].number().is_some_and(|v| o.holds(v)));
    let rows: Vec<(usize, &Vec<Cell>)> = table.rows.iter().enumerate().filter(|(_, r)| within(r)).collect();
    let useful = |r: &[Cell], (x, y): (usize, usize)| r[y].number().is_some() && r[x] != Cell::Empty;
    let all =
        || rows.iter().flat_map(|(_, r)| pairs.iter().flatten().filter(|p| useful(r, **p)).map(|p| r[p.0].clone()));
    let along = distinct(all());
    let plain = plot.style != super::model::Style::Bars && along.iter().all(|c| c.number().is_some());
    let position = |cell: &Cell| {
        if plain { cell.number() } else { along.iter().position(|c| c == cell).map(|k| k as f64) }
    };
    let one = |(row, r): &(usize, &Vec<Cell>), k: usize| {
        let side = match split {
            Some(Some((column, Split { at, .. }))) => r[column].number().map(|v| usize::from(v > *at)),
            _ => Some(0),
        };
        let at = pairs[k].and_then(|(x, y)| Some([position(&r[x])?, r[y].number()?])).filter(|_| side.is_some());
        Seen {
            row: *row,
            panel: panels.iter().map(|k| r[*k].clone()).collect(),
            series: series.flatten().map_or(Cell::Empty, |k| r[k].clone()),
            pair: if plot.names.is_empty() { 0 } else { k },
            side: side.unwrap_or(0),
            at,
        }
    };
    let ended = |s: &Seen| s.at.is_some() || table.has_ended(s.row);
    let each = rows.iter().flat_map(|r| (0..pairs.len()).map(move |k| (r, k)));
    let list: Vec<Seen> = each.map(|(r, k)| one(r, k)).filter(ended).collect();
    let names = (!plain).then(|| along.iter().map(Cell::shown).collect());
    list.iter().any(|s| s.at.is_some()).then_some((list, names))
}

/// Panels of all values of up to two columns: their numbers across and down, and each `panel` of its values.
pub(super) fn arranged(values: &[Vec<Cell>], panel: impl Fn(&Vec<Cell>) -> Panel) -> ([usize; 2], Vec<Panel>) {
    let count = |k: usize| values.get(k).map_or(1, Vec::len);
    ([count(0), count(1)], panel_cells(values).iter().map(panel).collect())
}

/// Values of the panels, across and then down.
fn panel_cells(values: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
    match values {
        [] => vec![vec![]],
        [across] => across.iter().map(|c| vec![c.clone()]).collect(),
        [across, down, ..] => {
            down.iter().flat_map(|d| across.iter().map(move |a| vec![a.clone(), d.clone()])).collect()
        }
    }
}

pub(super) fn title(plot: &Plot, at: &[Cell], values: &[Vec<Cell>]) -> String {
    let part = |((column, cell), all): ((&String, &Cell), &Vec<Cell>)| named(column, &cell.told_apart(all));
    plot.panels.iter().zip(at).zip(values).map(part).collect::<Vec<_>>().join(", ")
}

/// All series of a panel, those of each column and of each side of a split one after another.
fn in_panel(plot: &Plot, series: &[Cell], inside: &[&Seen], fitted: Option<FitLaw>) -> Vec<Series> {
    let (pairs, sides) = (plot.names.len().max(1), if plot.split.is_some() { 2 } else { 1 });
    let each = move |k: usize| (0..pairs).flat_map(move |pair| (0..sides).map(move |side| (k, pair, side)));
    let one = |(k, pair, side): (usize, usize, usize)| {
        let of = inside.iter().copied().filter(|s| s.series == series[k] && s.pair == pair && s.side == side);
        let points: Vec<[f64; 2]> = of.clone().filter_map(|s| s.at).collect();
        let side_name = plot.split.as_ref().map(|s| s.names[side].clone());
        let value = plot.series.as_ref().map(|column| series[k].named(column, series));
        let parts = [value, plot.names.get(pair).cloned(), side_name];
        let label = parts.into_iter().flatten().filter(|n| !n.is_empty()).collect::<Vec<_>>().join(", ");
        let symbol = k * pairs + pair;
        Series {
            label,
            symbol,
            colour: if sides == 2 { side } else { symbol },
            fit: fitted.and_then(|law| Fit::of(law, &points)),
            points: averaged(&points),
            missing: missing(of),
        }
    };
    (0..series.len()).flat_map(each).map(one).collect()
}

/// Mean, standard deviation and standard error of cases at the same position.
fn averaged(cases: &[[f64; 2]]) -> Vec<Point> {
    let mut sorted = cases.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let point = |same: &[[f64; 2]]| {
        let (mean, deviation) = mean_and_deviation(same);
        let standard_error = deviation.map(|d| d / (same.len() as f64).sqrt());
        Point { x: same[0][0], mean, deviation, standard_error, cases: same.len() }
    };
    sorted.chunk_by(|a, b| a[0] == b[0]).map(point).collect()
}

/// Gives the mean of the cases' second column, which is not a number if there are no cases, and the deviation of two or more.
pub fn mean_and_deviation(cases: &[[f64; 2]]) -> (f64, Option<f64>) {
    let n = cases.len() as f64;
    let mean = cases.iter().map(|c| c[1]).sum::<f64>() / n;
    let squares: f64 = cases.iter().map(|c| (c[1] - mean).powi(2)).sum();
    (mean, (cases.len() > 1).then(|| (squares / (n - 1.0)).sqrt()))
}

/// True if a panel is meant: conditions on columns that have no panels are none.
pub(super) fn holds(only: &Conditions, plot: &Plot, at: &[Cell]) -> bool {
    let holds =
        |(column, value): &(String, Cell)| plot.panels.iter().position(|c| c == column).is_none_or(|k| at[k] == *value);
    only.iter().all(holds)
}

fn fitted(plot: &Plot, at: &[Cell]) -> Option<FitLaw> {
    plot.fit.as_ref().filter(|fit| holds(&fit.only, plot, at)).map(|fit| fit.law)
}

/// A reference curve over a range of x.
pub(super) fn line(curve: &Curve, [low, high]: [f64; 2]) -> Line {
    let points = match &curve.shape {
        Shape::Points(points) => points.clone(),
        Shape::Remnants(collision) => {
            let at = |k: usize| low + (high - low) * k as f64 / STEPS as f64;
            (0..=STEPS).map(|k| [at(k), collision.largest_share(at(k))]).collect()
        }
    };
    Line { label: curve.label.clone(), points }
}
