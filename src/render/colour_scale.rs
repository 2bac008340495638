//! What colours mean: the range of a quantity on a map of colours, with ticks and a title.

use super::colour::ColourMap;
use super::scale::{Ticks, prefixed, three_digits};
use super::scene::Quantity;
use crate::base::error::{Error, Result};

/// Share of the bodies that the usual scale of speeds and pressures leaves above it, and a logarithmic one below it (%).
const TAIL: usize = 2;
/// Decades below the upper end of a logarithmic scale, at most, unless its range is chosen.
const DECADES_MAX: f64 = 6.0;

/// Spread of a quantity over one frame.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// smallest value
    pub low: f64,
    /// smallest value above zero but for a tail of 2 % of those; none without any
    pub positive: Option<f64>,
    /// at least 98 % of the bodies are not above this; of up to fifty, all
    pub most: f64,
    /// largest value
    pub high: f64,
}

impl Spread {
    /// The spread of the finite values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (*sorted.first()?, *sorted.last()?);
        let above = &sorted[sorted.partition_point(|v| *v <= 0.0)..];
        let positive = above.get(above.len().saturating_sub(1) * TAIL / 100).copied();
        let most = sorted[((sorted.len() - 1) * (100 - TAIL)).div_ceil(100)];
        Some(Spread { low, positive, most, high })
    }
}

/// What is chosen of a scale.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Choice {
    /// ends (SI)
    pub range: Option<[f64; 2]>,
    /// equal ratios are equal steps of colour
    pub logarithmic: bool,
    /// colours
    pub map: ColourMap,
}

/// Scale of the colours: a range of the quantity in a unit with a fitting prefix.
#[derive(Debug, Clone)]
pub struct ColourScale {
    /// name and unit, as in `speed [mm/s]`
    pub title: String,
    /// colours
    pub map: ColourMap,
    /// from SI to the unit of `title`
    factor: f64,
    /// ends in the unit of `title`
    ends: [f64; 2],
    logarithmic: bool,
    /// values in the unit of `title`, and their text
    ticks: Vec<(f64, String)>,
    /// how many bodies the usual scale leaves beyond its end, where it leaves any
    note: Option<String>,
}

impl ColourScale {
    /// The usual scale for frames of these spreads, from zero where that costs little; `None` for a quantity without one.
    /// Of speeds and pressures it ends where at least 98 % of the bodies of every frame are not above it.
    pub fn over(quantity: &Quantity, spreads: &[Spread]) -> Option<ColourScale> {
        let (name, unit) = quantity.title()?;
        let largest = |value: fn(&Spread) -> f64| spreads.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let (most, high) = (largest(|s| s.most), largest(|s| s.high));
        let low = spreads.iter().map(|s| s.low).fold(f64::INFINITY, f64::min);
        let (low, most, high) = if low <= high { (low, most, high) } else { (0.0, 0.0, 0.0) };
        let own_low =
            matches!(quantity, Quantity::Radius | Quantity::Distance | Quantity::Latitude | Quantity::Column(_));
        let low = if own_low || low < 0.0 { low } else { 0.0 };
        let spread = matches!(quantity, Quantity::Speed | Quantity::Pressure);
        let top = if spread && most > 0.0 { most } else { high };
        let whole = *quantity == Quantity::Coordination;
        let scale = ColourScale::between(&name, &unit, whole, [low, top], [low, high]);
        let leaves = high > scale.ends_si()[1] * (1.0 + 1e-9);
        Some(ColourScale { note: leaves.then(|| format!("up to {TAIL} % above")), ..scale })
    }

    /// The scale that is chosen; an error if the quantity has none, or no such one.
    pub fn chosen(quantity: &Quantity, spreads: &[Spread], choice: Choice) -> Result<Option<ColourScale>> {
        let Some((name, unit)) = quantity.title() else {
            if choice == Choice::default() {
                return Ok(None);
            }
            return Err(Error::Usage("--range, --log, --colormap: belong to a --color that has a scale".into()));
        };
        let over =
            |value: fn(&Spread) -> Option<f64>, of: fn(f64, f64) -> f64| spreads.iter().filter_map(value).reduce(of);
        let all = [over(|s| Some(s.low), f64::min), over(|s| Some(s.high), f64::max)].map(|end| end.unwrap_or(0.0));
        let scale = match (choice.range, choice.logarithmic) {
            // its middle is white, which means zero
            (None, false) if choice.map == ColourMap::Vik && all[0] < 0.0 => {
                let far = all[1].max(-all[0]);
                Some(ColourScale::between(&name, &unit, false, [-far, far], all))
            }
            (None, false) => ColourScale::over(quantity, spreads),
            (Some(range), false) => Some(ColourScale::fixed(&name, &unit, range, all)),
            (range, true) => {
                let usual = || {
                    let high = over(|s| Some(s.high), f64::max).filter(|high| *high > 0.0)?;
                    let low = over(|s| s.positive, f64::min)?.max(high * 10f64.powf(-DECADES_MAX));
                    Some(if low < high { [low, high] } else { [0.1 * high, high] })
                };
                let range = range
                    .or_else(usual)
                    .ok_or_else(|| Error::Usage(format!("--log: no body has a {name} above zero; leave --log out")))?;
                if range[0] <= 0.0 {
                    return Err(Error::Usage("--range: a logarithmic scale starts above zero".into()));
                }
                Some(ColourScale::in_decades(&name, &unit, range, all))
            }
        };
        Ok(scale.map(|scale| ColourScale { map: choice.map, ..scale }))
    }

    /// A scale with these ends (SI), for values between `all`.
    pub fn fixed(name: &str, unit: &str, range: [f64; 2], all: [f64; 2]) -> ColourScale {
        let (unit, factor) = prefixed(unit, range[0].abs().max(range[1].abs()));
        let ends = range.map(|end| end * factor);
        let ticks = Ticks::over(ends[0], ends[1]);
        let slack = 1e-9 * ticks.step;
        let inside = ticks.values().into_iter().filter(|v| *v >= ends[0] - slack && *v <= ends[1] + slack);
        let ticks = inside.map(|v| (v, ticks.label(v))).collect();
        ColourScale::with(name, &unit, factor, ends, false, ticks).told(all)
    }

    fn in_decades(name: &str, unit: &str, range: [f64; 2], all: [f64; 2]) -> ColourScale {
        let (unit, factor) = prefixed(unit, range[1]);
        let ends = range.map(|end| end * factor);
        let [first, last] = ends.map(|end| end.log10().floor() as i32);
        let inside = |digits: &[f64]| -> Vec<(f64, String)> {
            let all = (first..=last).flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
            let kept = all.filter(|v| *v >= ends[0] * (1.0 - 1e-9) && *v <= ends[1] * (1.0 + 1e-9));
            kept.map(|v| (v, three_digits(v))).collect()
        };
        let mut ticks = inside(&[1.0]);
        if ticks.len() < 3 {
            ticks = inside(&[1.0, 2.0, 5.0]);
        }
        if ticks.len() < 2 {
            ticks = ends.map(|end| (end, three_digits(end))).to_vec();
        }
        ColourScale::with(name, &unit, factor, ends, true, ticks).told(all)
    }

    fn between(name: &str, unit: &str, whole: bool, range: [f64; 2], all: [f64; 2]) -> ColourScale {
        let (unit, factor) = prefixed(unit, range[0].abs().max(range[1].abs()));
        let [low, high] = range.map(|end| end * factor);
        let ticks = if whole { Ticks::whole(low, high) } else { Ticks::over(low, high) };
        let marks = ticks.values().into_iter().map(|v| (v, ticks.label(v))).collect();
        ColourScale::with(name, &unit, factor, [ticks.low, ticks.high], false, marks).told(all)
    }

    fn with(
        name: &str,
        unit: &str,
        factor: f64,
        ends: [f64; 2],
        logarithmic: bool,
        ticks: Vec<(f64, String)>,
    ) -> ColourScale {
        let title = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        ColourScale { title, map: ColourMap::default(), factor, ends, logarithmic, ticks, note: None }
    }

    /// Says at the ends of the scale where values lie beyond them; `all`: the least and the largest (SI).
    fn told(mut self, all: [f64; 2]) -> ColourScale {
        // as parts of the scale, which may be logarithmic
        let slack = 1e-9;
        let [least, largest] = all.map(|v| self.fraction(v));
        // a tick near the end gives way to the end
        let near = |ticks: &[(f64, String)], end: f64, scale: &ColourScale| {
            ticks.iter().position(|(v, _)| (scale.part(*v) - scale.part(end)).abs() < 0.06)
        };
        for (k, beyond, sign) in [(0, least < -slack, "<"), (1, largest > 1.0 + slack, ">")] {
            if beyond {
                let end = self.ends[k];
                let there = near(&self.ticks, end, &self).map(|at| self.ticks.remove(at));
                let same = |v: f64| (self.part(v) - self.part(end)).abs() <= slack;
                let text = there.filter(|(v, _)| same(*v)).map_or_else(|| three_digits(end), |t| t.1);
                self.ticks.push((end, format!("{sign} {text}")));
            }
        }
        self
    }

    /// Its ends (SI).
    pub fn ends_si(&self) -> [f64; 2] {
        self.ends.map(|end| end / self.factor)
    }

    /// What is said below the scale.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Position of each tick between the ends, and its text; the ends say so where values lie beyond them.
    pub fn labels(&self) -> Vec<(f64, &str)> {
        self.ticks.iter().map(|(v, text)| (self.part(*v), text.as_str())).collect()
    }

    /// Position of a value (SI) on the scale: 0 at its low end, 1 at its high end.
    pub fn fraction(&self, value: f64) -> f64 {
        self.part(value * self.factor)
    }

    /// Colour of a value (SI).
    pub fn colour(&self, value: f64) -> [f64; 3] {
        self.map.colour(self.fraction(value))
    }

    fn part(&self, value: f64) -> f64 {
        let on = |v: f64| if self.logarithmic { v.max(f64::MIN_POSITIVE).ln() } else { v };
        let [low, high] = self.ends.map(on);
        if value.is_nan() { value } else { (on(value) - low) / (high - low) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speeds() -> Vec<f64> {
        let mut speeds: Vec<f64> = (0..1000).map(|k| f64::from(k) * 1e-6).collect();
        speeds[0] = 0.5;
        speeds
    }

    #[test]
    fn outliers_are_cut_off_and_the_scale_says_so() {
        let scale = |quantity| ColourScale::over(&quantity, &[Spread::of(&speeds()).unwrap()]).unwrap();
        let speed = scale(Quantity::Speed);
        assert_eq!(speed.title, "speed [µm/s]");
        assert_eq!(speed.labels().last().unwrap(), &(1.0, "> 1000"));
        assert_eq!(speed.note(), Some("up to 2 % above"));
        assert!(speed.fraction(0.5) > 1.0 && (speed.fraction(500e-6) - 0.5).abs() < 1e-12);
        let radius = scale(Quantity::Radius);
        assert!(radius.fraction(0.5) <= 1.0, "sizes are never cut off");
        assert!(radius.labels().iter().all(|(_, text)| !text.contains('>')) && radius.note().is_none());
    }

    #[test]
    fn few_bodies_have_no_outliers() {
        for n in [1, 2, 49] {
            let mut speeds = vec![0.001; n];
            speeds[0] = 1.0;
            let scale = ColourScale::over(&Quantity::Speed, &[Spread::of(&speeds).unwrap()]).unwrap();
            assert!(scale.labels().iter().all(|(_, text)| !text.contains('>')), "{n} bodies");
        }
    }

    #[test]
    fn a_scale_of_nothing_is_still_a_scale() {
        for spreads in [vec![], vec![Spread::of(&[0.0, 0.0]).unwrap()]] {
            let scale = ColourScale::over(&Quantity::Speed, &spreads).unwrap();
            assert!(scale.labels().len() > 1 && scale.fraction(0.0) == 0.0);
        }
        assert!(Spread::of(&[f64::NAN]).is_none());
    }

    #[test]
    fn a_chosen_range_has_its_ends_and_tells_what_lies_beyond() {
        let spread = [Spread::of(&speeds()).unwrap()];
        let choice = Choice { range: Some([1e-4, 7e-4]), ..Choice::default() };
        let scale = ColourScale::chosen(&Quantity::Speed, &spread, choice).unwrap().unwrap();
        assert_eq!((scale.fraction(1e-4), scale.fraction(7e-4)), (0.0, 1.0));
        let labels = scale.labels();
        assert!(labels.contains(&(0.0, "< 100")) && labels.contains(&(1.0, "> 700")), "{labels:?}");
        assert_eq!(scale.note(), None, "who chose the range knows what it leaves out");
        let refused = ColourScale::chosen(&Quantity::Cluster, &spread, choice).unwrap_err();
        assert_eq!(refused.exit_code(), 2);
    }

    #[test]
    fn the_white_of_vik_is_zero() {
        let spread = [Spread::of(&[-8e-3, 1e-3, 6e-3]).unwrap()];
        let choice = Choice { map: ColourMap::Vik, ..Choice::default() };
        let scale = ColourScale::chosen(&Quantity::Latitude, &spread, choice).unwrap().unwrap();
        assert!((scale.fraction(0.0) - 0.5).abs() < 1e-12 && scale.fraction(-8e-3) >= 0.0, "{:?}", scale.labels());
    }

    #[test]
    fn equal_ratios_are_equal_steps_of_a_logarithmic_scale() {
        let values: Vec<f64> = (0..=60).map(|k| 10f64.powf(f64::from(k) / 10.0 - 3.0)).collect();
        let choice = Choice { logarithmic: true, ..Choice::default() };
        let spreads = [Spread::of(&values).unwrap()];
        let scale = ColourScale::chosen(&Quantity::Pressure, &spreads, choice).unwrap().unwrap();
        let step = scale.fraction(10.0) - scale.fraction(1.0);
        assert!((scale.fraction(100.0) - scale.fraction(10.0) - step).abs() < 1e-12 && step > 0.1);
        assert!(scale.labels().len() >= 5 && scale.fraction(0.0) < 0.0, "{:?}", scale.labels());
        for (least, said) in [(1e-14, true), (1e-12, false), (0.0, true)] {
            let wide = Choice { range: Some([1e-12, 1e3]), ..choice };
            let spreads = [Spread::of(&[least, 1.0]).unwrap()];
            let scale = ColourScale::chosen(&Quantity::Speed, &spreads, wide).unwrap().unwrap();
            assert_eq!(scale.labels().iter().any(|(_, text)| text.starts_with('<')), said, "{:?}", scale.labels());
        }
        for (range, values) in [(Some([0.0, 1.0]), vec![1.0]), (None, vec![0.0, -1.0])] {
            let wrong = Choice { range, ..choice };
            let spreads = [Spread::of(&values).unwrap()];
            assert_eq!(ColourScale::chosen(&Quantity::Speed, &spreads, wrong).unwrap_err().exit_code(), 2);
        }
    }
}
