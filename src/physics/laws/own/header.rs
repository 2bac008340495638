//! The declarations at the top of a user's law: its keys, and what sets the time step.
//!
//! ```text
//! //! key stiffness_n_m [N/m] positive harmonic "force over overlap"
//! //! key friction [1] 0..10 = 0.5 mean "coefficient of friction"
//! //! time_step stiffness_n_m
//! ```

use super::unit::Exponents;
use crate::base::fault::Fault;
use crate::base::reader::key::Bounds;
use crate::base::reader::nearest;

/// Begins a line of the header.
const MARK: &str = "//!";
/// Most keys of a law.
const KEYS_MAX: usize = 64;
/// Keys that every material has.
const TAKEN: [&str; 3] = ["name", "density_kg_m3", "law"];

/// A key as it is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// name, which is that of a member of `struct Law` too
    pub name: String,
    /// unit as it is typed
    pub unit: String,
    /// of kilogram, metre and second
    pub exponents: Exponents,
    /// where values may be
    pub bounds: Bounds,
    /// value of a material that does not give it; `None`: it must
    pub default: Option<f64>,
    /// value of two materials
    pub combine: Combine,
    /// what it is
    pub says: String,
    /// line of the file
    pub line: usize,
}

/// What two materials have together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// (a + b) / 2
    Mean,
    /// 2 a b / (a + b), as springs in series
    Harmonic,
    /// the smaller one
    Min,
    /// the larger one
    Max,
}

const COMBINE: [(&str, Combine); 4] =
    [("mean", Combine::Mean), ("harmonic", Combine::Harmonic), ("min", Combine::Min), ("max", Combine::Max)];

impl Combine {
    /// The value of two materials with these.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Combine::Mean => 0.5 * (a + b),
            // of opposite signs there is none
            Combine::Harmonic if a * b <= 0.0 => 0.0,
            // equals keep their value to the last digit
            Combine::Harmonic => 2.0 * a * b / (a + b),
            Combine::Min => a.min(b),
            Combine::Max => a.max(b),
        }
    }
}

/// All declarations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// in order
    pub keys: Vec<Declared>,
    /// index of the key that is the stiffness k of the time 2 pi sqrt(m/k); `None`: the user types the time step
    pub clock: Option<usize>,
}

/// Reads the header of a law; faults have lines.
pub fn read(text: &str) -> Result<Header, Vec<Fault>> {
    let (mut header, mut faults, mut clock, mut code) = (Header::default(), vec![], None, false);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        let Some(declaration) = line.strip_prefix(MARK) else {
            code |= !line.is_empty() && !line.starts_with("//");
            continue;
        };
        let result = if code {
            Err(Fault::new("a declaration is below code").remedy("move it to the top of the file").into())
        } else {
            match declaration.trim().split_once(' ') {
                Some(("key", rest)) => key(rest.trim(), number, &header.keys).map(|key| header.keys.push(key)),
                Some(("time_step", name)) if clock.is_none() => {
                    clock = Some((name.trim(), number));
                    Ok(())
                }
                Some(("time_step", _)) => {
                    Err(Fault::new("time_step is declared twice").remedy("remove one line").into())
                }
                _ => {
                    let word = declaration.split_whitespace().next().unwrap_or_default();
                    let remedy = "write `//! key ...` or `//! time_step KEY`, and begin other comments with `//`";
                    Err(Fault::new(format!("unknown declaration `{word}`")).remedy(remedy).into())
                }
            }
        };
        faults.extend(result.err().map(|fault: Box<Fault>| fault.line(number)));
    }
    if let Some((name, number)) = clock {
        match stiffness(name, &header.keys) {
            Ok(index) => header.clock = Some(index),
            Err(fault) => faults.push(fault.line(number)),
        }
    }
    if header.keys.len() > KEYS_MAX {
        let what = format!("{} keys are more than {KEYS_MAX}", header.keys.len());
        faults.push(Fault::new(what).line(header.keys[KEYS_MAX].line));
    }
    if faults.is_empty() { Ok(header) } else { Err(faults) }
}

/// The key that sets the time step.
fn stiffness(name: &str, keys: &[Declared]) -> Result<usize, Box<Fault>> {
    let Some(index) = keys.iter().position(|key| key.name == name) else {
        let remedy = match keys {
            [] => "declare it with `//! key`".into(),
            _ => nearest(name, keys.iter().map(|k| k.name.as_str())),
        };
        return Err(Fault::new(format!("time_step names `{name}`, which is not a key")).remedy(remedy).into());
    };
    let key = &keys[index];
    if key.exponents != Exponents::STIFFNESS {
        let what = format!("time_step names `{name}` in {}, which is not a stiffness", key.unit);
        return Err(Fault::new(what).remedy("name a key in N/m, or remove the line and type run.time_step_s").into());
    }
    let above_0 = matches!(key.bounds, Bounds::Positive) || matches!(key.bounds, Bounds::Within(low, _) if low > 0.0);
    if !above_0 {
        let what = format!("time_step names `{name}`, which may be 0 or less");
        return Err(Fault::new(what).remedy("declare the key as positive").into());
    }
    Ok(index)
}

const FORM: &str = "write `//! key NAME [UNIT] RANGE = DEFAULT COMBINE \"what it is\"`; `= DEFAULT` may be left out";

/// A key, from what follows the word `key`.
fn key(text: &str, line: usize, before: &[Declared]) -> Result<Declared, Box<Fault>> {
    let form = |what: &str| Fault::new(what).remedy(FORM);
    let (rest, says) = text
        .strip_suffix('"')
        .and_then(|text| text.split_once('"'))
        .ok_or_else(|| form("the key does not end in a description in quotes"))?;
    let (name, rest) = rest.split_once('[').ok_or_else(|| form("the key has no unit in brackets"))?;
    let (unit, rest) = rest.split_once(']').ok_or_else(|| form("the bracket of the unit is not closed"))?;
    let (name, unit) = (name.trim(), unit.trim());
    let exponents = Exponents::parse(unit).map_err(|[what, remedy]| Fault::new(what).remedy(remedy))?;
    named(name, unit, before)?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (range, default, combine) = match words.as_slice() {
        [range, combine] => (*range, None, *combine),
        [range, "=", default, combine] => (*range, Some(*default), *combine),
        _ => return Err(form("between unit and description there must be a range and how materials combine").into()),
    };
    let bounds = bounds(range)?;
    let combine = COMBINE.iter().find(|c| c.0 == combine).ok_or_else(|| {
        let remedy = nearest(combine, COMBINE.iter().map(|c| c.0));
        Fault::new(format!("`{combine}` does not say how two materials combine")).remedy(remedy)
    })?;
    let default = match default.map(str::parse::<f64>) {
        None => None,
        Some(Ok(value)) if value.is_finite() => match bounds.fault(value) {
            None => Some(value),
            Some([what, remedy]) => return Err(Fault::new(format!("the default {what}")).remedy(remedy).into()),
        },
        Some(_) => return Err(form("the default is not a number").into()),
    };
    let (name, unit, says) = (name.to_owned(), unit.to_owned(), says.trim().to_owned());
    Ok(Declared { name, unit, exponents, bounds, default, combine: combine.1, says, line })
}

/// Checks the name of a key with this unit.
fn named(name: &str, unit: &str, before: &[Declared]) -> Result<(), Box<Fault>> {
    let fault = |what: String, remedy: String| Err(Box::new(Fault::new(what).remedy(remedy)));
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
        return fault(format!("`{name}` cannot be a key"), "use lower-case letters, digits and `_`".into());
    }
    if TAKEN.contains(&name) {
        return fault(format!("every material has a key `{name}`"), "choose another name".into());
    }
    if let Some(other) = before.iter().find(|key| key.name == name) {
        return fault(format!("`{name}` is declared in line {} already", other.line), "remove one of the two".into());
    }
    let suffix = suffix(unit);
    if !name.ends_with(&suffix) {
        let what = format!("`{name}` in {unit} does not name its unit");
        return fault(what, format!("call it `{name}{suffix}`, here and in struct Law"));
    }
    Ok(())
}

/// How a key in this unit ends: `_n_m` for N/m.
fn suffix(unit: &str) -> String {
    let plain = unit.to_ascii_lowercase().replace(['^', '.'], "").replace(['/', ' ', '*'], "_");
    if unit == "1" { String::new() } else { format!("_{plain}") }
}

fn bounds(range: &str) -> Result<Bounds, Box<Fault>> {
    match range {
        "any" => return Ok(Bounds::Any),
        "positive" => return Ok(Bounds::Positive),
        "not_negative" => return Ok(Bounds::NotNegative),
        _ => {}
    }
    let ends = range.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match ends {
        Some((low, high)) if low < high && f64::is_finite(low) && f64::is_finite(high) => Ok(Bounds::Within(low, high)),
        _ => Err(Fault::new(format!("`{range}` is not a range"))
            .remedy("write any, positive, not_negative, or two numbers such as 0..1")
            .into()),
    }
}
