//! Whether the table of a campaign shows what `[[expect]]` says.

use super::cell::Cell;
use super::fit::Fit;
use super::model::{Expected, ExpectedLaw as Law, FitLaw, Within};
use super::table::Table;
use crate::base::disk::write_atomic;
use crate::base::error::Result;
use crate::base::json;
use crate::base::readable::number;
use crate::model::scenario::Wanted;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What differs by so many of its standard errors differs.
const CLEAR: f64 = 2.0;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// as expected
    Met,
    /// otherwise
    Missed,
    /// some cases have not ended, or too few have a value
    Open,
}

/// An expectation, and what the cases show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// column, and what is expected of it
    pub what: String,
    /// what was measured is called
    pub measure: &'static str,
    /// measured; none if too few cases have a value
    pub found: Option<f64>,
    /// its standard error, if it has one
    pub standard_error: Option<f64>,
    /// what is expected, and how far from it the number may be
    pub expected: Option<[f64; 2]>,
    /// cases with a value
    pub cases: usize,
    /// cases that have not ended
    pub left: usize,
    /// what came of it
    pub outcome: Outcome,
    /// where the expectation comes from
    pub source: String,
}

impl Expected {
    /// What the rows of a table show of it.
    pub fn judge(&self, table: &Table) -> Judged {
        let (cases, left) = self.cases(table);
        let (measure, found, standard_error, expected, met) = match &self.law {
            Law::Mean(wanted) => {
                let mean = Sample::of(&cases);
                ("mean", mean.mean, mean.error, Some(wanted.range()), mean.mean.map(|m| near(wanted, m, mean.error)))
            }
            Law::Each(wanted) => {
                let farthest = cases.iter().map(|c| c[1]).max_by(|a, b| wanted.off(*a).total_cmp(&wanted.off(*b)));
                ("farthest case", farthest, None, Some(wanted.range()), farthest.map(|v| wanted.holds(v)))
            }
            Law::Side { limit, above } => {
                let values = cases.iter().map(|c| c[1]);
                let nearest = if *above { values.min_by(f64::total_cmp) } else { values.max_by(f64::total_cmp) };
                let holds = |v: f64| if *above { v > *limit } else { v < *limit };
                (if *above { "least" } else { "most" }, nearest, None, None, nearest.map(holds))
            }
            Law::Slope { rises, .. } => {
                let fit = Fit::of(FitLaw::Line, &cases).filter(|fit| fit.slope_error.is_some());
                let sign = if *rises { 1.0 } else { -1.0 };
                let clear = |f: &Fit| sign * f.slope > CLEAR * f.slope_error.unwrap_or(0.0);
                ("slope", fit.map(|f| f.slope), fit.and_then(|f| f.slope_error), None, fit.map(|f| clear(&f)))
            }
            Law::Level { tolerance, .. } => {
                let change = self.change(&cases);
                let met = change.map(|[change, error]| near(&Wanted::of(0.0, *tolerance), change, Some(error)));
                let (found, error) = (change.map(|c| c[0]), change.map(|c| c[1]));
                ("change over the mean", found, error, Some([0.0, *tolerance]), met)
            }
            Law::Power { exponent, .. } => {
                let fit = Fit::of(FitLaw::Power, &cases).filter(|fit| fit.slope_error.is_some());
                let (slope, error) = (fit.map(|f| f.slope), fit.and_then(|f| f.slope_error));
                ("exponent", slope, error, Some(exponent.range()), slope.map(|s| near(exponent, s, error)))
            }
        };
        let outcome = match met {
            Some(true) if left == 0 => Outcome::Met,
            Some(false) if left == 0 => Outcome::Missed,
            _ => Outcome::Open,
        };
        let (what, source) = (self.words(), self.source.clone());
        Judged { what, measure, found, standard_error, expected, cases: cases.len(), left, outcome, source }
    }

    /// x, where there is one, and y of the cases that count; and how many of them have not ended.
    fn cases(&self, table: &Table) -> (Vec<[f64; 2]>, usize) {
        let column = |name: &str| table.columns.iter().position(|c| c == name);
        let counts = |row: &[Cell]| self.at.iter().all(|(name, value)| column(name).is_some_and(|k| row[k] == *value));
        let value = |row: &[Cell], name: &str| row[column(name)?].number();
        let within = |row: &[Cell]| self.only.iter().all(|o| value(row, &o.column).is_some_and(|value| o.holds(value)));
        let along = |row: &[Cell]| match &self.law {
            Law::Slope { x, order, .. } if !order.is_empty() => {
                let value = row[column(x)?].shown();
                order.iter().position(|o| *o == value).map(|k| k as f64)
            }
            Law::Slope { x, .. } | Law::Level { x, .. } | Law::Power { x, .. } => value(row, x),
            Law::Mean(_) | Law::Each(_) | Law::Side { .. } => Some(0.0),
        };
        let of = |row: &[Cell]| Some([along(row)?, value(row, &self.y)?]);
        let rows = || table.rows.iter().enumerate().filter(|(_, row)| counts(row));
        let cases = rows().filter(|(_, row)| within(row)).filter_map(|(_, row)| of(row)).collect();
        (cases, rows().filter(|(k, _)| !table.has_ended(*k)).count())
    }

    /// Change of a line over the range of x, over the mean of y, and its standard error.
    fn change(&self, cases: &[[f64; 2]]) -> Option<[f64; 2]> {
        let fit = Fit::of(FitLaw::Line, cases)?;
        let range = cases.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], c| [a.min(c[0]), b.max(c[0])]);
        let part = (range[1] - range[0]) / Sample::of(cases).mean?;
        Some([fit.slope * part, (fit.slope_error? * part).abs()])
    }

    /// Column, and what is expected of it.
    fn words(&self) -> String {
        let y = &self.y;
        let law = match &self.law {
            Law::Mean(_) => y.clone(),
            Law::Each(_) => format!("{y} of every case"),
            Law::Side { limit, above } => {
                format!("{y} is {} {} in every case", if *above { "above" } else { "below" }, number(*limit))
            }
            Law::Slope { x, order, rises } => {
                let along = if order.is_empty() { String::new() } else { format!(" from {}", order.join(" to ")) };
                format!("{y} {} with {x}{along}", if *rises { "rises" } else { "falls" })
            }
            Law::Level { x, .. } => format!("{y} does not depend on {x}"),
            Law::Power { x, .. } => format!("{y} as a power of {x}"),
        };
        let at: Vec<String> = self.at.iter().map(|(name, value)| format!("{name} {}", value.shown())).collect();
        let side = |limit: Option<f64>, side: &str| limit.map(|l| format!(" {side} {}", number(l))).unwrap_or_default();
        let limits = |o: &Within| format!("{}{}{}", o.column, side(o.above, "above"), side(o.below, "below"));
        let only: Vec<String> = self.only.iter().map(limits).collect();
        let part = |word: &str, list: Vec<String>| match list.is_empty() {
            true => String::new(),
            false => format!(", {word} {}", list.join(", ")),
        };
        law + &part("at", at) + &part("with", only)
    }
}

/// True if a number differs from what is wanted by no more than the tolerance and two of its standard errors.
fn near(wanted: &Wanted, found: f64, error: Option<f64>) -> bool {
    wanted.off(found) <= wanted.range()[1] + CLEAR * error.unwrap_or(0.0)
}

/// Mean of y, and its standard error.
struct Sample {
    mean: Option<f64>,
    error: Option<f64>,
}

impl Sample {
    fn of(cases: &[[f64; 2]]) -> Sample {
        let n = cases.len() as f64;
        let mean = cases.iter().map(|c| c[1]).sum::<f64>() / n;
        let squares: f64 = cases.iter().map(|c| (c[1] - mean).powi(2)).sum();
        let error = (cases.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
        Sample { mean: (!cases.is_empty()).then_some(mean), error }
    }
}

/// Judges all expectations of a campaign by its table, and writes what came of them.
pub fn judge_all(list: &[Expected], table: &Table, directory: &Path) -> Result<(Vec<Judged>, Option<PathBuf>)> {
    if list.is_empty() {
        return Ok((vec![], None));
    }
    let judged: Vec<Judged> = list.iter().map(|e| e.judge(table)).collect();
    let path = directory.join("expectations.json");
    write_atomic(&path, json::pretty(&judged)?.as_bytes())?;
    Ok((judged, Some(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cases: &[[f64; 2]], left: usize) -> Table {
        let columns = ["x", "y", "status"].map(str::to_owned).to_vec();
        let done = cases.iter().map(|[x, y]| vec![Cell::Number(*x), Cell::Number(*y), Cell::Text("done".into())]);
        let waiting = vec![Cell::Number(9.0), Cell::Empty, Cell::Text("waiting".into())];
        Table { columns, rows: done.chain(std::iter::repeat_n(waiting, left)).collect() }
    }

    fn judged(law: Law, cases: &[[f64; 2]], left: usize) -> Judged {
        let (only, at, source) = (vec![], vec![], "a test".to_owned());
        Expected { y: "y".into(), law, only, at, source }.judge(&rows(cases, left))
    }

    fn slope(rises: bool) -> Law {
        Law::Slope { x: "x".into(), order: vec![], rises }
    }

    const NOISY: [[f64; 2]; 4] = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 4.0]];

    #[test]
    fn a_slope_counts_from_two_standard_errors_on() {
        // 1 +- 0.63
        let found = judged(slope(true), &NOISY, 0);
        assert_eq!((found.outcome, found.found), (Outcome::Missed, Some(1.0)));
        let clear = NOISY.map(|[x, y]| [x, y + x]);
        assert_eq!(judged(slope(true), &clear, 0).outcome, Outcome::Met);
        assert_eq!(judged(slope(false), &clear, 0).outcome, Outcome::Missed);
        assert_eq!(judged(slope(false), &clear.map(|[x, y]| [x, -y]), 0).outcome, Outcome::Met);
    }

    #[test]
    fn too_few_cases_and_cases_that_have_not_ended_leave_it_open() {
        assert_eq!(judged(slope(true), &[[0.0, 1.0], [1.0, 2.0]], 0).outcome, Outcome::Open);
        let found = judged(slope(true), &[[0.0, 1.0], [1.0, 2.0], [2.0, 3.1]], 1);
        assert_eq!((found.outcome, found.left, found.cases), (Outcome::Open, 1, 3));
        assert_eq!(judged(Law::Mean(Wanted::of(1.0, 0.5)), &[], 0).outcome, Outcome::Open);
    }

    #[test]
    fn means_cases_levels_and_powers() {
        // 1.5 +- 0.87
        let mean = |value| judged(Law::Mean(Wanted::of(value, 0.1)), &NOISY, 0);
        assert_eq!((mean(3.3).outcome, mean(3.4).outcome), (Outcome::Met, Outcome::Missed));
        assert_eq!((mean(3.3).found, mean(3.3).expected), (Some(1.5), Some([3.3, 0.1])));
        assert!((mean(0.0).standard_error.expect("an error") - (3f64 / 4.0).sqrt()).abs() < 1e-12);
        let each = judged(Law::Each(Wanted::of(1.5, 2.0)), &NOISY, 0);
        assert_eq!((each.outcome, each.found), (Outcome::Missed, Some(4.0)));
        let level = |tolerance| judged(Law::Level { x: "x".into(), tolerance }, &NOISY, 0);
        // a slope of 1 +- 0.63 over a range of 3 and a mean of 1.5
        assert_eq!(level(0.01).outcome, Outcome::Met);
        let steep = NOISY.map(|[x, y]| [x, y + 3.0 * x]);
        let level = |tolerance| judged(Law::Level { x: "x".into(), tolerance }, &steep, 0);
        assert_eq!((level(1.0).outcome, level(2.0).outcome), (Outcome::Missed, Outcome::Met));
        let cubes = [[1.0, 2.0], [2.0, 16.0], [3.0, 54.0]];
        let power = |value| judged(Law::Power { x: "x".into(), exponent: Wanted::of(value, 0.1) }, &cubes, 0);
        assert_eq!((power(3.0).outcome, power(2.8).outcome), (Outcome::Met, Outcome::Missed));
    }

    #[test]
    fn limits_and_an_order_of_words() {
        let side = |above, limit| judged(Law::Side { limit, above }, &NOISY, 0);
        assert_eq!((side(true, -0.5).outcome, side(true, 0.0).outcome), (Outcome::Met, Outcome::Missed));
        assert_eq!((side(false, 4.5).found, side(false, 3.0).outcome), (Some(4.0), Outcome::Missed));
        let columns = ["x", "y", "status"].map(str::to_owned).to_vec();
        let row = |x: &str, y| vec![Cell::Text(x.into()), Cell::Number(y), Cell::Text("done".into())];
        let table =
            Table { columns, rows: vec![row("b", 3.0), row("a", 1.1), row("b", 3.1), row("a", 1.0), row("c", 0.0)] };
        let order = vec!["a".to_owned(), "b".to_owned()];
        let law = Law::Slope { x: "x".into(), order, rises: true };
        let expected = Expected { y: "y".into(), law, only: vec![], at: vec![], source: String::new() };
        let found = expected.judge(&table);
        assert_eq!((found.outcome, found.cases), (Outcome::Met, 4));
        assert!((found.found.expect("a slope") - 2.0).abs() < 1e-12 && found.what == "y rises with x from a to b");
    }

    #[test]
    fn conditions_choose_the_cases() {
        let expected = Expected {
            y: "y".into(),
            law: Law::Mean(Wanted::of(0.0, 1e-9)),
            only: vec![Within { column: "y".into(), above: None, below: Some(3.0) }],
            at: vec![("x".into(), Cell::Number(1.0))],
            source: String::new(),
        };
        let found = expected.judge(&rows(&NOISY, 3));
        assert_eq!((found.cases, found.left, found.outcome), (1, 0, Outcome::Met));
        assert_eq!(found.what, "y, at x 1, with y below 3");
    }
}
