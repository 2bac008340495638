//! Whether the table of a campaign shows what `[[expect]]` says.

use super::cell::Cell;
use super::counted::Counted;
use super::figure::mean_and_deviation;
use super::fit::Fit;
use super::model::{Along, Expected, ExpectedLaw as Law, FitLaw, Within};
use super::paths::EXPECTATIONS;
use super::table::Table;
use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::base::readable::{digits, number};
use crate::model::scenario::Wanted;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// as expected
    Met,
    /// otherwise, and clearly so
    Missed,
    /// the cases do not tell
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
    /// what every case must be above or below
    pub limit: Option<f64>,
    /// cases with a value
    pub cases: usize,
    /// cases that ended without one
    pub missing: usize,
    /// cases that have not ended
    pub left: usize,
    /// what came of it
    pub outcome: Outcome,
    /// why it is open, or missed for cases without a value
    pub reason: Option<String>,
    /// where the expectation comes from
    pub source: String,
}

/// Whether an expectation is met, or why that is open.
type Answer = std::result::Result<bool, String>;

/// What was measured, and what it means.
struct Found {
    measure: &'static str,
    value: Option<f64>,
    error: Option<f64>,
    answer: Answer,
}

/// Student's t of 95 %, two-sided: so many standard errors are no chance.
fn student(freedom: usize) -> f64 {
    const FIRST: [f64; 10] = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match freedom {
        0 => f64::INFINITY,
        // in powers of 1 / n (Abramowitz and Stegun, 26.7.5)
        n => FIRST.get(n - 1).copied().unwrap_or_else(|| {
            let part = 1.0 / n as f64;
            1.96 + part * (2.372 + part * (2.823 + part * 2.556))
        }),
    }
}

/// Whether a number is what is wanted: it is if it lies within the tolerance and is known as well as that, and it is not if it is
/// farther off than the tolerance and its uncertainty.
fn near(wanted: &Wanted, found: f64, error: f64, freedom: usize) -> Answer {
    let (off, [_, tolerance], unsure) = (wanted.off(found), wanted.range(), student(freedom) * error);
    match () {
        () if !(off + unsure).is_finite() => Err("its numbers are not finite".to_owned()),
        () if off > tolerance + unsure => Ok(false),
        () if off <= tolerance && unsure <= tolerance => Ok(true),
        () => Err(format!("it is known to +- {} alone, with 95 %", digits(unsure, 2))),
    }
}

/// Whether a slope has a sign.
fn clear(fit: &Fit, error: f64, sign: f64) -> Answer {
    let (along, unsure) = (sign * fit.slope, student(fit.freedom) * error);
    match () {
        () if !(along.abs() + unsure).is_finite() => Err("its numbers are not finite".to_owned()),
        () if along > unsure => Ok(true),
        () if along < -unsure => Ok(false),
        () => Err("its sign is not clear".to_owned()),
    }
}

impl Expected {
    /// What the rows of a table show of it.
    pub fn judge(&self, table: &Table) -> Judged {
        let counted = self.counted(table);
        let found = self.found(&counted);
        // what was not measured is not met, whatever the other cases show
        let lacking = match self.law {
            Law::Each(_) | Law::Side { .. } => counted.missing - counted.kept,
            _ if counted.cases.is_empty() => counted.missing,
            _ => counted.unmeasured,
        };
        let (outcome, reason) = match (counted.left, lacking, found.answer) {
            (0, _, Ok(false)) => (Outcome::Missed, None),
            (0, 0, Ok(true)) if counted.kept == 0 => (Outcome::Met, None),
            (0, 0, Ok(true)) => (Outcome::Open, Some(format!("{} no value in the kept table", have(counted.kept)))),
            (0, 0, Err(reason)) => (Outcome::Open, Some(reason)),
            (0, n, _) => (Outcome::Missed, Some(format!("{} no value", have(n)))),
            (n, ..) => (Outcome::Open, Some(format!("{} left to do", cases_of(n)))),
        };
        Judged {
            what: self.words(),
            measure: found.measure,
            found: found.value,
            standard_error: found.error,
            expected: self.expected(),
            limit: if let Law::Side { limit, .. } = self.law { Some(limit) } else { None },
            cases: counted.cases.len(),
            missing: counted.missing,
            left: counted.left,
            outcome,
            reason,
            source: self.source.clone(),
        }
    }

    fn found(&self, counted: &Counted) -> Found {
        let cases = &counted.cases;
        match &self.law {
            Law::Mean(wanted) => {
                let (mean, error) = mean_of(cases);
                let answer = match (mean, error) {
                    (Some(mean), Some(error)) => near(wanted, mean, error, cases.len() - 1),
                    _ => Err(too_few(cases, "a mean with its error needs two")),
                };
                Found { measure: "mean", value: mean, error, answer }
            }
            Law::Each(wanted) => {
                let off = |v: &f64| wanted.off(*v);
                let value = cases.iter().map(|c| c[1]).max_by(|a, b| off(a).total_cmp(&off(b)));
                every("farthest case", value, |v| wanted.holds(v))
            }
            Law::Side { limit, above: true } => {
                every("least", cases.iter().map(|c| c[1]).min_by(f64::total_cmp), |v| v > *limit)
            }
            Law::Side { limit, above: false } => {
                every("most", cases.iter().map(|c| c[1]).max_by(f64::total_cmp), |v| v < *limit)
            }
            Law::Slope { rises, .. } => {
                let sign = if *rises { 1.0 } else { -1.0 };
                fitted("slope", FitLaw::Line, counted, |fit, error| (fit.slope, error, clear(fit, error, sign)))
            }
            Law::Level { tolerance, .. } => {
                let part = range_of(cases) / mean_of(cases).0.unwrap_or(f64::NAN);
                fitted("change over the mean", FitLaw::Line, counted, |fit, error| {
                    // where nothing changes the mean may be zero
                    let of = |v: f64| if v == 0.0 { 0.0 } else { v * part };
                    let (change, error) = (of(fit.slope), of(error).abs());
                    (change, error, near(&Wanted::of(0.0, *tolerance), change, error, fit.freedom))
                })
            }
            Law::Power { exponent, .. } => fitted("exponent", FitLaw::Power, counted, |fit, error| {
                let out = cases.len() - fit.cases;
                let answer = if out > 0 { Err(format!("{} not above zero", are(out))) } else { Ok(true) };
                (fit.slope, error, answer.and_then(|_| near(exponent, fit.slope, error, fit.freedom)))
            }),
        }
    }

    /// The number that is expected, and its tolerance.
    fn expected(&self) -> Option<[f64; 2]> {
        match &self.law {
            Law::Mean(wanted) | Law::Each(wanted) | Law::Power { exponent: wanted, .. } => Some(wanted.range()),
            Law::Level { tolerance, .. } => Some([0.0, *tolerance]),
            Law::Slope { .. } | Law::Side { .. } => None,
        }
    }

    /// Column, and what is expected of it.
    fn words(&self) -> String {
        let y = &self.y;
        let x = |Along { x, order, .. }: &Along| match &order[..] {
            [] => x.clone(),
            order => format!("{x} from {}", order.iter().map(Cell::shown).collect::<Vec<_>>().join(" to ")),
        };
        let law = match &self.law {
            Law::Mean(_) => format!("mean of {y}"),
            Law::Each(_) => format!("{y} of every case"),
            Law::Side { limit, above } => {
                format!("{y} is {} {} in every case", if *above { "above" } else { "below" }, digits(*limit, 6))
            }
            Law::Slope { along, rises } => {
                format!("{y} {} with {}", if *rises { "rises" } else { "falls" }, x(along))
            }
            Law::Level { along, .. } => format!("{y} does not depend on {}", x(along)),
            Law::Power { along, .. } => format!("{y} goes as a power of {}", x(along)),
        };
        let at: Vec<String> = self.at.iter().map(|(name, value)| format!("{name} {}", value.shown())).collect();
        let side = |limit: Option<f64>, side: &str| limit.map(|l| format!(" {side} {}", number(l))).unwrap_or_default();
        let limits = |o: &Within| format!("{}{}{}", o.column, side(o.above, "above"), side(o.below, "below"));
        let only: Vec<String> = self.only.iter().map(limits).collect();
        let part = |word: &str, list: Vec<String>| match list.is_empty() {
            true => String::new(),
            false => format!(", {word} {}", list.join(", ")),
        };
        let paired = self.law.along().and_then(|a| a.paired_by.clone()).into_iter().collect();
        law + &part("at", at) + &part("with", only) + &part("paired by", paired)
    }
}

/// What holds of every case, of the one nearest to breaking it.
fn every(measure: &'static str, value: Option<f64>, holds: impl Fn(f64) -> bool) -> Found {
    let answer = value.map(holds).ok_or_else(|| "no case has a value".to_owned());
    Found { measure, value, error: None, answer }
}

/// What a line through the cases tells: a number, its standard error and the answer.
fn fitted(
    measure: &'static str,
    law: FitLaw,
    Counted { cases, blocks, .. }: &Counted,
    told: impl Fn(&Fit, f64) -> (f64, f64, Answer),
) -> Found {
    let fit = Fit::in_blocks(law, cases, blocks).and_then(|fit| Some((fit, fit.slope_error?)));
    match fit {
        Some((fit, error)) => {
            let (value, error, answer) = told(&fit, error);
            Found { measure, value: Some(value), error: Some(error), answer }
        }
        None => {
            let varies = cases.iter().any(|c| c[0] != cases[0][0]);
            let paired = blocks.iter().any(|b| *b != 0);
            let reason = match paired {
                true => {
                    "too few cases have a value: x has to vary in a block, with two cases more than there are blocks"
                        .to_owned()
                }
                false if varies || cases.len() < 3 => too_few(cases, "a slope with its error needs three"),
                false => "x is the same in all cases".to_owned(),
            };
            Found { measure, value: None, error: None, answer: Err(reason) }
        }
    }
}

fn cases_of(n: usize) -> String {
    format!("{n} {}", if n == 1 { "case" } else { "cases" })
}

fn are(n: usize) -> String {
    format!("{} {}", cases_of(n), if n == 1 { "is" } else { "are" })
}

fn have(n: usize) -> String {
    format!("{} {}", cases_of(n), if n == 1 { "has" } else { "have" })
}

fn too_few(cases: &[[f64; 2]], needs: &str) -> String {
    match cases.len() {
        0 => "no case has a value".to_owned(),
        n => format!("{} a value, and {needs}", have(n)),
    }
}

/// Mean of y, and its standard error.
fn mean_of(cases: &[[f64; 2]]) -> (Option<f64>, Option<f64>) {
    let (mean, deviation) = mean_and_deviation(cases);
    ((!cases.is_empty()).then_some(mean), deviation.map(|d| d / (cases.len() as f64).sqrt()))
}

/// How far x reaches.
fn range_of(cases: &[[f64; 2]]) -> f64 {
    let ends = cases.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], c| [a.min(c[0]), b.max(c[0])]);
    ends[1] - ends[0]
}

/// Judges all expectations of a campaign by its table, and writes what came of them.
pub fn judge_all(list: &[Expected], table: &Table, directory: &Path) -> Result<(Vec<Judged>, Option<PathBuf>)> {
    let path = directory.join(EXPECTATIONS);
    if list.is_empty() {
        // those of a campaign that had some before
        if path.exists() {
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
        }
        return Ok((vec![], None));
    }
    let judged: Vec<Judged> = list.iter().map(|e| e.judge(table)).collect();
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

    fn expected(law: Law) -> Expected {
        Expected { y: "y".into(), law, only: vec![], at: vec![], source: "a test".into() }
    }

    fn judged(law: Law, cases: &[[f64; 2]], left: usize) -> Judged {
        expected(law).judge(&rows(cases, left))
    }

    fn outcome(law: Law, cases: &[[f64; 2]]) -> Outcome {
        judged(law, cases, 0).outcome
    }

    fn along(paired_by: Option<&str>) -> Along {
        Along { x: "x".into(), order: vec![], paired_by: paired_by.map(str::to_owned) }
    }

    fn slope(rises: bool) -> Law {
        Law::Slope { along: along(None), rises }
    }

    fn level(tolerance: f64) -> Law {
        Law::Level { along: along(None), tolerance }
    }

    fn mean(value: f64, tolerance: f64) -> Law {
        Law::Mean(Wanted::of(value, tolerance))
    }

    use Outcome::{Met, Missed, Open};

    /// A slope of 1 +- 0.63, a mean of 1.5 +- 0.87.
    const NOISY: [[f64; 2]; 4] = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 4.0]];

    /// The same with a slope that is greater by `more`.
    fn steep(more: f64) -> [[f64; 2]; 4] {
        NOISY.map(|[x, y]| [x, y + more * x])
    }

    #[test]
    fn students_t_is_that_of_tables() {
        for (freedom, t) in [(1, 12.706), (10, 2.228), (11, 2.201), (12, 2.179), (15, 2.131), (20, 2.086), (60, 2.000)]
        {
            assert!((student(freedom) / t - 1.0).abs() < 1e-3, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn a_slope_has_a_sign_if_it_is_no_chance() {
        // two degrees of freedom: 4.303 standard errors are 2.72
        let found = judged(slope(true), &steep(1.7), 0);
        assert_eq!((found.outcome, found.reason.as_deref()), (Open, Some("its sign is not clear")));
        assert_eq!([slope(true), slope(false)].map(|law| outcome(law, &steep(1.8))), [Met, Missed]);
        assert_eq!([slope(true), slope(false)].map(|law| outcome(law, &steep(-3.8))), [Missed, Met]);
    }

    #[test]
    fn too_few_cases_and_cases_that_are_left_leave_it_open() {
        let two = judged(slope(true), &[[0.0, 1.0], [1.0, 2.0]], 0);
        assert_eq!(two.reason.as_deref(), Some("2 cases have a value, and a slope with its error needs three"));
        let found = judged(slope(true), &[[0.0, 1.0], [1.0, 2.0], [2.0, 3.0]], 1);
        assert_eq!((found.outcome, found.left, found.cases), (Open, 1, 3));
        assert_eq!(found.reason.as_deref(), Some("1 case left to do"));
        assert_eq!(judged(mean(1.0, 0.5), &[], 0).reason.as_deref(), Some("no case has a value"));
        let same = judged(slope(true), &[[2.0, 1.0], [2.0, 2.0], [2.0, 3.0]], 0);
        assert_eq!(same.reason.as_deref(), Some("x is the same in all cases"));
    }

    /// The mean of four noisy cases is known to 2.8 with 95 %.
    #[test]
    fn what_is_not_known_well_enough_is_open() {
        let of = |value, tolerance| outcome(mean(value, tolerance), &NOISY);
        assert_eq!([of(1.5, 2.9), of(4.3, 2.9), of(4.5, 2.9), of(7.3, 2.9)], [Met, Met, Open, Missed]);
        assert_eq!([of(1.5, 2.7), of(1.5, 0.01)], [Open, Open]);
        // a slope of 1 +- 2.7 over a range of 3 and a mean of 1.5: a change of 2 +- 5.4
        assert_eq!([level(0.01), level(2.1), level(5.5)].map(|law| outcome(law, &NOISY)), [Open, Open, Met]);
        assert_eq!(outcome(level(0.01), &[[0.0, 1.0], [1.0, 1.1], [2.0, 1.2]]), Missed);
    }

    #[test]
    fn cases_and_powers() {
        let each = judged(Law::Each(Wanted::of(1.5, 2.0)), &NOISY, 0);
        assert_eq!((each.outcome, each.found), (Missed, Some(4.0)));
        let power = |value| Law::Power { along: along(None), exponent: Wanted::of(value, 0.1) };
        let mut cubes = vec![[1.0, 2.0], [2.0, 16.0], [3.0, 54.0], [4.0, 128.0]];
        assert_eq!([power(3.0), power(2.8)].map(|law| outcome(law, &cubes)), [Met, Missed]);
        cubes.push([5.0, -1.0]);
        assert_eq!(judged(power(3.0), &cubes, 0).reason.as_deref(), Some("1 case is not above zero"));
    }

    #[test]
    fn numbers_without_an_answer_are_open() {
        let even = [[0.0, -2.0], [1.0, 1.0], [2.0, 1.0]];
        assert_eq!(outcome(level(0.1), &even), Open);
        assert_eq!(outcome(level(0.1), &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Met);
        let huge = [[0.0, 1e170], [1.0, 2e170], [2.0, 3e170]];
        assert_eq!(outcome(mean(-1e175, 1.0), &huge), Open);
    }

    #[test]
    fn every_case_means_those_without_a_value_too() {
        let side = |above, limit| Law::Side { limit, above };
        assert_eq!([side(true, -0.5), side(true, 0.0)].map(|law| outcome(law, &NOISY)), [Met, Missed]);
        assert_eq!([side(false, 4.5), side(false, 3.0)].map(|law| outcome(law, &NOISY)), [Met, Missed]);
        let mut table = rows(&NOISY, 0);
        table.rows.push(vec![Cell::Number(4.0), Cell::Empty, Cell::Text("failed".into())]);
        let found = expected(side(true, -0.5)).judge(&table);
        assert_eq!((found.outcome, found.missing), (Missed, 1));
        assert_eq!(found.reason.as_deref(), Some("1 case has no value"));
        assert_eq!(expected(side(true, 0.5)).judge(&table).outcome, Missed);
        // a mean leaves out what does not show its quantity, and is not met without a case that failed
        assert_eq!(expected(mean(1.5, 2.9)).judge(&table).outcome, Missed);
        *table.rows[4].last_mut().expect("status") = Cell::Text("done".into());
        assert_eq!(expected(mean(1.5, 2.9)).judge(&table).outcome, Met);
        let waiting = Table { rows: [&table.rows[..], &rows(&[], 1).rows].concat(), ..table };
        assert_eq!(expected(side(true, -0.5)).judge(&waiting).outcome, Open, "while a case is left to do");
    }

    #[test]
    fn words_have_an_order() {
        let columns = ["x", "y", "status"].map(str::to_owned).to_vec();
        let row = |x: &str, y| vec![Cell::Text(x.into()), Cell::Number(y), Cell::Text("done".into())];
        let mut table =
            Table { columns, rows: vec![row("b", 3.0), row("a", 1.1), row("b", 3.1), row("a", 1.0), row("c", 0.0)] };
        // of another word: it does not count, though it has not ended
        table.rows.push(vec![Cell::Text("c".into()), Cell::Empty, Cell::Text("waiting".into())]);
        let order = ["a", "b"].map(|o| Cell::Text(o.into())).to_vec();
        let found = expected(Law::Slope { along: Along { order, ..along(None) }, rises: true }).judge(&table);
        assert_eq!((found.outcome, found.cases), (Met, 4));
        assert!((found.found.expect("a slope") - 2.0).abs() < 1e-12 && found.what == "y rises with x from a to b");
    }

    #[test]
    fn pairs_are_compared_within_themselves() {
        // three pairs of piles that differ by 10, with a difference of 1 +- 0.1 in each
        let columns = ["x", "y", "pile", "status"].map(str::to_owned).to_vec();
        let row = |x: f64, y: f64, pile: &str| {
            vec![Cell::Number(x), Cell::Number(y), Cell::Text(pile.into()), Cell::Text("done".into())]
        };
        let pile = |name, base: f64, off| [row(0.0, base, name), row(1.0, base + 1.0 + off, name)];
        let rows = [pile("a", 0.0, 0.1), pile("b", 10.0, -0.1), pile("c", 20.0, 0.0)].concat();
        let table = Table { columns, rows };
        let apart = expected(slope(true));
        assert_eq!(apart.judge(&table).outcome, Open);
        let paired = expected(Law::Slope { along: along(Some("pile")), rises: true });
        let found = paired.judge(&table);
        assert_eq!((found.outcome, found.what.as_str()), (Met, "y rises with x, paired by pile"));
        // the standard error of a mean of three differences, with the two degrees of freedom of Student's test of pairs
        assert!((found.found.expect("a slope") - 1.0).abs() < 1e-12);
        assert!((found.standard_error.expect("an error") - 0.1 / 3f64.sqrt()).abs() < 1e-12);
        let alone = Table { rows: vec![table.rows[0].clone(), table.rows[3].clone()], ..table };
        assert!(paired.judge(&alone).reason.is_some_and(|r| r.starts_with("too few cases have a value")));
    }

    #[test]
    fn conditions_choose_the_cases() {
        let law = Law::Each(Wanted::of(0.0, 1e-9));
        let only = vec![Within { column: "x".into(), above: None, below: Some(3.0) }];
        let expected = Expected { only, at: vec![("x".into(), Cell::Number(1.0))], ..expected(law) };
        let found = expected.judge(&rows(&NOISY, 3));
        assert_eq!((found.cases, found.left, found.outcome), (1, 0, Met));
        assert_eq!(found.what, "y of every case, at x 1, with x below 3");
        let all = Expected { at: vec![], ..expected };
        assert_eq!(all.judge(&rows(&NOISY, 3)).left, 0, "cases at x = 9 do not count");
    }
}
