//! A campaign as it was read.

use super::analysis::Analysis;
use super::cell::Cell;
use super::column::Computed;
use super::remnants::Collision;
use crate::analysis::velocity::Plane;
use crate::model::scenario::Wanted;
use crate::render::scene::Quantity;
use crate::render::viewpoint::Viewpoint;

/// Many runs of one scenario.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// the file it came from
    pub file: String,
    /// its text
    pub text: String,
    /// names the directory
    pub name: String,
    /// for people
    pub title: String,
    /// scenario as `breccia run` takes it: a path, or the name of a built-in one
    pub scenario: String,
    /// what computes, as `breccia run --engine` takes it
    pub engine: String,
    /// the time of each phase of the steps is measured
    pub timing: bool,
    /// what varies, in the order of the table: labels and keys
    pub columns: Vec<String>,
    /// in the order of their numbers
    pub cases: Vec<Case>,
    /// what is measured of finished cases
    pub analysis: Option<Analysis>,
    /// columns that are computed from others
    pub computed: Vec<Computed>,
    /// what the table must show
    pub expect: Vec<Expected>,
    /// pictures of the table
    pub plots: Vec<Plot>,
    /// pictures of the series
    pub time_plots: Vec<TimePlot>,
    /// pictures of frames
    pub pictures: Vec<Picture>,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// number, from 0
    pub index: usize,
    /// name of its directory: number and what varies
    pub name: String,
    /// `key=value` as `breccia run --set` takes them
    pub set: Vec<String>,
    /// values of [`Campaign::columns`]; none where the case leaves the scenario's own
    pub values: Vec<Option<String>>,
}

/// A picture of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// of the file
    pub name: String,
    /// column along the axis, or one for each of `y`
    pub x: Vec<String>,
    /// columns that are shown
    pub y: Vec<String>,
    /// what the legend calls them; none: all are of one series
    pub names: Vec<String>,
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
    /// what error bars are
    pub error_bars: ErrorBars,
    /// a law of least squares through each series
    pub fit: Option<Fitted>,
    /// colours by what side of a number a column is on
    pub split: Option<Split>,
    /// reference curves
    pub curves: Vec<Curve>,
    /// what a case must fulfil to be shown
    pub only: Vec<Within>,
}

/// A column, and the numbers that it may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Within {
    /// of the table
    pub column: String,
    /// the number is above this one, if there is one
    pub above: Option<f64>,
    /// and below this one
    pub below: Option<f64>,
}

impl Within {
    /// True if the number may be shown.
    pub fn holds(&self, value: f64) -> bool {
        self.above.is_none_or(|limit| value > limit) && self.below.is_none_or(|limit| value < limit)
    }
}

/// A picture of columns of the series of all cases, or of what was measured of their frames, against time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimePlot {
    /// its y are those columns, its x is the time
    pub plot: Plot,
    /// they are measured of frames
    pub of_frames: bool,
}

/// What is expected of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// of the table
    pub y: String,
    /// which values
    pub law: ExpectedLaw,
    /// what a case must fulfil to count
    pub only: Vec<Within>,
    /// values of what varies in the cases that count
    pub at: Conditions,
    /// where it comes from
    pub source: String,
}

/// Which values are expected of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectedLaw {
    /// their mean
    Mean(Wanted),
    /// all of them
    Each(Wanted),
    /// all on one side of a limit
    Side {
        /// the limit
        limit: f64,
        /// that side is above it
        above: bool,
    },
    /// a line along x
    Slope {
        /// along what
        along: Along,
        /// or it falls
        rises: bool,
    },
    /// no change along x
    Level {
        /// along what
        along: Along,
        /// of the change, over the mean
        tolerance: f64,
    },
    /// a power of x
    Power {
        /// along what
        along: Along,
        /// the exponent
        exponent: Wanted,
    },
}

impl ExpectedLaw {
    /// What a law follows, if it is one of change.
    pub(super) fn along(&self) -> Option<&Along> {
        match self {
            ExpectedLaw::Slope { along, .. } | ExpectedLaw::Level { along, .. } | ExpectedLaw::Power { along, .. } => {
                Some(along)
            }
            ExpectedLaw::Mean(_) | ExpectedLaw::Each(_) | ExpectedLaw::Side { .. } => None,
        }
    }
}

/// Along what a column changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Along {
    /// column
    pub x: String,
    /// its values in their order, if they are no numbers
    pub order: Vec<Cell>,
    /// column whose values part the cases into blocks, each compared within itself
    pub paired_by: Option<String>,
}

impl Along {
    /// The place of a cell along x. Without an order it is the cell's number. A cell has no place if it is no number, or if the
    /// order lacks it.
    pub(super) fn place(&self, cell: &Cell) -> Option<f64> {
        match &self.order[..] {
            [] => cell.number(),
            order => order.iter().position(|o| o == cell).map(|k| k as f64),
        }
    }
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
    /// a thin line for each case
    Curves,
}

/// What error bars are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorBars {
    /// standard error of the mean
    StandardError,
    /// standard deviation of the cases
    Deviation,
}

impl ErrorBars {
    /// What a legend calls them.
    pub(super) fn words(self) -> &'static str {
        match self {
            ErrorBars::StandardError => "standard error",
            ErrorBars::Deviation => "standard deviation",
        }
    }
}

/// A law that is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// which
    pub law: FitLaw,
    /// in the panels where this holds
    pub only: Conditions,
}

/// What is fitted to cases by least squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FitLaw {
    /// y = intercept + slope x
    Line,
    /// ln y = intercept + slope ln x
    Power,
    /// ln y = intercept + slope x
    Exponential,
}

impl FitLaw {
    /// What a legend calls it.
    pub(super) fn words(self) -> &'static str {
        match self {
            FitLaw::Line => "line fitted",
            FitLaw::Power => "power law fitted",
            FitLaw::Exponential => "exponential fitted",
        }
    }
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

/// A sheet of panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// of the file
    pub name: String,
    /// above the panels
    pub title: String,
    /// what captions call each case, and its number
    pub cases: Vec<(String, usize)>,
    /// instants of the runs
    pub times: Instants,
    /// captions count from here (s)
    pub time_zero_s: f64,
    /// unit of captions, and its length (s)
    pub time_unit: Option<(&'static str, f64)>,
    /// what panels show
    pub shows: Shows,
    /// what captions call each view, and the view
    pub views: Vec<(String, Viewpoint)>,
    /// what is side by side
    pub across: Factor,
    /// panels side by side, if there is one row of them
    pub columns: Option<usize>,
    /// panels with one scale of length
    pub scale: Scale,
    /// width of the field that each panel shows (m), if it is not by the bodies
    pub width_m: Option<f64>,
    /// side of a panel (pixels)
    pub size: u32,
}

/// Which frames.
#[derive(Debug, Clone, PartialEq)]
pub enum Instants {
    /// the first one
    First,
    /// the last one
    Last,
    /// those nearest to these instants (s)
    At(Vec<f64>),
}

impl Instants {
    /// Frames of a case.
    pub fn count(&self) -> usize {
        if let Instants::At(list) = self { list.len() } else { 1 }
    }
}

/// What panels show.
#[derive(Debug, Clone, PartialEq)]
pub enum Shows {
    /// bodies in the colours of a quantity
    Bodies(Quantity),
    /// the velocity field, on a plane for each view
    Velocity(Vec<Plane>),
}

/// What varies from panel to panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// values of `each`
    Each,
    /// instants
    Times,
    /// views
    Views,
}

/// Panels with one scale of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// all
    Sheet,
    /// those of a row
    Row,
    /// each for itself
    Panel,
}
