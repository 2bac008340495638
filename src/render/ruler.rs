//! An axis of a plot with ticks of its own: round values, or decades, with texts that differ.

use super::scale::Ticks;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// Decades that have a tick, at most.
const DECADES_MAX: usize = 8;

/// An axis and its ticks.
#[derive(Debug, Clone)]
pub struct Ruler {
    ends: [f64; 2],
    logarithmic: bool,
    /// values and their texts
    ticks: Vec<(f64, String)>,
}

impl Ruler {
    /// From `low` to `high`, equal steps.
    pub fn linear(low: f64, high: f64) -> Ruler {
        let round = Ticks::over(low, high);
        let slack = 1e-9 * round.step;
        let kept = |v: &f64| *v >= low - slack && *v <= high + slack;
        let values: Vec<f64> = round.values().into_iter().filter(kept).collect();
        let texts = texts(&values, round.step);
        Ruler { ends: [low, high], logarithmic: false, ticks: values.into_iter().zip(texts).collect() }
    }

    /// Around values from `low` to `high`, with this share of their span as room at the ends; from zero if they come near it.
    pub fn around(low: f64, high: f64, share: f64) -> Ruler {
        if low == 0.0 && high == 0.0 {
            return Ruler::linear(-1.0, 1.0);
        }
        let room = share * (high - low).max(1e-3 * high.abs()).max(1e-300);
        let floor = if low >= 0.0 && low < 0.3 * high { 0.0 } else { low - room };
        Ruler::linear(floor, high + room)
    }

    /// The whole decades that hold values above zero from `low` to `high`.
    pub fn decades(low: f64, high: f64) -> Ruler {
        let first = low.log10().floor() as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        let each = ((last - first) as usize).div_ceil(DECADES_MAX);
        let digits: &[i32] = if last - first < 3 { &[1, 2, 5] } else { &[1] };
        let of = |power: i32| digits.iter().map(move |digit| (*digit, power));
        let all = (first..=last).step_by(each).flat_map(of).filter(|at| *at <= (1, last) || at.1 < last);
        // read from its text, a power of ten is exact
        let value = |(digit, power): (i32, i32)| format!("{digit}e{power}").parse().unwrap_or(f64::NAN);
        let ticks = all.map(|at| (value(at), decade(at))).collect();
        Ruler { ends: [(1, first), (1, last)].map(value), logarithmic: true, ticks }
    }

    /// Whether a value is between the ends.
    pub fn holds(&self, value: f64) -> bool {
        (self.ends[0]..=self.ends[1]).contains(&value)
    }

    /// Text of a tick.
    pub fn text(&self, value: f64) -> String {
        self.ticks.iter().find(|(v, _)| *v == value).map(|(_, text)| text.clone()).unwrap_or_default()
    }

    /// Letters of the longest text.
    pub fn letters(&self) -> usize {
        self.ticks.iter().map(|(_, text)| text.len()).max().unwrap_or(0)
    }
}

fn decade((digit, power): (i32, i32)) -> String {
    match power {
        0..6 => format!("{digit}{}", "0".repeat(power as usize)),
        -3..0 => format!("0.{}{digit}", "0".repeat((-power - 1) as usize)),
        _ => format!("{digit}e{power}"),
    }
}

/// Texts of values that are `step` apart, with the digits that tell them apart, in the shorter of two styles.
fn texts(values: &[f64], step: f64) -> Vec<String> {
    let power = |v: f64| (v.abs() * (1.0 + 1e-9)).log10().floor() as i32;
    let plain = |v: &f64| format!("{v:.*}", (-power(step)).clamp(0, 300) as usize);
    let exponent = |v: &f64| {
        let text = format!("{v:.*e}", (power(*v) - power(step)).clamp(0, 16) as usize);
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{power}", trimmed(digits))
    };
    let zero = |v: &f64| v.abs() < 1e-9 * step;
    let list = |text: &dyn Fn(&f64) -> String| -> Vec<String> {
        values.iter().map(|v| if zero(v) { "0".to_owned() } else { text(v) }).collect()
    };
    let [plain, exponent] = [list(&|v| trimmed(&plain(v)).to_owned()), list(&exponent)];
    let longest = |texts: &[String]| texts.iter().map(String::len).max();
    if longest(&exponent) < longest(&plain) { exponent } else { plain }
}

/// Digits without zeros at the end of a fraction.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

impl Ranged for Ruler {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let on = |v: f64| if self.logarithmic { v.ln() } else { v };
        let [low, high] = self.ends.map(on);
        let part = (on(*value) - low) / (high - low);
        (f64::from(limit.0) + part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // light lines between the ticks are not drawn
        let light = hint.weight().allow_light_points();
        if light { vec![] } else { self.ticks.iter().map(|(v, _)| *v).collect() }
    }

    fn range(&self) -> Range<f64> {
        self.ends[0]..self.ends[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(ruler: &Ruler) -> Vec<&str> {
        ruler.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_of_a_linear_axis_that_differ_have_texts_that_differ() {
        assert_eq!(texts_of(&Ruler::linear(0.0, 1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(texts_of(&Ruler::linear(999_999.0, 1_000_003.0))[..3], ["999999", "1000000", "1000001"]);
        assert_eq!(texts_of(&Ruler::linear(0.0, 2e10)), ["0", "5e9", "1e10", "1.5e10", "2e10"]);
        for (low, high) in [(0.2, 0.200_004), (1e6, 1e6 + 1e-3), (-3e-9, 4e-9), (5e-18, 6e-18), (-1e12, 1e12)] {
            let ruler = Ruler::linear(low, high);
            let texts = texts_of(&ruler);
            assert!(texts.len() >= 4 && texts.windows(2).all(|pair| pair[0] != pair[1]), "{low} {high}: {texts:?}");
            for (value, text) in &ruler.ticks {
                let read: f64 = text.parse().unwrap();
                assert!((read - value).abs() <= 1e-3 * (high - low), "{value}: {text}");
            }
        }
    }

    #[test]
    fn decades_have_ticks_however_small_they_are() {
        assert_eq!(texts_of(&Ruler::decades(3e-17, 4e-14)), ["1e-17", "1e-16", "1e-15", "1e-14", "1e-13"]);
        assert_eq!(texts_of(&Ruler::decades(2e-16, 7e-16)), ["1e-16", "2e-16", "5e-16", "1e-15"]);
        assert_eq!(texts_of(&Ruler::decades(0.01, 200.0)), ["0.01", "0.1", "1", "10", "100", "1000"]);
        let many = Ruler::decades(1e-30, 1.0);
        assert!((6..=9).contains(&many.ticks.len()), "{:?}", many.ticks);
        let ruler = Ruler::decades(1e-3, 1.0);
        assert_eq!([1e-3, 1e-2, 1.0].map(|v| ruler.map(&v, (300, 0))), [300, 200, 0]);
    }
}
