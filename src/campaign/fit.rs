//! Least squares through the cases of a series: a line, also through logarithms.

use super::model::FitLaw;
use serde::Serialize;

/// A fitted law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// which
    pub law: FitLaw,
    /// of the line
    pub slope: f64,
    /// standard error of the slope; none of two cases
    pub slope_error: Option<f64>,
    /// of the line
    pub intercept: f64,
    /// root mean square of what is left of y, or of its logarithm
    pub rms: f64,
    /// cases
    pub cases: usize,
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
        let cases: Vec<[f64; 2]> = cases.iter().filter_map(|case| law.straight(*case)).collect();
        let n = cases.len() as f64;
        let mean = |k: usize| cases.iter().map(|c| c[k]).sum::<f64>() / n;
        let [x, y] = [mean(0), mean(1)];
        let spread: f64 = cases.iter().map(|c| (c[0] - x).powi(2)).sum();
        let slope = cases.iter().map(|c| (c[0] - x) * (c[1] - y)).sum::<f64>() / spread;
        let intercept = y - slope * x;
        let left: f64 = cases.iter().map(|c| (c[1] - intercept - slope * c[0]).powi(2)).sum();
        let slope_error = (n > 2.0).then(|| (left / (n - 2.0) / spread).sqrt());
        // a mean is rounded, so the spread of equal values is not always zero
        let varies = cases.iter().any(|case| case[0] != cases[0][0]);
        varies.then(|| Fit { law, slope, slope_error, intercept, rms: (left / n).sqrt(), cases: cases.len() })
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
