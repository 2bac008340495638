//! The program's own functions against those of f64, over the whole range that each is for.

use super::cloud::random;
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "functions",
    compares: "The program's own logarithm, exponential, angle, sine and cosine against f64, over the range that each is used for.",
    bounds: "A few operations at 6e-8 each remain after the leading terms.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["evaluate_functions"],
        what: "logarithm of all normal numbers",
        unit: "of it",
        bound: 3e-7,
        reason: "three sums of up to 6e-8 each behind products of a tenth of that",
        compare: |h, t| compare(h, t, 0, &spread(-126.0, 127.9), |[x, _]| (x.ln(), x.ln())),
    },
    Check {
        passes: &["evaluate_functions"],
        what: "exponential up to 80",
        unit: "of it",
        bound: 4e-7,
        reason: "two sums of up to 6e-8, the argument cut to 3e-8, the polynomial",
        compare: |h, t| compare(h, t, 1, &even(-80.0, 80.0), |[x, _]| (x.exp(), x.exp())),
    },
    Check {
        passes: &["evaluate_functions"],
        what: "inverse hyperbolic tangent up to 1/2",
        unit: "of it",
        bound: 3e-7,
        reason: "some five operations of 6e-8 that count",
        compare: |h, t| compare(h, t, 2, &even(-0.5, 0.5), |[x, _]| (x.atanh(), x.atanh())),
    },
    Check {
        passes: &["evaluate_functions"],
        what: "angle of a point, all around",
        unit: "of the angle; left of 0, of pi",
        bound: 5e-7,
        reason: "two quotients of 1.2e-7 and a sum between, which is twice as much of the angle, and two sums",
        compare: |h, t| {
            compare(h, t, 3, &around(), |[x, y]| (y.atan2(x), if x < 0.0 { std::f64::consts::PI } else { y.atan2(x) }))
        },
    },
    Check {
        passes: &["evaluate_functions"],
        what: "cosine up to 1,000",
        unit: "3e-7 + 1e-7 |x|",
        bound: 1.0,
        reason: "the last part of the argument may be subtracted first: 1e-7 of it",
        compare: |h, t| compare(h, t, 4, &even(-1000.0, 1000.0), |[x, _]| (x.cos(), 3e-7 + 1e-7 * x.abs())),
    },
    Check {
        passes: &["evaluate_functions"],
        what: "sine up to 1,000",
        unit: "3e-7 + 1e-7 |x|",
        bound: 1.0,
        reason: "the last part of the argument may be subtracted first: 1e-7 of it",
        compare: |h, t| compare(h, t, 5, &even(-1000.0, 1000.0), |[x, _]| (x.sin(), 3e-7 + 1e-7 * x.abs())),
    },
    Check {
        passes: &["evaluate_functions"],
        what: "sin(x)/x, for x up to a quarter turn",
        unit: "of it",
        bound: 2e-7,
        reason: "the last product and sum, 6e-8 each, and those before, of which less than a half counts",
        compare: |h, t| {
            compare(h, t, 6, &even(0.0, SQUARE_MAX), |[z, _]| {
                of_one(if z > 0.0 { z.sqrt().sin() / z.sqrt() } else { 1.0 })
            })
        },
    },
    Check {
        passes: &["evaluate_functions"],
        what: "(1 - cos x)/x^2, for x up to a quarter turn",
        unit: "of it",
        bound: 2e-7,
        reason: "the last product and sum, 6e-8 each, and those before, of which less than a half counts",
        compare: |h, t| {
            compare(h, t, 7, &even(0.0, SQUARE_MAX), |[z, _]| {
                of_one(if z > 0.0 { 2.0 * (0.5 * z.sqrt()).sin().powi(2) / z } else { 0.5 })
            })
        },
    },
];

/// (pi/2)^2, as `SINE_SQUARE_MAX` of wgsl/math/sine.wgsl.
const SQUARE_MAX: f64 = 2.4674011;
const COUNT: usize = 100_000;

fn of_one(value: f64) -> (f64, f64) {
    (value, value)
}

/// Numbers from `low` to `high`, both included.
fn even(low: f64, high: f64) -> Vec<[f32; 2]> {
    let step = (high - low) / (COUNT - 1) as f64;
    (0..COUNT).map(|k| [(low + step * k as f64).min(high) as f32, 0.0]).collect()
}

/// Powers of two from `low` to `high`, and numbers that come close to 1.
fn spread(low: f64, high: f64) -> Vec<[f32; 2]> {
    let powers = even(low, high).into_iter().map(|[e, _]| f64::from(e).exp2());
    let close = (1..24).flat_map(|e| [1.0 + (-f64::from(e)).exp2(), 1.0 - (-f64::from(e)).exp2()]);
    powers.chain(close).map(|x| [x as f32, 0.0]).collect()
}

/// Points in all directions, near and far, on the axes and off them.
fn around() -> Vec<[f32; 2]> {
    let mut random = random(5);
    let mut points: Vec<_> = (0..COUNT)
        .map(|_| {
            let size = 10f64.powf(random.random_range(-15.0..15.0));
            let (y, x) = random.random_range(-std::f64::consts::PI..std::f64::consts::PI).sin_cos();
            let flat = 10f64.powf(random.random_range(-8.0..0.0));
            [(size * x) as f32, (size * flat * y) as f32]
        })
        .collect();
    points.extend([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]);
    points
}

/// Values in column `column` of two rows against the truth; errors in units of its second number.
fn compare(
    h: &mut Harness,
    t: &mut Tally,
    column: usize,
    arguments: &[[f32; 2]],
    truth: fn([f64; 2]) -> (f64, f64),
) -> Result<()> {
    t.case(format!("{} arguments", arguments.len()));
    h.fill("argument", arguments)?;
    h.zeros("value", 32 * arguments.len())?;
    h.run("evaluate_functions", arguments.len().div_ceil(64) as u32)?;
    let values: Vec<[f32; 8]> = h.read("value")?;
    for (k, (argument, value)) in arguments.iter().zip(&values).enumerate() {
        let (wanted, unit) = truth(argument.map(f64::from));
        let off = f64::from(value[column]) - wanted;
        t.off(
            &format!("x = {:e}, y = {:e}, value", argument[0], argument[1]),
            k,
            if off == 0.0 { 0.0 } else { (off / unit).abs() },
        );
    }
    Ok(())
}
