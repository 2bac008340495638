//! The series as line plots in SVG: several curves against time, with a legend, units on the axes.

use super::plots_asteroid::ASTEROID;
use super::ruler::Ruler;
use super::scale::{prefixed, time_unit};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::physics::measure::columns::checked;
use crate::record::files::rows;
use crate::record::files::series::Rows;
use plotters::prelude::*;
use std::path::{Path, PathBuf};

/// What becomes of a column's values.
#[derive(Clone, Copy, PartialEq)]
pub enum Shown {
    /// as they are
    Value,
    /// less the first one
    Change,
}

/// A curve of a plot of the series.
pub struct Curve {
    /// columns that are added up
    pub columns: &'static [&'static str],
    /// in the legend
    pub label: &'static str,
    /// what becomes of it
    pub shown: Shown,
}

impl Curve {
    /// The sum of these columns; an unknown one does not compile where the curve is a constant.
    pub(super) const fn new(columns: &'static [&'static str], label: &'static str, shown: Shown) -> Curve {
        let mut k = 0;
        while k < columns.len() {
            checked(columns[k]);
            k += 1;
        }
        Curve { columns, label, shown }
    }
}

const fn curve(columns: &'static [&'static str], label: &'static str) -> Curve {
    Curve::new(columns, label, Shown::Value)
}

/// What a plot shows.
pub struct Plot {
    /// name of the file
    pub file: &'static str,
    /// name of the axis of values
    pub axis: &'static str,
    /// its unit, which may take a prefix
    pub unit: &'static str,
    /// decades; values that are not above zero are gaps
    pub logarithmic: bool,
    /// columns of the series
    pub curves: &'static [Curve],
}

const DISSIPATED: [&str; 4] =
    ["dissipated_normal_j", "dissipated_sliding_j", "dissipated_rolling_j", "dissipated_twisting_j"];

const PLOTS: &[&[Plot]] = &[RUN, ASTEROID];

const RUN: &[Plot] = &[
    Plot {
        file: "energy",
        axis: "energy",
        unit: "J",
        logarithmic: false,
        curves: &[
            curve(&["kinetic_translational_j"], "kinetic, translation"),
            curve(&["kinetic_rotational_j"], "kinetic, rotation"),
            curve(&["elastic_j"], "elastic"),
            Curve::new(&["gravitational_j"], "gravitational, change", Shown::Change),
            curve(&DISSIPATED, "dissipated"),
            curve(&["energy_residual_j"], "ledger residual"),
        ],
    },
    Plot {
        file: "dissipation",
        axis: "dissipated energy",
        unit: "J",
        logarithmic: false,
        curves: &[
            curve(&["dissipated_normal_j"], "normal"),
            curve(&["dissipated_sliding_j"], "sliding"),
            curve(&["dissipated_rolling_j"], "rolling"),
            curve(&["dissipated_twisting_j"], "twisting"),
        ],
    },
    Plot {
        file: "coordination",
        axis: "contacts per body",
        unit: "",
        logarithmic: false,
        curves: &[curve(&["coordination"], "all bodies"), curve(&["coordination_touching"], "bodies in contact")],
    },
    Plot {
        file: "packing",
        axis: "packing fraction",
        unit: "",
        logarithmic: false,
        curves: &[
            curve(&["packing_sphere"], "enclosing sphere"),
            curve(&["packing_ellipsoid"], "equal-inertia ellipsoid"),
        ],
    },
    Plot {
        file: "momentum_drift",
        axis: "relative drift",
        unit: "",
        logarithmic: true,
        curves: &[
            curve(&["momentum_drift"], "linear momentum"),
            curve(&["angular_momentum_drift"], "angular momentum"),
        ],
    },
    Plot {
        file: "semi_axes",
        axis: "semi-axis",
        unit: "m",
        logarithmic: false,
        curves: &[curve(&["semi_axis_a_m"], "a"), curve(&["semi_axis_b_m"], "b"), curve(&["semi_axis_c_m"], "c")],
    },
    Plot {
        file: "angular_velocity",
        axis: "angular velocity of all bodies",
        unit: "rad/s",
        logarithmic: false,
        curves: &[curve(&["angular_velocity_rad_s"], "rigid rotation")],
    },
    Plot {
        file: "pressure",
        axis: "pressure",
        unit: "Pa",
        logarithmic: false,
        curves: &[curve(&["pressure_pa"], "mean pressure")],
    },
];

/// Okabe and Ito's colours, which the colour-blind can distinguish too.
pub const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 90, 40),
];

/// The backend rounds positions to whole units, so a plot is drawn this many times larger and shown smaller.
pub const FINE: i32 = 8;
/// Width and height as shown (pixels).
pub const SIZE: (i32, i32) = (900, 520);
/// Height of a title (pixels).
const TITLE: i32 = 24;

/// One curve ready to draw: label and points.
pub struct Line {
    /// in the legend
    pub label: String,
    /// time (s) and value; where the value is not finite, the curve has a gap
    pub points: Vec<(f64, f64)>,
}

/// Draws `series.csv` of a run into `out`; gives the files. Plots without a curve that differs from zero are left out.
pub fn draw_all(run: &Path, out: &Path, size: (i32, i32)) -> Result<Vec<PathBuf>> {
    let rows = rows::read(run)?;
    let name = name_of(run);
    std::fs::create_dir_all(out).map_err(|e| Error::io(out, e))?;
    let mut files = vec![];
    for plot in PLOTS.iter().copied().flatten() {
        let lines = lines(plot, &rows);
        if lines.iter().all(|l| l.points.iter().filter(|p| p.1.is_finite()).count() < 2) {
            continue;
        }
        let path = out.join(format!("{}.svg", plot.file));
        let text = draw(plot, lines, &name, size).map_err(|e| Fault::new(e.to_string()).path(&path).data())?;
        disk::write_new(&path, text.as_bytes(), true)?;
        files.push(path);
    }
    Ok(files)
}

/// Name of a run: that of its directory.
pub fn name_of(run: &Path) -> String {
    let whole = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    whole.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The curves of a plot in SI; those that are zero throughout are left out.
fn lines(plot: &Plot, (columns, rows): &Rows) -> Vec<Line> {
    let column = |name: &str| columns.iter().position(|c| c == name);
    let Some(time) = column("time_s") else { return vec![] };
    let mut lines = vec![];
    for curve in plot.curves {
        let Some(indices) = curve.columns.iter().map(|c| column(c)).collect::<Option<Vec<_>>>() else { continue };
        let value = |r: &Vec<f64>| indices.iter().map(|k| r[*k]).sum::<f64>();
        let start = match (curve.shown, rows.first()) {
            (Shown::Change, Some(first)) => value(first),
            _ => 0.0,
        };
        let shown = |v: f64| if v > 0.0 || !plot.logarithmic { v } else { f64::NAN };
        let points: Vec<(f64, f64)> = rows.iter().map(|r| (r[time], shown(value(r) - start))).collect();
        if points.iter().any(|(_, v)| v.is_finite() && *v != 0.0) {
            lines.push(Line { label: curve.label.to_owned(), points });
        }
    }
    lines
}

/// Whatever a plot can fail with.
pub type Failure = Box<dyn std::error::Error>;

/// A plot against time in SVG, with a title and of this width and height (pixels); the curves are `lines`, in SI.
pub fn draw(plot: &Plot, mut lines: Vec<Line>, title: &str, size: (i32, i32)) -> std::result::Result<String, Failure> {
    let largest = |f: fn(&(f64, f64)) -> f64| lines.iter().flat_map(|l| &l.points).map(f).fold(0.0, f64::max);
    let (end_s, top) = (largest(|p| p.0), largest(|p| p.1.abs()));
    let (time_unit, time_factor) = time_unit(end_s);
    let (unit, factor) = prefixed(plot.unit, top);
    for (x, y) in lines.iter_mut().flat_map(|l| &mut l.points) {
        *x *= time_factor;
        *y *= factor;
    }
    let axis = if unit.is_empty() { plot.axis.to_owned() } else { format!("{} [{unit}]", plot.axis) };
    let frame = Axes { title, size, time: format!("time [{time_unit}]"), value: axis, end: end_s * time_factor };
    let values = lines.iter().flat_map(|l| &l.points).map(|p| p.1).filter(|v| v.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let ruler = if plot.logarithmic { Ruler::decades(low, high) } else { Ruler::around(low, high, 0.05) };
    fine_svg(size, |root| frame.draw(root, &lines, ruler))
}

/// A drawing of this width and height as shown (pixels), made in units [`FINE`] times smaller.
pub fn fine_svg(
    (width, height): (i32, i32),
    paint: impl FnOnce(&Area) -> std::result::Result<(), Failure>,
) -> std::result::Result<String, Failure> {
    let mut text = String::new();
    {
        let size = ((width * FINE) as u32, (height * FINE) as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        paint(&root)?;
        root.present()?;
    }
    let [large, small] = [FINE, 1].map(|k| format!("width=\"{}\" height=\"{}\"", width * k, height * k));
    Ok(text.replacen(&large, &small, 1)) // the view box keeps the fine units
}

struct Axes<'a> {
    title: &'a str,
    size: (i32, i32),
    time: String,
    value: String,
    end: f64,
}

/// What plots are drawn on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

impl Axes<'_> {
    fn draw(&self, root: &Area, lines: &[Line], values: Ruler) -> std::result::Result<(), Failure> {
        let times = Ruler::linear(0.0, self.end);
        let [time, value] = [times.clone(), values.clone()].map(|ruler| move |v: &f64| ruler.text(*v));
        let beside = (40 + 10 * values.letters() as i32).max(92);
        let legend = 30 + 9 * lines.iter().map(|l| l.label.len()).max().unwrap_or(0) as i32;
        let (above, root) = root.split_vertically(TITLE * FINE);
        above.draw(&Text::new(self.title, (14 * FINE, 6 * FINE), ("sans-serif", 17 * FINE)))?;
        let (left, right) = root.split_horizontally((self.size.0 - legend - 20) * FINE);
        let mut chart = ChartBuilder::on(&left)
            .margin(14 * FINE)
            .x_label_area_size(58 * FINE)
            .y_label_area_size(beside * FINE)
            .build_cartesian_2d(times, values)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(225, 225, 225).stroke_width(FINE as u32))
            .axis_style(RGBColor(60, 60, 60).stroke_width(FINE as u32))
            .set_all_tick_mark_size(5 * FINE)
            .x_desc(&self.time)
            .y_desc(&self.value)
            .axis_desc_style(("sans-serif", 20 * FINE))
            .label_style(("sans-serif", 17 * FINE))
            .x_label_formatter(&time)
            .y_label_formatter(&value)
            .draw()?;
        for (k, line) in lines.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let style = colour.stroke_width(2 * FINE as u32);
            for piece in line.points.split(|p| !p.1.is_finite()) {
                chart.draw_series(LineSeries::new(piece.iter().copied(), style))?;
                if let [alone] = piece {
                    chart.draw_series([Circle::new(*alone, 2 * FINE, colour.filled())])?;
                }
            }
            let y = (30 + 26 * k as i32) * FINE;
            right.draw(&PathElement::new([(0, y), (22 * FINE, y)], colour.stroke_width(3 * FINE as u32)))?;
            right.draw(&Text::new(line.label.as_str(), (30 * FINE, y - 8 * FINE), ("sans-serif", 17 * FINE)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRIFT: Plot = Plot {
        file: "drift",
        axis: "relative drift",
        unit: "",
        logarithmic: true,
        curves: &[curve(&["momentum_drift"], "linear momentum")],
    };

    /// Curves of a column, a row each second.
    fn drifts(values: &[f64]) -> Vec<Line> {
        let rows = values.iter().enumerate().map(|(k, v)| vec![k as f64, *v]).collect();
        lines(&DRIFT, &(["time_s", "momentum_drift"].map(str::to_owned).to_vec(), rows))
    }

    #[test]
    fn a_logarithmic_curve_has_gaps_where_it_is_zero_and_ticks_where_it_is_tiny() {
        let svg = |values: &[f64]| draw(&DRIFT, drifts(values), "run", SIZE).unwrap();
        let colour = |text: &str| text.matches("stroke=\"#0072B2\"").count();
        let whole = svg(&[1e-17, 2e-17, 3e-16, 1e-15, 1e-14]);
        let gapped = svg(&[1e-17, 2e-17, 0.0, 1e-15, 1e-14]);
        assert_eq!(colour(&gapped), colour(&whole) + 1, "one more piece of the curve");
        for tick in ["1e-17", "1e-16", "1e-15", "1e-14"] {
            assert!(whole.contains(&format!("\n{tick}\n")), "no tick {tick}: {whole}");
        }
        assert!(drifts(&[f64::NAN, 0.0, -1.0]).is_empty(), "nothing to draw");
    }
}
