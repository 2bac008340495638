//! Radii of a group of bodies: one, a range, a power law, or classes of given shares.

use super::parse::range;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::{RadiusRange, Share, Sizes};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Exponent of a range without one.
const SAME_VOLUME: f64 = 3.0;

/// `radius_m`: a length, `{ min_m, max_m, exponent }` or `{ classes_m, share }`.
pub(super) fn sizes(t: &Table) -> Sizes {
    if !t.is_table("radius_m") {
        return Sizes::PowerLaw { range: range(t, "radius_m"), exponent: SAME_VOLUME };
    }
    let r = t.table("radius_m");
    if !r.has("classes_m") && !r.has("share") {
        let exponent = r.number("exponent", D::Pure).unwrap_or(SAME_VOLUME);
        let sizes = Sizes::PowerLaw { range: bounds(&r), exponent: r.within("exponent", exponent, -10.0, 10.0) };
        r.close();
        return sizes;
    }
    for key in ["min_m", "max_m", "exponent"].into_iter().filter(|key| r.has(key)) {
        r.fault(key, "stands beside classes_m, which say every radius; keep one");
    }
    let classes_m = r.numbers("classes_m", D::Length);
    if classes_m.is_empty() || classes_m.iter().any(|c| *c <= 0.0) {
        r.fault("classes_m", "must be a list of positive radii");
    }
    let share = match r.choice("share", &["mass", "number"], None).as_str() {
        "mass" => Share::Mass,
        _ => Share::Number,
    };
    r.close();
    Sizes::Classes { classes_m, share }
}

/// `min_m` and `max_m` of a table.
pub(super) fn bounds(r: &Table) -> RadiusRange {
    let length = |key: &str| r.positive(key, r.need(key, D::Length));
    let range = RadiusRange { min_m: length("min_m"), max_m: length("max_m") };
    if range.min_m > range.max_m {
        r.fault("min_m", format!("{} is above max_m {}", range.min_m, range.max_m));
    }
    range
}

impl Sizes {
    /// The largest there can be (m).
    pub fn max_m(&self) -> f64 {
        match self {
            Sizes::PowerLaw { range, .. } => range.max_m,
            Sizes::Classes { classes_m, .. } => classes_m.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Radii of `count` bodies, to be asked for one by one; classes are shuffled here.
    pub fn draw(&self, count: usize, rng: &mut Pcg64Mcg) -> Draw {
        match self {
            Sizes::PowerLaw { range, exponent } => Draw::PowerLaw(*range, *exponent),
            Sizes::Classes { classes_m, share } => {
                let numbers = share.numbers(classes_m, count);
                let each = |(radius, number): (&f64, usize)| std::iter::repeat_n(*radius, number);
                let mut radii: Vec<f64> = classes_m.iter().zip(numbers).flat_map(each).collect();
                (1..radii.len()).rev().for_each(|k| radii.swap(k, rng.random_range(0..=k)));
                Draw::Classes(radii.into_iter())
            }
        }
    }

    /// The radii of `count` bodies (m).
    pub fn all(&self, count: usize, rng: &mut Pcg64Mcg) -> Vec<f64> {
        let mut draw = self.draw(count, rng);
        (0..count).map(|_| draw.next(rng)).collect()
    }
}

impl Share {
    /// Whole numbers of the classes that add up to `count`, nearest to their shares by the largest remainders.
    fn numbers(self, classes_m: &[f64], count: usize) -> Vec<usize> {
        let weight = |r: &f64| if self == Share::Mass { (classes_m[0] / r).powi(3) } else { 1.0 };
        let total: f64 = classes_m.iter().map(weight).sum();
        let wanted: Vec<f64> = classes_m.iter().map(|r| count as f64 * weight(r) / total).collect();
        let mut numbers: Vec<usize> = wanted.iter().map(|w| *w as usize).collect();
        let mut order: Vec<usize> = (0..wanted.len()).collect();
        order.sort_by(|a, b| wanted[*b].fract().total_cmp(&wanted[*a].fract()));
        let left = count.saturating_sub(numbers.iter().sum());
        order.iter().take(left).for_each(|k| numbers[*k] += 1);
        numbers
    }
}

/// Radii of a group as they come.
pub enum Draw {
    /// drawn
    PowerLaw(RadiusRange, f64),
    /// shuffled
    Classes(std::vec::IntoIter<f64>),
}

impl Draw {
    /// The next radius (m).
    pub fn next(&mut self, rng: &mut Pcg64Mcg) -> f64 {
        match self {
            Draw::PowerLaw(range, exponent) => power_law(*range, *exponent, rng.random()),
            Draw::Classes(radii) => radii.next().unwrap_or_default(),
        }
    }
}

/// The radius below which a share u of a number density ~ r^-exponent lies.
fn power_law(range: RadiusRange, exponent: f64, u: f64) -> f64 {
    let RadiusRange { min_m, max_m } = range;
    if exponent == SAME_VOLUME {
        let (a, b) = (min_m.powi(-2), max_m.powi(-2));
        return (a + u * (b - a)).powf(-0.5);
    }
    let power = 1.0 - exponent;
    let ratio = max_m / min_m;
    let grown =
        if power.abs() < 1e-9 { ratio.powf(u) } else { (1.0 + u * (ratio.powf(power) - 1.0)).powf(1.0 / power) };
    (min_m * grown).clamp(min_m, max_m)
}
