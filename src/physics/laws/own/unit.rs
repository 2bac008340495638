//! Units of keys that a user declares: products of powers of SI units, such as `N/m`, `kg^0.5/s`, `N s^2/m^2`.

use crate::base::units::Units;

/// Powers of kilogram, metre and second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponents(pub [f64; 3]);

/// Units that a product may have, by their powers of kilogram, metre and second.
const KNOWN: [(&str, [f64; 3]); 8] = [
    ("kg", [1.0, 0.0, 0.0]),
    ("m", [0.0, 1.0, 0.0]),
    ("s", [0.0, 0.0, 1.0]),
    ("rad", [0.0, 0.0, 0.0]),
    ("N", [1.0, 1.0, -2.0]),
    ("Pa", [1.0, -1.0, -2.0]),
    ("J", [1.0, 2.0, -2.0]),
    ("1", [0.0, 0.0, 0.0]),
];

impl Exponents {
    /// Of N/m.
    pub const STIFFNESS: Exponents = Exponents([1.0, 0.0, -2.0]);

    /// Those of a unit, or what is wrong with it and what to do about it. What follows a `/` divides, up to the end.
    pub fn parse(unit: &str) -> Result<Exponents, [String; 2]> {
        let fault = |part: &str| {
            let names: Vec<&str> = KNOWN.iter().map(|k| k.0).collect();
            let remedy = format!("write a product of powers of {}, such as N/m or kg^0.5/s", names.join(", "));
            [format!("unknown unit `{part}` in [{unit}]"), remedy]
        };
        let (above, below) = unit.split_once('/').unwrap_or((unit, "1"));
        let mut sum = [0.0; 3];
        for (side, sign) in [(above, 1.0), (below, -1.0)] {
            let mut parts = side.split([' ', '*']).filter(|part| !part.is_empty()).peekable();
            if parts.peek().is_none() {
                return Err(fault(side));
            }
            for part in parts {
                let (name, power) = part.split_once('^').unwrap_or((part, "1"));
                let power = power.parse::<f64>().ok().filter(|p| p.abs() <= 9.0).ok_or_else(|| fault(part))?;
                let known = KNOWN.iter().find(|k| k.0 == name).ok_or_else(|| fault(part))?;
                for (total, exponent) in sum.iter_mut().zip(known.1) {
                    *total += sign * power * exponent;
                }
            }
        }
        Ok(Exponents(sum))
    }

    /// One of this unit in code units.
    pub fn in_code(self, units: &Units) -> f64 {
        let [mass, length, time] = self.0;
        units.mass_kg.powf(-mass) * units.length_m.powf(-length) * units.time_s.powf(-time)
    }
}
