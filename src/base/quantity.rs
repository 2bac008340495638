//! Numbers with units: "2.3 g/cm^3", "3.4 h". A bare number is SI.

/// What a key measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dimension {
    Pure,
    Length,
    Time,
    Density,
    Speed,
    Acceleration,
    AngularSpeed,
    Stiffness,
    Pressure,
    Force,
    Mass,
    Gm,
}

use Dimension::*;

impl Dimension {
    /// All of them.
    pub const ALL: [Dimension; 12] =
        [Pure, Length, Time, Density, Speed, Acceleration, AngularSpeed, Stiffness, Pressure, Force, Mass, Gm];

    /// Largest value that is taken, in SI: beyond anything of this kind, far below what a number holds, so that squares, cubes
    /// and sums of many are numbers too.
    pub fn most(self) -> f64 {
        match self {
            Pure => f64::MAX,
            Length => 1e15,
            Time => 1e18,
            Density => 1e6,
            Speed => 3e8,
            Acceleration => 1e9,
            AngularSpeed => 1e9,
            Stiffness => 1e18,
            Pressure => 1e15,
            Force => 1e20,
            Mass => 1e35,
            Gm => 1e25,
        }
    }

    /// Smallest value above 0 that is taken, in SI.
    pub fn least(self) -> f64 {
        match self {
            Density => 1e-3,
            Stiffness => 1e-15,
            _ => 0.0,
        }
    }

    /// Its unit in SI, for messages; empty of a pure number.
    pub fn unit(self) -> &'static str {
        UNITS.iter().find(|u| u.1 == self && u.2 == 1.0).map_or("", |u| u.0)
    }

    /// The units that it may be given in.
    pub fn units(self) -> impl Iterator<Item = &'static str> {
        UNITS.iter().filter(move |u| u.1 == self).map(|u| u.0)
    }
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Known units: text, dimension, value in SI.
const UNITS: &[(&str, Dimension, f64)] = &[
    ("m", Length, 1.0),
    ("mm", Length, 1e-3),
    ("cm", Length, 1e-2),
    ("km", Length, 1e3),
    ("s", Time, 1.0),
    ("ms", Time, 1e-3),
    ("us", Time, 1e-6),
    ("min", Time, 60.0),
    ("h", Time, 3600.0),
    ("d", Time, 86400.0),
    ("kg/m^3", Density, 1.0),
    ("kg/m3", Density, 1.0),
    ("g/cm^3", Density, 1e3),
    ("g/cm3", Density, 1e3),
    ("g/cc", Density, 1e3),
    ("m/s", Speed, 1.0),
    ("mm/s", Speed, 1e-3),
    ("cm/s", Speed, 1e-2),
    ("km/s", Speed, 1e3),
    ("m/s^2", Acceleration, 1.0),
    ("m/s2", Acceleration, 1.0),
    ("mm/s^2", Acceleration, 1e-3),
    ("cm/s^2", Acceleration, 1e-2),
    ("rad/s", AngularSpeed, 1.0),
    ("deg/s", AngularSpeed, DEGREE),
    ("rev/h", AngularSpeed, 2.0 * std::f64::consts::PI / 3600.0),
    ("N/m", Stiffness, 1.0),
    ("kN/m", Stiffness, 1e3),
    ("N", Force, 1.0),
    ("uN", Force, 1e-6),
    ("mN", Force, 1e-3),
    ("kN", Force, 1e3),
    ("MN", Force, 1e6),
    ("kg", Mass, 1.0),
    ("g", Mass, 1e-3),
    ("t", Mass, 1e3),
    ("Pa", Pressure, 1.0),
    ("kPa", Pressure, 1e3),
    ("MPa", Pressure, 1e6),
    ("m^3/s^2", Gm, 1.0),
    ("m3/s2", Gm, 1.0),
    ("km^3/s^2", Gm, 1e9),
];

/// Value of `text` in SI, or what is wrong with it and what to do about it.
pub fn parse(text: &str, dimension: Dimension) -> Result<f64, [String; 2]> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    let (number, unit) = (&text[..split], text[split..].trim());
    let fitting = || dimension.units().collect::<Vec<_>>().join(", ");
    let value: f64 = number.parse().map_err(|_| {
        let remedy = match dimension {
            Pure => "write a number".into(),
            _ => format!("write a number, a space and one of the units {}", fitting()),
        };
        [format!("\"{text}\" is not a number with a unit"), remedy]
    })?;
    let units = || format!("units that fit: {}", fitting());
    match UNITS.iter().find(|u| u.0 == unit) {
        _ if unit.is_empty() => Ok(value),
        Some((_, d, factor)) if *d == dimension => Ok(value * factor),
        _ if dimension == Pure => Err([format!("\"{text}\" has a unit"), "write a number without a unit".into()]),
        Some(_) => Err([format!("`{unit}` in \"{text}\" measures something else"), units()]),
        None => Err([format!("unknown unit `{unit}` in \"{text}\""), units()]),
    }
}

/// SI value of the unit behind a name: `_cm`, `_m_s`, ` [km]`, ` (m/s)`; 1 of none. `None`: no unit of this dimension.
pub fn in_name(suffix: &str, dimension: Dimension) -> Option<f64> {
    let unit = suffix.trim();
    if unit.is_empty() {
        return Some(1.0);
    }
    let inner = [('[', ']'), ('(', ')')].into_iter().find_map(|(a, b)| unit.strip_prefix(a)?.strip_suffix(b));
    let spelt = |known: &str| match inner {
        Some(inner) => inner.trim() == known,
        None => unit.strip_prefix('_') == Some(known.replace('/', "_").as_str()),
    };
    UNITS.iter().find(|u| u.1 == dimension && spelt(u.0)).map(|u| u.2)
}
