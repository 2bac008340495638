//! Materials.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// What bodies and walls are made of: parameters of the contact law by the names of their keys. Which keys there are is
/// up to the law (`physics::laws`) and the method.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// name that bodies and walls use
    pub name: String,
    /// (kg/m3)
    pub density_kg_m3: f64,
    values: BTreeMap<String, Value>,
}

/// Value of a key.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// SI
    Number(f64),
    /// one of a few
    Word(String),
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Value {
        Value::Word(word.to_owned())
    }
}

impl Material {
    /// A material without any key.
    pub fn new(name: &str, density_kg_m3: f64) -> Material {
        Material { name: name.to_owned(), density_kg_m3, values: BTreeMap::new() }
    }

    /// Number under a key, SI.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.values.get(key)? {
            Value::Number(number) => Some(*number),
            Value::Word(_) => None,
        }
    }

    /// Word under a key.
    pub fn word(&self, key: &str) -> Option<&str> {
        match self.values.get(key)? {
            Value::Number(_) => None,
            Value::Word(word) => Some(word),
        }
    }

    /// The keys that have a value.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Gives a key a value.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.values.insert(key.to_owned(), value.into());
    }

    /// The same material with a value under a key.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Material {
        self.set(key, value);
        self
    }

    /// The same material of another density (kg/m3).
    #[must_use]
    pub fn with_density(self, density_kg_m3: f64) -> Material {
        Material { density_kg_m3, ..self }
    }

    /// The same material without a key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Material {
        self.values.remove(key);
        self
    }
}

/// A contact's share of a property that both materials have: the arithmetic mean.
pub fn of_pair(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

/// What is written for a key that a material lacks.
#[derive(Clone, Copy)]
enum Absent {
    Null,
    Number(f64),
    Word(&'static str),
}

/// Keys that every material is written with, and their order. The hash of a scenario is made of what is written here, and
/// checkpoints hold the hash: runs that began when materials had these keys and no others still resume.
const WRITTEN: [(&str, Absent); 15] = [
    ("stiffness_normal_n_m", Absent::Null),
    ("stiffness_loading_n_m", Absent::Null),
    ("speed_max_m_s", Absent::Null),
    ("overlap_at_speed_max", Absent::Number(0.0)),
    ("stiffness_ratio", Absent::Number(0.0)),
    ("restitution_normal", Absent::Number(1.0)),
    ("restitution_tangential", Absent::Number(0.0)),
    ("friction_sliding", Absent::Number(0.0)),
    ("friction_rolling", Absent::Number(0.0)),
    ("friction_twisting", Absent::Number(0.0)),
    ("shape_parameter", Absent::Number(0.0)),
    ("cohesion_pa", Absent::Number(0.0)),
    ("cohesion_force_n", Absent::Number(0.0)),
    ("cohesion_range_m", Absent::Number(0.0)),
    ("normal_tension", Absent::Word("none")),
];

impl Serialize for Material {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("density_kg_m3", &self.density_kg_m3)?;
        for (key, absent) in WRITTEN {
            match (self.values.get(key), absent) {
                (Some(value), _) => map.serialize_entry(key, value)?,
                (None, Absent::Null) => map.serialize_entry(key, &())?,
                (None, Absent::Number(number)) => map.serialize_entry(key, &number)?,
                (None, Absent::Word(word)) => map.serialize_entry(key, word)?,
            }
        }
        let others = self.values.iter().filter(|(key, _)| WRITTEN.iter().all(|(known, _)| known != key));
        others.into_iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_does_not_depend_on_the_order_of_keys() {
        let text = |m: &Material| serde_json::to_string(m).expect("JSON");
        let a = Material::new("rock", 1.0).with("youngs_modulus_pa", 2.0).with("friction_sliding", 3.0);
        let b = Material::new("rock", 1.0).with("friction_sliding", 3.0).with("youngs_modulus_pa", 2.0);
        assert_eq!(text(&a), text(&b));
        assert!(text(&a).starts_with(r#"{"name":"rock","density_kg_m3":1.0,"stiffness_normal_n_m":null,"#));
        assert!(text(&a).ends_with(r#""normal_tension":"none","youngs_modulus_pa":2.0}"#), "{}", text(&a));
    }
}
