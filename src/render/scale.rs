//! Numbers on axes: round steps, unit prefixes, lengths and times that people can read.

/// The largest 1, 2 or 5 times a power of ten that is at most `x` (above zero).
pub fn round_down(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    // 1e-9: 0.2 / 0.1 must count as 2
    let digit = [5.0, 2.0, 1.0].into_iter().find(|d| d * power <= x * (1.0 + 1e-9));
    digit.unwrap_or(0.5) * power
}

/// A range widened to round ends, and its step: four to ten steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ticks {
    /// first tick
    pub low: f64,
    /// last tick
    pub high: f64,
    /// between ticks
    pub step: f64,
}

impl Ticks {
    /// Ticks for values between `low` and `high`; an empty range is widened.
    pub fn over(low: f64, high: f64) -> Ticks {
        let (low, high) = if high > low {
            (low, high)
        } else if low == 0.0 {
            (0.0, 1.0)
        } else {
            (low.min(0.0), low.max(0.0))
        };
        let step = round_down((high - low) / 4.0);
        let slack = 1e-9; // an end that is round already stays
        Ticks { low: (low / step + slack).floor() * step, high: (high / step - slack).ceil() * step, step }
    }

    /// Whole numbers only, for counts.
    pub fn whole(low: f64, high: f64) -> Ticks {
        let ticks = Ticks::over(low, high);
        let step = ticks.step.max(1.0);
        Ticks { low: (low / step).floor() * step, high: ((high / step).ceil() * step).max(low + step), step }
    }

    /// The ticks in order.
    pub fn values(&self) -> Vec<f64> {
        let count = ((self.high - self.low) / self.step).round() as i64;
        (0..=count).map(|k| self.low + k as f64 * self.step).collect()
    }

    /// Decimals that make neighbouring ticks differ.
    pub fn decimals(&self) -> usize {
        (-(self.step * (1.0 + 1e-9)).log10().floor()).max(0.0) as usize
    }

    /// Text of a tick.
    pub fn label(&self, value: f64) -> String {
        let value = if value.abs() < 1e-9 * self.step { 0.0 } else { value };
        if self.high.abs().max(self.low.abs()) >= 1e6 {
            return format!("{value:e}");
        }
        format!("{value:.*}", self.decimals())
    }
}

/// Unit with a prefix for values up to `largest`, and the factor from the plain unit. `unit` starts with the letter
/// that takes the prefix; an empty unit stays as it is. One that starts with kg gets a power of ten, and so does one of values
/// beyond the prefixes.
pub fn prefixed(unit: &str, largest: f64) -> (String, f64) {
    const PREFIXES: [(&str, f64); 8] =
        [("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9)];
    if unit.is_empty() || largest <= 0.0 || !largest.is_finite() {
        return (unit.to_owned(), 1.0);
    }
    // kg has its prefix
    if unit.starts_with("kg") || !(1e-12..1e15).contains(&largest) {
        let thousands = (largest.log10() / 3.0).floor() as i32 * 3;
        return match thousands {
            0 => (unit.to_owned(), 1.0),
            power => (format!("10^{power} {unit}"), 10f64.powi(-power)),
        };
    }
    let (prefix, size) = PREFIXES.into_iter().find(|p| largest >= p.1).unwrap_or(("n", 1e-9));
    (format!("{prefix}{unit}"), 1.0 / size)
}

/// Unit of time for durations up to `largest_s`, and the factor from seconds.
pub fn time_unit(largest_s: f64) -> (&'static str, f64) {
    match largest_s {
        t if t > 3.0 * 86400.0 => ("d", 1.0 / 86400.0),
        t if t > 3.0 * 3600.0 => ("h", 1.0 / 3600.0),
        t if t > 180.0 => ("min", 1.0 / 60.0),
        t if t >= 1.0 || t <= 0.0 => ("s", 1.0),
        t if t >= 1e-3 => ("ms", 1e3),
        _ => ("µs", 1e6),
    }
}

/// `value` with three digits that count, without an exponent between 1e-3 and 1e5.
pub fn three_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let power = value.abs().log10().floor() as i32;
    if !(-3..5).contains(&power) {
        return format!("{value:.2e}");
    }
    format!("{value:.*}", (2 - power).max(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_the_range() {
        for (low, high) in [(0.0, 0.37), (-3.2, 8.1), (1e-9, 7e-9), (0.0, 1e5), (12.0, 12.5), (0.0, 0.6)] {
            let ticks = Ticks::over(low, high);
            let values = ticks.values();
            assert!((5..=12).contains(&values.len()), "{low} {high}: {values:?}");
            assert!(values[0] <= low + 1e-9 * ticks.step && values[values.len() - 1] >= high - 1e-9 * ticks.step);
            let texts: Vec<String> = values.iter().map(|v| ticks.label(*v)).collect();
            assert!(texts.windows(2).all(|p| p[0] != p[1]), "{texts:?}");
        }
        assert_eq!(Ticks::over(0.0, 0.6), Ticks { low: 0.0, high: 0.6000000000000001, step: 0.1 });
        assert_eq!(Ticks::whole(0.0, 3.0).values(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn units_get_the_prefix_of_their_largest_value() {
        assert_eq!(prefixed("m/s", 5.5e-4), ("µm/s".to_owned(), 1e6));
        assert_eq!(prefixed("Pa", 0.0), ("Pa".to_owned(), 1.0));
        assert_eq!(prefixed("", 12.0), (String::new(), 1.0));
        let (unit, factor) = prefixed("kg m/s", 5.5e7);
        assert!(unit == "10^6 kg m/s" && (factor * 5.5e7 - 55.0).abs() < 1e-9);
        assert_eq!((prefixed("J", 2.3e22).0.as_str(), prefixed("N", 4e-14).0.as_str()), ("10^21 J", "10^-15 N"));
        assert_eq!((prefixed("J", 9e14).0.as_str(), prefixed("N", 4e-12).0.as_str()), ("TJ", "nN"));
        assert_eq!(time_unit(5400.0).0, "min");
    }

    #[test]
    fn three_digits_are_three() {
        assert_eq!(
            ["0", "12.3", "0.0123", "1235", "1.20e-9"],
            [0.0, 12.34, 0.01234, 1234.6, 1.2e-9].map(three_digits).map(|s| s).each_ref().map(String::as_str)
        );
    }
}
