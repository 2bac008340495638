//! Radii of a group of bodies: one, a range, a power law, an exponential, or classes of given shares.

use super::common::word;
use crate::base::quantity::Dimension as D;
use crate::base::readable::{list, number, quantity};
use crate::base::reader::Table;
use crate::base::reader::key::{Bounds, Key, Kind};
use crate::geometry::mass::ball_m3;
use crate::model::scenario::{RadiusRange, Share, Sizes};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Exponent of a range without one.
const SAME_VOLUME: f64 = 3.0;

/// `radius_m` of a group of bodies.
pub(super) const RADIUS: Key = Key::either("radius_m", FORMS)
    .required()
    .says("one radius; or a range of radii; or a smallest and a mean radius; or a few classes of radii")
    .eg("{ min_m = 0.5, max_m = 1.0 }");

const FORMS: &[Kind] = &[
    Kind::Number(D::Length, Bounds::Positive),
    Kind::Table(POWER_LAW),
    Kind::Table(EXPONENTIAL),
    Kind::Table(CLASSES),
];

/// Largest radius above the smallest, over the mean above the smallest, of an exponential without `max_m`: one body of 22,000
/// would be larger.
const TAIL: f64 = 10.0;

/// Smallest and largest part of a class: numbers of bodies and volumes times the parts stay finite and above 0.
const PARTS: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Spheres that tell their mean volume.
const SOME: usize = 200;

/// Smallest and largest of a range of lengths.
pub(super) const BOUNDS: &[Key] = &[MIN, MAX];

const MIN: Key = Key::positive("min_m", D::Length).required().says("smallest length").eg("0.5");
const MAX: Key = Key::positive("max_m", D::Length).required().says("largest length").eg("1.0");

const POWER_LAW: &[Key] = &[
    MIN,
    MAX,
    Key::within("exponent", D::Pure, -10.0, 10.0)
        .or(SAME_VOLUME)
        .says("b of the number density r^-b; with 3 all intervals of radii of the same width have the same volume, with 4 all of the same ratio")
        .eg("2.5"),
];

const EXPONENTIAL: &[Key] = &[
    Key::positive("min_m", D::Length).required().says("smallest length").eg("0.5"),
    Key::positive("mean_m", D::Length)
        .required()
        .says("mean of an exponential that begins at the smallest; that of the law without its end")
        .eg("0.7"),
    Key::positive("max_m", D::Length)
        .without("min_m + 10 (mean_m - min_m)")
        .says("largest length, where the exponential ends")
        .eg("2.0"),
];

const CLASSES: &[Key] = &[
    Key::with_kind("classes_m", Kind::Numbers(D::Length)).required().says("the radii").eg("[7500, 15000, 22500]"),
    Key::choice(
        "share",
        &[word("mass", "each class has the same mass"), word("number", "each class has as many bodies")],
    )
    .says("what the classes have in equal parts, or in the parts that are given")
    .eg("\"mass\""),
    Key::with_kind("parts", Kind::Numbers(D::Pure))
        .without("equal parts")
        .says("parts of the mass or of the number, one for each class; only their ratios count")
        .eg("[3, 2, 1]"),
];

/// `radius_m`: a length, `{ min_m, max_m, exponent }`, `{ min_m, mean_m, max_m }` or `{ classes_m, share }`.
pub(super) fn sizes(t: &Table) -> Sizes {
    if !t.is_table("radius_m") {
        return Sizes::PowerLaw { range: range(t, "radius_m"), exponent: SAME_VOLUME };
    }
    let r = t.table("radius_m");
    if r.has("mean_m") && !r.has("classes_m") {
        return exponential(&r);
    }
    if !r.has("classes_m") && !r.has("share") && !r.has("parts") {
        let sizes = Sizes::PowerLaw { range: bounds(&r), exponent: r.value("exponent") };
        r.close();
        return sizes;
    }
    for key in ["min_m", "max_m", "mean_m", "exponent"].into_iter().filter(|key| r.has(key)) {
        r.fault(key, "conflicts with classes_m, which give every radius", "remove one of the two");
    }
    let classes_m = r.numbers("classes_m");
    let is_radius = |c: &f64| c.is_finite() && *c > 0.0;
    if r.has("classes_m") && (classes_m.is_empty() || !classes_m.iter().all(is_radius)) {
        r.fault("classes_m", "must be a list of positive radii", "write classes_m = [7500, 15000], for example");
    }
    let parts = if r.has("parts") { r.numbers("parts") } else { vec![] };
    if r.has("parts") && (parts.len() != classes_m.len() || !parts.iter().all(|p| PARTS.contains(p))) {
        let [least, most] = [PARTS.start(), PARTS.end()].map(|p| number(*p));
        let (what, given) = (format!("{} numbers in [{least}, {most}]", classes_m.len()), list(&parts));
        let remedy = "only their ratios count: write parts = [3, 2, 1] for three classes, for example";
        r.fault("parts", format!("[{given}] must be {what}, one for each class"), remedy);
    }
    let share = match r.choice("share") {
        "mass" => Share::Mass,
        _ => Share::Number,
    };
    r.close();
    Sizes::Classes { classes_m, parts, share }
}

/// `{ min_m, mean_m, max_m }`.
fn exponential(r: &Table) -> Sizes {
    for key in ["exponent", "share", "parts"].into_iter().filter(|key| r.has(key)) {
        r.fault(key, "conflicts with mean_m, which makes the law an exponential", "remove one of the two");
    }
    let (min_m, mean_m) = (r.value("min_m"), r.value("mean_m"));
    let max_m = if r.has("max_m") { r.value("max_m") } else { min_m + TAIL * (mean_m - min_m) };
    // A key that is missing has a fault of its own.
    let both = r.has("min_m") && r.has("mean_m");
    if both && mean_m <= min_m {
        r.fault("mean_m", format!("{mean_m} is not above min_m {min_m}"), "raise it, or lower min_m");
    } else if both && max_m <= mean_m {
        r.fault("max_m", format!("{max_m} is not above mean_m {mean_m}"), "raise it, or remove it");
    }
    r.close();
    Sizes::Exponential { range: RadiusRange { min_m, max_m }, mean_m }
}

/// `min_m` and `max_m` of a table.
pub(super) fn bounds(r: &Table) -> RadiusRange {
    let range = RadiusRange { min_m: r.value("min_m"), max_m: r.value("max_m") };
    if r.has("min_m") && r.has("max_m") && range.min_m > range.max_m {
        r.fault("min_m", format!("{} is above max_m {}", range.min_m, range.max_m), "exchange the two");
    }
    range
}

impl Sizes {
    /// The largest there can be (m).
    pub fn max_m(&self) -> f64 {
        match self {
            Sizes::PowerLaw { range, .. } | Sizes::Exponential { range, .. } => range.max_m,
            Sizes::Classes { classes_m, .. } => classes_m.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Radii of `count` bodies, to be asked for one by one; classes are shuffled here.
    pub fn draw(&self, count: usize, rng: &mut Pcg64Mcg) -> Draw {
        match self {
            Sizes::PowerLaw { range, exponent } => Draw::PowerLaw(*range, *exponent),
            Sizes::Exponential { range, mean_m } => Draw::Exponential(*range, *mean_m),
            Sizes::Classes { classes_m, parts, share } => {
                let numbers = share.numbers(classes_m, parts, count);
                if let Some((radius, _)) = classes_m.iter().zip(&numbers).find(|(_, n)| **n == 0 && count > 0) {
                    let radius = quantity(*radius, "m");
                    tracing::warn!(
                        "radius_m: none of {count} bodies is of the class of {radius}, whose share is below half a body; raise the count, or leave the class out"
                    );
                }
                let each = |(radius, number): (&f64, usize)| std::iter::repeat_n(*radius, number);
                let mut radii: Vec<f64> = classes_m.iter().zip(numbers).flat_map(each).collect();
                (1..radii.len()).rev().for_each(|k| radii.swap(k, rng.random_range(0..=k)));
                Draw::Classes(radii.into_iter())
            }
        }
    }

    /// Mean volume of a sphere, from some that are drawn: an estimate (m3).
    pub(super) fn mean_m3(&self) -> f64 {
        let some = self.all(SOME, &mut Pcg64Mcg::seed_from_u64(0));
        some.iter().map(|r| ball_m3(*r)).sum::<f64>() / SOME as f64
    }

    /// Radii of spheres that fill a volume as nearly as they can (m); `None`: more than `most`.
    pub fn filling(&self, volume_m3: f64, most: usize, rng: &mut Pcg64Mcg) -> Option<Vec<f64>> {
        let mut radii = vec![];
        let mut filled = 0.0;
        if let Sizes::Classes { classes_m, parts, share } = self {
            let weights = share.weights(classes_m, parts);
            let sum = classes_m.iter().zip(&weights).map(|(r, w)| w * ball_m3(*r)).sum::<f64>();
            let count = (volume_m3 * weights.iter().sum::<f64>() / sum).round();
            if count > most as f64 {
                return None;
            }
            radii = self.all(count as usize, rng);
            filled = radii.iter().map(|r| ball_m3(*r)).sum();
        } else {
            let mut draw = self.draw(0, rng);
            while filled < volume_m3 {
                if radii.len() == most {
                    return None;
                }
                radii.push(draw.next(rng));
                filled += ball_m3(radii[radii.len() - 1]);
            }
        }
        trim(&mut radii, filled - volume_m3);
        Some(radii)
    }

    /// The radii of `count` bodies (m).
    pub fn all(&self, count: usize, rng: &mut Pcg64Mcg) -> Vec<f64> {
        let mut draw = self.draw(count, rng);
        (0..count).map(|_| draw.next(rng)).collect()
    }
}

/// Takes the sphere away, or doubles it, that brings an excess of volume nearest to nothing, if one does (m3).
fn trim(radii: &mut Vec<f64>, excess_m3: f64) {
    let left = |radius: &f64| (excess_m3.abs() - ball_m3(*radius)).abs();
    let best = (0..radii.len()).min_by(|a, b| left(&radii[*a]).total_cmp(&left(&radii[*b])));
    let Some(k) = best.filter(|k| left(&radii[*k]) < excess_m3.abs()) else { return };
    if excess_m3 > 0.0 {
        radii.remove(k);
    } else {
        radii.push(radii[k]);
    }
}

impl Share {
    /// Of each class, in numbers of bodies, up to a common factor.
    fn weights(self, classes_m: &[f64], parts: &[f64]) -> Vec<f64> {
        // by the smallest: none is more than its part
        let least_m = classes_m.iter().copied().fold(f64::INFINITY, f64::min);
        let by_share = |r: &f64| if self == Share::Mass { (least_m / r).powi(3) } else { 1.0 };
        let part = |k: usize| parts.get(k).copied().unwrap_or(1.0);
        classes_m.iter().enumerate().map(|(k, r)| part(k) * by_share(r)).collect()
    }

    /// Whole numbers of the classes that add up to `count`, nearest to their shares by the largest remainders.
    fn numbers(self, classes_m: &[f64], parts: &[f64], count: usize) -> Vec<usize> {
        let weights = self.weights(classes_m, parts);
        let total: f64 = weights.iter().sum();
        let wanted: Vec<f64> = weights.iter().map(|w| count as f64 * w / total).collect();
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
    /// drawn, by the exponent
    PowerLaw(RadiusRange, f64),
    /// drawn, by the mean (m)
    Exponential(RadiusRange, f64),
    /// shuffled
    Classes(std::vec::IntoIter<f64>),
}

impl Draw {
    /// The next radius (m).
    pub fn next(&mut self, rng: &mut Pcg64Mcg) -> f64 {
        match self {
            Draw::PowerLaw(range, exponent) => power_law(*range, *exponent, rng.random()),
            Draw::Exponential(range, mean_m) => by_exponential(*range, *mean_m, rng.random()),
            Draw::Classes(radii) => radii.next().unwrap_or_default(),
        }
    }
}

/// The radius below which a share u of a number density ~ r^-exponent lies.
fn power_law(range: RadiusRange, exponent: f64, u: f64) -> f64 {
    let RadiusRange { min_m, max_m } = range;
    let (a, b) = (min_m.powi(-2), max_m.powi(-2));
    // the form in which seeds have always given their radii; at the ends of what a number holds only ratios are left
    if exponent == SAME_VOLUME && a.is_normal() && b.is_normal() {
        return (a + u * (b - a)).powf(-0.5);
    }
    let power = 1.0 - exponent;
    let (ratio, span) = (max_m / min_m, (max_m / min_m).powf(power));
    let radius_m = if power.abs() < 1e-9 && ratio.is_finite() {
        min_m * ratio.powf(u)
    } else if power.abs() < 1e-9 {
        (min_m.ln() + u * (max_m.ln() - min_m.ln())).exp()
    } else if span.is_finite() {
        min_m * (1.0 + u * (span - 1.0)).powf(1.0 / power)
    } else {
        max_m * (u + (1.0 - u) * (min_m / max_m).powf(power)).powf(1.0 / power)
    };
    within(range, radius_m)
}

/// The radius below which a share u of an exponential lies.
fn by_exponential(range: RadiusRange, mean_m: f64, u: f64) -> f64 {
    let RadiusRange { min_m, max_m } = range;
    let scale = mean_m - min_m;
    let below_end = -((min_m - max_m) / scale).exp_m1();
    within(range, min_m - scale * (-u * below_end).ln_1p())
}

/// The nearest radius between the bounds; those of a faulty scenario may be the wrong way round.
fn within(range: RadiusRange, radius_m: f64) -> f64 {
    radius_m.max(range.min_m).min(range.max_m)
}

/// A positive length, or a table of its bounds.
pub(super) const RANGE: &[Kind] = &[Kind::Number(D::Length, Bounds::Positive), Kind::Table(BOUNDS)];

/// A positive length, or two of them as a range.
pub(super) fn range(t: &Table, key: &str) -> RadiusRange {
    if t.is_table(key) {
        let r = t.table(key);
        let range = bounds(&r);
        r.close();
        range
    } else {
        let r = t.value(key);
        RadiusRange { min_m: r, max_m: r }
    }
}
