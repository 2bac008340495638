//! Values of single keys: numbers, words, vectors, with the bounds and defaults of the table of keys.

use super::key::{Bounds, Default, Kind};
use super::{Table, hints, nearest};
use crate::base::quantity::{Dimension, parse};
use crate::base::readable;
use glam::DVec3;
use toml_edit::Value;

/// How units are given.
const SI: &str = "check the unit: a bare number is SI, and a string names its unit, such as \"2.3 g/cm^3\"";

/// What is wrong with a value, and what to do about it.
type Wrong = [String; 2];

impl Table<'_> {
    /// A number in SI, if the key is there.
    pub fn value_if(&self, name: &str) -> Option<f64> {
        let key = self.key(name);
        let value = self.get(name)?;
        let (dimension, bounds) = key.kind.each().iter().find_map(|kind| match kind {
            Kind::Number(dimension, bounds) => Some((*dimension, *bounds)),
            _ => None,
        })?;
        self.number(name, &value, dimension, bounds)
    }

    /// A number in SI: as typed, or the default. Where it is required and missing, 1 stands in so that reading can go on.
    pub fn value(&self, name: &str) -> f64 {
        if self.has(name) {
            return self.value_if(name).unwrap_or(1.0);
        }
        match self.key(name).default {
            Default::Number(number) => number,
            _ => {
                self.missing(name);
                1.0
            }
        }
    }

    pub(super) fn number(&self, name: &str, value: &Value, dimension: Dimension, bounds: Bounds) -> Option<f64> {
        match convert(value, dimension) {
            Ok(number) => {
                if let Some([what, remedy]) = bounds.fault(number) {
                    self.fault(name, what, remedy);
                }
                Some(number)
            }
            Err(Some([what, remedy])) => {
                self.fault(name, what, remedy);
                None
            }
            Err(None) => {
                self.wrong(name, value, "a number");
                None
            }
        }
    }

    /// A whole number, if the key is there; out of bounds it is the least that there can be.
    pub fn count_if(&self, name: &str) -> Option<u64> {
        let key = self.key(name);
        let value = self.get(name)?;
        let (least, most) = key.kind.each().iter().find_map(|kind| match kind {
            Kind::Count(least, most) => Some((*least, *most)),
            _ => None,
        })?;
        match value.as_integer().map(u64::try_from) {
            Some(Ok(n)) if (least..=most).contains(&n) => Some(n),
            Some(Ok(n)) if n > most => {
                self.fault(name, format!("{n} is more than {most}"), format!("type at most {most}"));
                Some(least)
            }
            _ => {
                // TOML has no larger ones
                let end = i64::MAX;
                let most = if most > end as u64 { format!(", up to {end}") } else { String::new() };
                self.wrong(name, &value, &format!("a whole number of at least {least}{most}"));
                Some(least)
            }
        }
    }

    /// Refuses a file of a later format than the key `format` may name.
    pub fn refuse_other_format(&self) {
        if self.count("format") > 1 {
            let remedy = "take the version of the program that the file was written for";
            self.fault("format", "this program reads format 1", remedy);
        }
    }

    /// A whole number: as typed, or the default.
    pub fn count(&self, name: &str) -> u64 {
        if self.has(name) {
            return self.count_if(name).unwrap_or(1);
        }
        match self.key(name).default {
            Default::Count(count) => count,
            _ => {
                self.missing(name);
                1
            }
        }
    }

    /// A string.
    pub fn text(&self, name: &str) -> Option<String> {
        let Some(value) = self.get(name) else {
            if matches!(self.key(name).default, Default::Required) && !self.has(name) {
                self.missing(name);
            }
            return None;
        };
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(name, &value, "a string");
        }
        text
    }

    /// A name that is safe as a part of a path, of a column's title and of `--set`.
    pub fn name(&self, key: &str) -> Option<String> {
        let name = self.text(key)?;
        if name.is_empty() || name != readable::as_name(&name) {
            self.fault(key, format!("\"{name}\" cannot be a name"), "use letters, digits, `_` and `-` alone");
        }
        Some(name)
    }

    /// The same of a table in a list, where a number would be its place.
    pub fn name_in_list(&self, key: &str) -> Option<String> {
        let name = self.name(key)?;
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()) {
            let what = format!("\"{name}\" is a number, which --set takes for a place in the list");
            self.fault(key, what, "add a letter to it");
        }
        Some(name)
    }

    /// The string, if the key holds one; another type is not a fault here.
    pub fn text_if(&self, name: &str) -> Option<String> {
        self.has(name).then(|| self.get(name))??.as_str().map(str::to_owned)
    }

    /// One of several words. The keys that go with the word belong to the table from then on. An unknown word is refused, the
    /// nearest is read in its place, and keys of any of the words pass unjudged.
    pub fn choice(&self, name: &str) -> &'static str {
        let key = self.key(name);
        let words = key.kind.words();
        let known = || words.iter().map(|w| w.word);
        let default = match key.default {
            Default::Word(word) => word,
            _ => words.first().map_or("", |w| w.word),
        };
        let word = match self.has(name).then(|| self.text(name)).flatten() {
            None => {
                if matches!(key.default, Default::Required) && !self.has(name) {
                    self.fault(
                        name,
                        "is missing",
                        format!("choose one of: {}", known().collect::<Vec<_>>().join(", ")),
                    );
                }
                default
            }
            Some(typed) => known().find(|word| *word == typed).unwrap_or_else(|| {
                self.fault(name, format!("unknown word \"{typed}\""), nearest(&typed, known()));
                words.iter().for_each(|word| self.choose(key, word, true));
                hints::closest(&typed, known()).map_or(default, |c| c.1)
            }),
        };
        if let Some(word) = words.iter().find(|w| w.word == word) {
            self.choose(key, word, false);
        }
        word
    }

    /// True if the key has a word, and it is none of those it may have.
    pub fn is_unknown(&self, name: &str) -> bool {
        let words = self.key(name).kind.words();
        self.text_if(name).is_some_and(|typed| words.iter().all(|w| w.word != typed))
    }

    /// True or false.
    pub fn flag(&self, name: &str) -> bool {
        let default = matches!(self.key(name).default, Default::Flag(true));
        let Some(value) = self.get(name) else {
            return default;
        };
        value.as_bool().unwrap_or_else(|| {
            self.wrong(name, &value, "true or false");
            default
        })
    }

    /// Three numbers, if the key is there.
    pub fn vector_if(&self, name: &str) -> Option<DVec3> {
        let dimension = self.key(name).kind.dimension()?;
        let value = self.get(name)?;
        match value.as_array().map(|a| a.iter().collect::<Vec<_>>()).as_deref() {
            Some([x, y, z]) => {
                let [x, y, z] = [x, y, z].map(|v| self.number(name, v, dimension, Bounds::Any));
                Some(DVec3::new(x?, y?, z?))
            }
            _ => {
                self.wrong(name, &value, "a list of three numbers");
                None
            }
        }
    }

    /// Three numbers: as typed, or zeros.
    pub fn vector(&self, name: &str) -> DVec3 {
        if !self.has(name) && matches!(self.key(name).default, Default::Required) {
            self.missing(name);
        }
        self.vector_if(name).unwrap_or_default()
    }

    /// A direction of length 1, which must not be zero; `None` where it is not there.
    pub fn direction(&self, name: &str) -> Option<DVec3> {
        if !self.has(name) {
            if matches!(self.key(name).default, Default::Required) {
                self.missing(name);
            }
            return None;
        }
        let direction = self.vector_if(name)?;
        let usable = (1e-100..1e100).contains(&direction.length());
        if !usable {
            self.fault(name, "has no direction", "give three numbers that are not all 0");
        }
        usable.then(|| direction.normalize())
    }
}

/// A value in SI, or what is wrong with it; nothing more than that it is not a number.
pub(super) fn convert(value: &Value, dimension: Dimension) -> Result<f64, Option<Wrong>> {
    let number = match value {
        Value::Integer(i) => *i.value() as f64,
        Value::Float(f) => *f.value(),
        Value::String(s) => parse(s.value(), dimension).map_err(Some)?,
        _ => return Err(None),
    };
    let limit = |side: &str, limit: f64| {
        let unit = dimension.unit();
        let what = format!("{} is {side} the limit of {}", quantity(number, unit), quantity(limit, unit));
        Err(Some([what, SI.to_owned()]))
    };
    match number {
        n if !n.is_finite() => Err(Some([format!("{n} is not finite"), "type a finite number".into()])),
        n if n.abs() > dimension.most() => limit("above", dimension.most()),
        n if n != 0.0 && n.abs() < dimension.least() => limit("below", dimension.least()),
        n => Ok(n),
    }
}

fn quantity(number: f64, unit: &str) -> String {
    format!("{}{}{unit}", readable::number(number), if unit.is_empty() { "" } else { " " })
}
