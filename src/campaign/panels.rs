//! Panels of a campaign's plot in SVG: symbols, lines or grouped bars with error bars, fits, reference curves, one legend.

use super::figure::{Figure, Panel, Point, STEPS, Series};
use super::model::{Plot, Style};
use crate::render::marks::{Mark, mark, whisker};
use crate::render::plots::{Area, COLOURS, FINE, Failure, fine_svg};
use crate::render::ruler::Ruler;
use plotters::prelude::*;

/// Width and height of a panel (pixels).
const PANEL: [i32; 2] = [430, 360];
/// Share of a position along x that a group of bars takes.
const GROUP: f64 = 0.8;
const TEXT: i32 = 15;
const GREY: RGBColor = RGBColor(60, 60, 60);

/// The drawing.
pub fn draw(plot: &Plot, figure: &Figure) -> Result<String, Failure> {
    let [across, down] = figure.shape.map(|n| n as i32);
    let legend = legend(plot, figure);
    let letters = legend.iter().map(|l| l.0.len()).max().unwrap_or(0) as i32;
    let width = if legend.is_empty() { 10 } else { 60 + 8 * letters };
    let rulers = rulers(plot, figure);
    fine_svg((across * PANEL[0] + width, down * PANEL[1]), |root| {
        for (k, panel) in figure.panels.iter().enumerate() {
            let (column, row) = (k as i32 % across, k as i32 / across);
            let corner = [column * PANEL[0] * FINE, row * PANEL[1] * FINE];
            let end = [0, 1].map(|axis| corner[axis] + PANEL[axis] * FINE);
            let area = root.clone().shrink((corner[0], corner[1]), (end[0] - corner[0], end[1] - corner[1]));
            Page { plot, figure, panel, root, rulers: &rulers }.draw(&area)?;
        }
        for (k, (label, drawn)) in legend.iter().enumerate() {
            let at = ((across * PANEL[0] + 16) * FINE, (40 + 24 * k as i32) * FINE);
            key(root, plot, drawn, at)?;
            root.draw(&Text::new(label.as_str(), (at.0 + 26 * FINE, at.1 - 7 * FINE), ("sans-serif", TEXT * FINE)))?;
        }
        Ok(())
    })
}

/// What is above a panel: which it is, how many of its cases are not in it for lack of a value, and how many points because
/// decades do not reach them.
fn caption(panel: &Panel, logarithmic: [bool; 2]) -> String {
    let beyond = |p: &&Point| [p.x, p.mean].iter().zip(logarithmic).any(|(v, decades)| decades && *v <= 0.0);
    let beyond = match panel.series.iter().flat_map(|s| &s.points).filter(beyond).count() {
        0 => String::new(),
        1 => "1 point not above zero".to_owned(),
        n => format!("{n} points not above zero"),
    };
    let missing = match panel.missing {
        0 => String::new(),
        n => format!("{n} of {} without a value", panel.cases),
    };
    let unfitted = match panel.series.iter().filter_map(|s| s.fit).map(|fit| fit.left_out).sum::<usize>() {
        0 => String::new(),
        n => format!("{n} not above zero, left out of the fit"),
    };
    [panel.title.clone(), missing, beyond, unfitted]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

/// Height of the names of axes, with which that of y is no longer than a panel is high: a letter is about half as wide.
fn axis_letters(y: &str) -> i32 {
    (2 * (PANEL[1] - 20) / y.chars().count().max(1) as i32).clamp(9, TEXT + 2)
}

/// The meaning of a line of the legend.
enum Key {
    Series(usize, usize),
    Fit(usize),
    Curve(usize),
}

/// Series that any panel shows, then fits, then curves, each once. A plot of one series alone needs no legend.
fn legend(plot: &Plot, figure: &Figure) -> Vec<(String, Key)> {
    let mut list: Vec<(String, Key)> = vec![];
    let series = || figure.panels.iter().flat_map(|p| &p.series).filter(|s| !s.points.is_empty());
    let curves = figure.panels.iter().flat_map(|p| p.curves.iter().enumerate());
    let alone = figure.panels.iter().all(|p| p.curves.is_empty()) && series().all(|s| s.fit.is_none());
    let bars = series().flat_map(|s| &s.points).any(|p| p.error(plot.error_bars).is_some());
    let label = |s: &Series| match (s.label.is_empty(), alone) {
        (false, _) => s.label.clone(),
        (true, true) => String::new(),
        (true, false) if bars => format!("Breccia, mean and {}", plot.error_bars.words()),
        (true, false) => "Breccia".to_owned(),
    };
    let points = series().map(|s| (label(s), Key::Series(s.symbol, s.colour))).filter(|(label, _)| !label.is_empty());
    let fits = series().filter_map(|s| Some((s.fit?.law.words().to_owned(), Key::Fit(s.colour))));
    for (label, key) in points.chain(fits).chain(curves.map(|(k, c)| (c.label.clone(), Key::Curve(k)))) {
        if !list.iter().any(|l| l.0 == label) {
            list.push((label, key));
        }
    }
    list
}

fn key(root: &Area, plot: &Plot, key: &Key, at: (i32, i32)) -> Result<(), Failure> {
    let ends = [(at.0, at.1), (at.0 + 20 * FINE, at.1)];
    let middle = (at.0 + 10 * FINE, at.1);
    match key {
        Key::Curve(k) => root.draw(&PathElement::new(ends, curve_style(*k)))?,
        Key::Fit(colour) => root.draw(&PathElement::new(ends, fit_style(*colour)))?,
        Key::Series(_, colour) if plot.style == Style::Bars => {
            let corner = |sign: i32| (middle.0 + sign * 8 * FINE, middle.1 + sign * 6 * FINE);
            root.draw(&Rectangle::new([corner(-1), corner(1)], COLOURS[colour % COLOURS.len()].filled()))?;
        }
        Key::Series(symbol, colour) => {
            if matches!(plot.style, Style::Lines | Style::Curves) {
                root.draw(&PathElement::new(ends, COLOURS[colour % COLOURS.len()].stroke_width(2 * FINE as u32)))?;
            }
            if plot.style != Style::Curves {
                mark(root, middle, Mark { symbol: *symbol, colour: COLOURS[colour % COLOURS.len()] })?;
            }
        }
    }
    Ok(())
}

/// A fitted law is a thin line in the colour of its points.
fn fit_style(colour: usize) -> ShapeStyle {
    COLOURS[colour % COLOURS.len()].mix(0.6).stroke_width(FINE as u32)
}

/// Reference curves are grey, darker and lighter.
fn curve_style(k: usize) -> ShapeStyle {
    let tone = [40, 130, 180][k % 3];
    RGBColor(tone, tone, tone).stroke_width(2 * FINE as u32)
}

/// Axes of x and y that hold all panels.
fn rulers(plot: &Plot, figure: &Figure) -> [Ruler; 2] {
    let points = || figure.panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points);
    let curves = || figure.panels.iter().flat_map(|p| &p.curves).flat_map(|c| &c.points);
    let x = points().map(|p| p.x).chain(curves().map(|p| p[0]));
    let error = |p: &Point| p.error(plot.error_bars).unwrap_or(0.0);
    let spread = points().flat_map(|p| [-1.0, 1.0].map(|sign| p.mean + sign * error(p)));
    let y = spread.chain(curves().map(|p| p[1]));
    let x = match &figure.names {
        Some(names) => Ruler::linear(-0.5, names.len() as f64 - 0.5),
        None => padded(x, plot.logarithmic[0], false),
    };
    [x, padded(y, plot.logarithmic[1], plot.style == Style::Bars)]
}

/// An axis with room at its ends; from zero if the values come near it, or `from_zero`.
fn padded(values: impl Iterator<Item = f64>, logarithmic: bool, from_zero: bool) -> Ruler {
    let shown = values.filter(|v| v.is_finite() && (*v > 0.0 || !logarithmic));
    let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    if logarithmic {
        return if low <= high { Ruler::decades(low, high) } else { Ruler::decades(1.0, 10.0) };
    }
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let (low, high) = if from_zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
    Ruler::around(low, high, 0.06)
}

/// A panel and what it is drawn on.
struct Page<'a, 'b> {
    plot: &'a Plot,
    figure: &'a Figure,
    panel: &'a Panel,
    /// the whole drawing
    root: &'a Area<'b>,
    /// of x and y
    rulers: &'a [Ruler; 2],
}

impl Page<'_, '_> {
    fn draw(&self, area: &Area) -> Result<(), Failure> {
        let [x, y] = self.rulers;
        let mut chart = ChartBuilder::on(area)
            .margin(10 * FINE)
            .caption(caption(self.panel, self.plot.logarithmic), ("sans-serif", (TEXT + 2) * FINE))
            .x_label_area_size(50 * FINE)
            .y_label_area_size(72 * FINE)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let named = self.figure.names.is_some();
        let along = |v: &f64| if named { String::new() } else { x.text(*v) };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(228, 228, 228).stroke_width(FINE as u32))
            .axis_style(GREY.stroke_width(FINE as u32))
            .set_all_tick_mark_size(4 * FINE)
            .x_desc(&self.plot.labels[0])
            .y_desc(&self.plot.labels[1])
            .axis_desc_style(("sans-serif", axis_letters(&self.plot.labels[1]) * FINE))
            .label_style(("sans-serif", TEXT * FINE))
            .x_label_formatter(&along)
            .y_label_formatter(&|v| y.text(*v))
            .draw()?;
        self.fill(&|x, y| chart.backend_coord(&(x, y)))
    }

    /// Everything inside the axes; `at`: where a position is in fine pixels.
    fn fill(&self, at: &dyn Fn(f64, f64) -> (i32, i32)) -> Result<(), Failure> {
        for (k, curve) in self.panel.curves.iter().enumerate() {
            let line: Vec<_> = curve.points.iter().filter(|p| self.holds(p)).map(|p| at(p[0], p[1])).collect();
            self.root.draw(&PathElement::new(line, curve_style(k)))?;
        }
        for (k, name) in self.figure.names.iter().flatten().enumerate() {
            let (x, y) = at(k as f64, self.rulers[1].range().start);
            let half = 3 * name.chars().count() as i32 * TEXT * FINE / 12;
            self.root.draw(&Text::new(name.as_str(), (x - half, y + 7 * FINE), ("sans-serif", TEXT * FINE)))?;
        }
        let groups = self.panel.series.len() as f64;
        for (k, series) in self.panel.series.iter().enumerate() {
            let aside = if self.figure.names.is_some() { GROUP * ((k as f64 + 0.5) / groups - 0.5) } else { 0.0 };
            self.series(series, [aside, 0.45 * GROUP / groups], at)?;
        }
        Ok(())
    }

    /// Whether a point is within the axes.
    fn holds(&self, p: &[f64; 2]) -> bool {
        self.rulers.iter().zip(p).all(|(ruler, v)| ruler.holds(*v))
    }

    /// A series; `aside`: how far it is moved from its position, and half the width of its bars (units of x).
    fn series(
        &self,
        series: &Series,
        [aside, half]: [f64; 2],
        at: &dyn Fn(f64, f64) -> (i32, i32),
    ) -> Result<(), Failure> {
        let (root, style, logarithmic) = (self.root, self.plot.style, self.plot.logarithmic);
        let colour = COLOURS[series.colour % COLOURS.len()];
        let shown = |v: f64, axis: usize| v.is_finite() && (v > 0.0 || !logarithmic[axis]);
        let is_shown = |p: &&Point| shown(p.x, 0) && shown(p.mean, 1);
        let points: Vec<_> = series.points.iter().filter(is_shown).collect();
        if let (Some(fit), [first, .., last]) = (series.fit, &points[..]) {
            let along = |k: usize| first.x + (last.x - first.x) * k as f64 / STEPS as f64;
            let law = (0..=STEPS).map(|k| [along(k), fit.at(along(k))]).filter(|p| self.holds(p));
            let line: Vec<_> = law.map(|p| at(p[0], p[1])).collect();
            root.draw(&PathElement::new(line, fit_style(series.colour)))?;
        }
        if matches!(style, Style::Lines | Style::Curves) {
            let width = if style == Style::Lines { 2 * FINE } else { 3 * FINE / 2 };
            // a point that decades cannot show parts the line, which else would run over it
            for run in series.points.split(|p| !is_shown(&p)).filter(|run| !run.is_empty()) {
                let line: Vec<_> = run.iter().map(|p| at(p.x + aside, p.mean)).collect();
                match line[..] {
                    [alone] => root.draw(&Circle::new(alone, width, colour.filled()))?,
                    _ => root.draw(&PathElement::new(line, colour.stroke_width(width as u32)))?,
                }
            }
        }
        if style == Style::Curves {
            return Ok(());
        }
        for p in points {
            let x = p.x + aside;
            if style == Style::Bars {
                root.draw(&Rectangle::new([at(x - half, 0.0), at(x + half, p.mean)], colour.filled()))?;
            }
            if let Some(error) = p.error(self.plot.error_bars) {
                let ink = if style == Style::Bars { GREY } else { colour };
                // decades go on for ever, and a bar to zero ends at the axis
                let low = if shown(p.mean - error, 1) { p.mean - error } else { self.rulers[1].range().start };
                whisker(root, [at(x, low), at(x, p.mean + error)], ink)?;
            }
            if style != Style::Bars {
                mark(root, at(x, p.mean), Mark { symbol: series.symbol, colour })?;
            }
        }
        Ok(())
    }
}
