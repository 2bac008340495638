//! Least squares through the cases of a series: a line, also through logarithms.

use super::model::FitLaw;
use serde::Serialize;
use std::collections::BTreeMap;

/// A fitted law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// which
    pub law: FitLaw,
    /// of the line
    pub slope: f64,
    /// standard error of the slope; none without a degree of freedom
    pub slope_error: Option<f64>,
    /// degrees of freedom of that error
    pub freedom: usize,
    /// of the line
    pub intercept: f64,
    /// root mean square of what is left of y, or of its logarithm
    pub rms: f64,
    /// cases
    pub cases: usize,
    /// cases that are not above zero, of which a logarithm cannot be taken
    pub left_out: usize,
}

impl FitLaw {
    /// A case as the line sees it; none where a logarithm is taken of what is not above zero.
    fn straight(self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let point = match self {
            FitLaw::Line => [x, y],
            FitLaw::Power => [x.ln(), y.ln()],
            FitLaw::Exponential => [x, y.ln()],
        };
        point.iter().all(|v| v.is_finite()).then_some(point)
    }
}

impl Fit {
    /// The law through these cases; none where x does not vary.
    pub fn of(law: FitLaw, cases: &[[f64; 2]]) -> Option<Fit> {
        Fit::in_blocks(law, cases, &vec![0; cases.len()])
    }

    /// The law with one slope in all blocks, of cases and the block of each: every block has its own intercept, so that what
    /// blocks have in common does not count (analysis of a randomised block design). `intercept` is that of the line through the
    /// mean of all. None where x does not vary in any block.
    pub fn in_blocks(law: FitLaw, cases: &[[f64; 2]], blocks: &[usize]) -> Option<Fit> {
        let given = cases.len();
        let seen = cases.iter().zip(blocks).filter_map(|(case, block)| Some((law.straight(*case)?, *block)));
        let mut of_block: BTreeMap<usize, Vec<[f64; 2]>> = BTreeMap::new();
        seen.for_each(|(case, block)| of_block.entry(block).or_default().push(case));
        // a mean is rounded, so the spread of equal values is not always zero
        of_block.values().find(|cases| cases.iter().any(|case| case[0] != cases[0][0]))?;

        let cases: Vec<[f64; 2]> = of_block.values().flatten().copied().collect();
        let off: Vec<[f64; 2]> = of_block.values().flat_map(|cases| from_mean(cases)).collect();
        let spread: f64 = off.iter().map(|o| o[0].powi(2)).sum();
        let slope = off.iter().map(|[x, y]| x * y).sum::<f64>() / spread;
        let left: f64 = off.iter().map(|[x, y]| (y - slope * x).powi(2)).sum();
        let freedom = cases.len() - of_block.len() - 1;
        let slope_error = (freedom > 0).then(|| (left / freedom as f64 / spread).sqrt());
        let [x, y] = mean(&cases);
        let rms = (left / cases.len() as f64).sqrt();
        Some(Fit {
            law,
            slope,
            slope_error,
            freedom,
            intercept: y - slope * x,
            rms,
            cases: cases.len(),
            left_out: given - cases.len(),
        })
    }

    /// y at x.
    pub fn at(&self, x: f64) -> f64 {
        match self.law {
            FitLaw::Line => self.intercept + self.slope * x,
            FitLaw::Power => (self.intercept + self.slope * x.ln()).exp(),
            FitLaw::Exponential => (self.intercept + self.slope * x).exp(),
        }
    }
}

/// Mean of x and of y.
fn mean(cases: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|k| cases.iter().map(|c| c[k]).sum::<f64>() / cases.len() as f64)
}

/// How far cases are from their mean.
fn from_mean(cases: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let [x, y] = mean(cases);
    cases.iter().map(move |c| [c[0] - x, c[1] - y])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_laws_are_found() {
        let found = |law: FitLaw, y: fn(f64) -> f64| {
            let cases: Vec<[f64; 2]> = [0.5, 1.0, 2.0, 8.0].map(|x| [x, y(x)]).to_vec();
            let fit = Fit::of(law, &cases).expect("a fit");
            assert!(fit.rms < 1e-14 && fit.slope_error.is_some_and(|e| e < 1e-14), "{fit:?}");
            assert!((fit.at(3.0) / y(3.0) - 1.0).abs() < 1e-13, "{fit:?}");
            fit.slope
        };
        assert!((found(FitLaw::Line, |x| 3.0 - 2.0 * x) + 2.0).abs() < 1e-14);
        assert!((found(FitLaw::Power, |x| 7.0 * x.powf(1.5)) - 1.5).abs() < 1e-14);
        assert!((found(FitLaw::Exponential, |x| 7.0 * (-0.3 * x).exp()) + 0.3).abs() < 1e-14);
    }

    #[test]
    fn a_slope_has_its_standard_error() {
        // y - x is 1, -1, -1, 1 and uncorrelated with x: 4 left, over 2 degrees of freedom and a spread of 5
        let fit = Fit::of(FitLaw::Line, &[[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 4.0]]).expect("a fit");
        assert!((fit.slope - 1.0).abs() < 1e-15 && (fit.rms - 1.0).abs() < 1e-15);
        assert!((fit.slope_error.expect("an error") - 0.4f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn blocks_have_one_slope_and_intercepts_of_their_own() {
        // 2 x + 10 and 2 x - 10, each off by 1, -1, -1, 1: 8 left, over 8 - 2 - 1 degrees of freedom and a spread of 10
        let block = |base: f64| {
            [1.0, -1.0, -1.0, 1.0]
                .into_iter()
                .zip(0u8..)
                .map(move |(o, x)| [f64::from(x), 2.0 * f64::from(x) + base + o])
        };
        let cases: Vec<[f64; 2]> = block(10.0).chain(block(-10.0)).collect();
        let fit = Fit::in_blocks(FitLaw::Line, &cases, &[0, 0, 0, 0, 7, 7, 7, 7]).expect("a fit");
        assert!((fit.slope - 2.0).abs() < 1e-14 && fit.freedom == 5 && fit.intercept.abs() < 1e-14, "{fit:?}");
        assert!((fit.slope_error.expect("an error") - 0.16f64.sqrt()).abs() < 1e-14);
        let apart = Fit::of(FitLaw::Line, &cases).expect("a fit").slope_error.expect("an error");
        assert!(apart > 9.0 * 0.4, "what blocks share is scatter to one line: {apart}");
        // a case alone in its block tells nothing
        let alone =
            Fit::in_blocks(FitLaw::Line, &[&cases[..4], &[[9.0, 99.0]]].concat(), &[0, 0, 0, 0, 1]).expect("a fit");
        let first = Fit::of(FitLaw::Line, &cases[..4]).expect("a fit");
        assert_eq!((alone.slope, alone.slope_error, alone.freedom), (first.slope, first.slope_error, 2));
        assert_eq!(Fit::in_blocks(FitLaw::Line, &cases[..4], &[0, 1, 2, 3]), None);
    }

    #[test]
    fn nothing_is_fitted_where_x_does_not_vary() {
        // the mean of three 0.1 is 0.10000000000000002
        assert_eq!(Fit::of(FitLaw::Line, &[[0.1, 1.0], [0.1, 2.0], [0.1, 3.0]]), None);
    }

    #[test]
    fn logarithms_leave_out_what_has_none() {
        let cases = [[1.0, 2.0], [2.0, 4.0], [0.0, 1.0], [3.0, -1.0]];
        assert_eq!(Fit::of(FitLaw::Power, &cases).map(|f| f.cases), Some(2));
        assert!(Fit::of(FitLaw::Power, &cases[..1]).is_none());
    }
}
