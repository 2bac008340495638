//! Numbers for people: four significant digits, powers of ten only where they are needed, units with a prefix.
//! Machine-readable output does not use this module; it keeps every digit.

/// A text as a name: letters, digits, `_` and `-` stay, all else becomes `_`.
pub(crate) fn as_name(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// Significant digits.
const DIGITS: i32 = 4;

/// An f64 has no more.
const MOST_DIGITS: i32 = 17;

/// Plain decimals from here up to [`LARGE`]; powers of ten outside.
const SMALL: f64 = 1e-3;
const LARGE: f64 = 1e6;

/// A number with four significant digits: `690`, `0.0406`, `6.674e-11`.
pub fn number(value: f64) -> String {
    digits(value, DIGITS)
}

/// A number with the digits that a tolerance asks for, at least four: a tenth of the tolerance still shows.
pub fn within(value: f64, tolerance: f64) -> String {
    let needed = (value.abs() / tolerance.abs()).log10().ceil() + 2.0;
    digits(value, if needed.is_finite() { (needed as i32).clamp(DIGITS, MOST_DIGITS) } else { DIGITS })
}

/// A number with this many significant digits: six where shapes are compared.
pub fn digits(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let scientific = format!("{value:.*e}", (digits - 1) as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(SMALL..LARGE).contains(&value.abs()) {
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (digits - 1 - exponent).max(0) as usize;
    // beyond these digits a whole number stays as it is
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// Several numbers: `1.5, 0, -2`.
pub fn list(values: &[f64]) -> String {
    values.iter().map(|v| number(*v)).collect::<Vec<_>>().join(", ")
}

/// A number with its unit: `690 s`. Seconds, metres and metres per second below 0.1 get a prefix: `40.6 ms`, `2.5 mm`; ten thousand
/// metres and more are kilometres: `201.1 km`.
pub fn quantity(value: f64, unit: &str) -> String {
    let prefixed = match unit {
        "m" if value.abs() >= LONG => Some(&("k", 1e3)),
        "s" | "m" | "m/s" => PREFIXES.iter().find(|p| value.abs() >= p.1 && value.abs() < BELOW),
        _ => None,
    };
    match prefixed {
        Some((prefix, scale)) => format!("{} {prefix}{unit}", number(value / scale)),
        None => format!("{} {unit}", number(value)),
    }
}

/// A time for people: `690 s`, `45 min`, `5 h 20 min`, `3 d 4 h`.
pub fn duration(seconds: f64) -> String {
    let [minute, hour, day] = [60.0, 3600.0, 86400.0];
    let both = |large: f64, [first, second]: [&str; 2], small: f64| {
        let count = (seconds / small).round();
        let (whole, rest) = ((count * small / large).floor(), (count % (large / small)).round());
        if rest > 0.0 { format!("{whole:.0} {first} {rest:.0} {second}") } else { format!("{whole:.0} {first}") }
    };
    match seconds {
        s if s < 0.0995 => quantity(s, "s"),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 1000.0 => format!("{s:.0} s"),
        s if s < 100.0 * minute => format!("{:.0} min", s / minute),
        s if s < 48.0 * hour => both(hour, ["h", "min"], minute),
        s if s < 100.0 * day => both(day, ["d", "h"], hour),
        s => format!("{} d", number((s / day).round())),
    }
}

/// Values below this have a prefix: 0.1, but for what four digits show as 0.1.
const BELOW: f64 = 0.099_995;

/// Metres from here up are shown as kilometres.
const LONG: f64 = 9_999.5;

/// Prefixes of small values, the largest first.
const PREFIXES: [(&str, f64); 3] = [("m", 1e-3), ("u", 1e-6), ("n", 1e-9)];

/// A share as a percentage: `2.5 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}

/// A size in memory or on disk: `640 KiB`, `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let power = (0..UNITS.len() - 1).find(|k| bytes < 1 << (10 * (k + 1))).unwrap_or(UNITS.len() - 1);
    let value = bytes as f64 / (1u64 << (10 * power)) as f64;
    let decimals = usize::from(power > 1 && value < 100.0);
    format!("{value:.decimals$} {}", UNITS[power])
}

/// A whole number with separators: `20,000,000`.
pub fn whole(value: u64) -> String {
    let digits = value.to_string();
    let head = digits.len() % 3;
    let (first, rest) = digits.split_at(head);
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let groups: Vec<String> = std::iter::once(first.to_owned()).filter(|g| !g.is_empty()).chain(groups).collect();
    groups.join(",")
}

/// Without zeros behind the point.
fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// Ends of names that are units, longer ones first.
const UNITS: [(&str, &str); 16] = [
    ("_kg_m2_s", "kg m2/s"),
    ("_kg_m_s", "kg m/s"),
    ("_kg_m3", "kg/m3"),
    ("_rad_s", "rad/s"),
    ("_j_kg", "J/kg"),
    ("_m_s2", "m/s2"),
    ("_m_s", "m/s"),
    ("_n_m", "N/m"),
    ("_deg", "degrees"),
    ("_m3", "m3"),
    ("_pa", "Pa"),
    ("_kg", "kg"),
    ("_j", "J"),
    ("_n", "N"),
    ("_s", "s"),
    ("_m", "m"),
];

/// A value by the name of its column or key: `material.rock.friction_sliding` 0.4 is "friction sliding 0.4", and
/// `impact_angle_deg` 22 is "impact angle 22 degrees".
pub fn named(name: &str, value: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let found = UNITS.iter().find_map(|(end, unit)| Some((last.strip_suffix(end)?, *unit)));
    let (stem, unit) = found.filter(|(stem, _)| !stem.is_empty()).unwrap_or((last, ""));
    format!("{} {value} {unit}", stem.replace('_', " ")).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_and_no_more() {
        let cases = [
            (690.0, "690"),
            (6.899703e2, "690"),
            (0.0406123, "0.04061"),
            (6.6743e-11, "6.674e-11"),
            (0.0, "0"),
            (-1.5, "-1.5"),
            (123456.7, "123457"),
            (1e6, "1e6"),
            (999_999.9, "1000000"),
            (1e-3, "0.001"),
            (1e-4, "1e-4"),
            (f64::INFINITY, "inf"),
        ];
        cases.iter().for_each(|(value, text)| assert_eq!(number(*value), *text));
    }

    #[test]
    fn units_get_a_prefix_below_one() {
        assert_eq!(quantity(0.0406, "s"), "40.6 ms");
        assert_eq!(quantity(2.5e-6, "s"), "2.5 us");
        assert_eq!(quantity(690.0, "s"), "690 s");
        assert_eq!(quantity(0.5, "m"), "0.5 m");
        assert_eq!(quantity(0.099_999_9, "m"), "0.1 m");
        assert_eq!(quantity(0.099_99, "m"), "99.99 mm");
        assert_eq!(quantity(201_126.4, "m"), "201.1 km");
        assert_eq!(quantity(-10_000.0, "m"), "-10 km");
        assert_eq!(quantity(9_999.0, "m"), "9999 m");
        assert_eq!(quantity(20_000.0, "m/s"), "20000 m/s");
        assert_eq!(quantity(0.5, "kg"), "0.5 kg");
        assert_eq!(quantity(0.0, "m"), "0 m");
        assert_eq!(percent(0.02), "2 %");
    }

    #[test]
    fn a_tolerance_decides_how_many_digits_show() {
        assert_eq!(within(0.549_387_8, 0.01), "0.5494");
        assert_eq!(within(0.044_720_89, 1e-6), "0.04472089");
        assert_eq!(within(2.06e-8, 1e-6), "2.06e-8");
        assert_eq!(within(0.0, 0.0), "0");
        assert_eq!(within(1.5, 0.0), "1.5");
        assert_eq!(digits(1.234_567_8e-9, 6), "1.23457e-9");
        assert_eq!(list(&[1.5, 0.0, -2.0]), "1.5, 0, -2");
    }

    #[test]
    fn sizes_and_counts() {
        assert_eq!(bytes(640 * 1024), "640 KiB");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(whole(20_000_000), "20,000,000");
        assert_eq!(whole(999), "999");
        assert_eq!(whole(1000), "1,000");
    }

    #[test]
    fn values_are_named_in_words() {
        assert_eq!(named("impact_angle_deg", "22"), "impact angle 22 degrees");
        assert_eq!(named("material.rock.friction_sliding", "0.4"), "friction sliding 0.4");
        assert_eq!(named("bodies.0.velocity_m_s", "0.1"), "velocity 0.1 m/s");
        assert_eq!((named("count", "512"), named("_m", "1")), ("count 512".to_owned(), " m 1".to_owned()));
    }
}
