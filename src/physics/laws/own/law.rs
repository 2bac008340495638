//! The law of a file: read once, kept for the life of the program.

use super::header::{self, Declared, Header};
use super::interface::{self, Checked};
use super::twin::OwnTwin;
use crate::base::fault::Fault;
use crate::base::input::read_text;
use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::{Default, Key, Kind};
use crate::base::units::Units;
use crate::model::material::Material;
use crate::model::method::{LawFile, LawName};
use crate::physics::laws::contact::Twin;
use crate::physics::laws::{Largest, Law, Lightest, PairLaw, TimeScale, Wrong};
use std::borrow::Cow;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Before the path in `run.contact_law`.
pub const PREFIX: &str = "file:";

/// All laws that were read. They are never freed: tables of keys are static. A file that is read again is not kept twice.
static READ: Mutex<Vec<&'static OwnLaw>> = Mutex::new(vec![]);

/// A law that a user wrote.
#[derive(Debug)]
pub struct OwnLaw(&'static Parts);

/// What there is of a law.
#[derive(Debug)]
struct Parts {
    /// stem of the file
    name: String,
    /// WGSL
    text: String,
    header: Header,
    /// those of the header, as readers of scenarios take them
    keys: Vec<Key>,
    /// as naga reads it
    checked: Checked,
}

impl OwnLaw {
    /// Keys of a material.
    pub fn keys(&self) -> &'static [Key] {
        &self.0.keys
    }
}

/// Reads the law in a file; the faults have the file, and lines where they are at one.
pub fn read(path: &Path) -> Result<LawName, Vec<Fault>> {
    let shown = path.to_string_lossy().into_owned();
    let text = read_text(path).map_err(|e| vec![Fault::new(e.to_string())])?;
    // a byte order mark, as some editors leave it
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let law = keep(name, text).map_err(|faults| faults.into_iter().map(|f| f.file(&shown)).collect::<Vec<_>>())?;
    Ok(LawName::File(LawFile { path: shown, name: &law.0.name, text: &law.0.text }))
}

fn keep(name: String, text: String) -> Result<&'static OwnLaw, Vec<Fault>> {
    let mut list = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(law) = list.iter().find(|law| law.0.name == name && law.0.text == text) {
        return Ok(law);
    }
    let header = header::read(&text)?;
    let checked = interface::check(&text, &header.keys)?;
    let keys = header.keys.iter().map(key).collect();
    let parts = Box::leak(Box::new(Parts { name, text, header, keys, checked }));
    let law = &*Box::leak(Box::new(OwnLaw(parts)));
    list.push(law);
    Ok(law)
}

/// The law that was read as this file.
pub fn of(file: &LawFile) -> Option<&'static OwnLaw> {
    let list = READ.lock().unwrap_or_else(PoisonError::into_inner);
    list.iter().find(|law| law.0.name == file.name && law.0.text == file.text).copied()
}

/// A declared key as the reader of scenarios takes it.
fn key(declared: &Declared) -> Key {
    // units that have a name take strings such as "10 kN/m"; of others the number is SI
    let dimension = Dimension::ALL.into_iter().find(|d| d.unit() == declared.unit).unwrap_or(Dimension::Pure);
    let example = match declared.default {
        Some(default) => default.to_string(),
        None => declared.bounds.some().to_string(),
    };
    Key {
        name: declared.name.clone().leak(),
        kind: Kind::Number(dimension, declared.bounds),
        default: declared.default.map_or(Default::Required, Default::Number),
        says: declared.says.clone().leak(),
        example: example.leak(),
    }
}

impl Law for OwnLaw {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn about(&self) -> &[(&'static str, &'static str)] {
        &[]
    }

    fn faults(&self, _material: &Material, _typed: &dyn Fn(&str) -> bool) -> Vec<Wrong> {
        vec![]
    }

    fn time_step_fraction(&self) -> f64 {
        0.01
    }

    fn has_time_scale(&self) -> bool {
        self.0.header.clock.is_some()
    }

    /// What contacts with facets remember is shown in SI, and only the law knows its units.
    fn knows_facets(&self) -> bool {
        false
    }

    fn is_elastic(&self, _material: &Material) -> bool {
        false
    }

    fn settle(&self, _material: &mut Material, _largest: Option<Largest>) {}

    fn overlap_at_speed_max_m(&self, _material: &Material, _mass: f64, _radius: f64) -> Option<f64> {
        None
    }

    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw> {
        let value = |m: &Material, key: &Declared| m.number(&key.name).or(key.default).unwrap_or(0.0);
        let values = self.0.header.keys.iter().map(|key| key.combine.of(value(a, key), value(b, key))).collect();
        Box::new(OwnPair { law: self.0, values })
    }
}

/// The law between two materials.
#[derive(Debug)]
struct OwnPair {
    law: &'static Parts,
    /// of the keys in order (SI)
    values: Vec<f64>,
}

impl OwnPair {
    /// Constants by the names of the keys, in the units of a run.
    fn constants(&self, units: &Units) -> Vec<(&'static str, f64)> {
        let keys = self.law.keys.iter().zip(&self.law.header.keys).zip(&self.values);
        keys.map(|((key, declared), value)| (key.name, value * declared.exponents.in_code(units))).collect()
    }
}

impl PairLaw for OwnPair {
    fn label(&self) -> Cow<'static, str> {
        format!("{PREFIX}{}", self.law.name).into()
    }

    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale> {
        let index = self.law.header.clock?;
        let (name, k) = (&self.law.header.keys[index].name, self.values[index]);
        Some(TimeScale {
            scale_s: TAU * (pair.mass / k).sqrt(),
            name: format!("2 pi sqrt(m/{name})").into(),
            contact_time_s: None,
            damping_time_s: f64::INFINITY,
            friction_time_s: f64::INFINITY,
            constants: format!("{name} {} N/m, reduced mass {} kg", number(k), number(pair.mass)),
        })
    }

    /// In the order of the members of `struct Law`.
    fn row(&self, units: &Units) -> Vec<(&'static str, f32)> {
        let constants = self.constants(units);
        let find = |member: &str| constants.iter().find(|c| c.0 == member).map(|(name, value)| (*name, *value as f32));
        self.law.checked.members("Law").into_iter().filter_map(find).collect()
    }

    fn twin(&self, dt_s: f64) -> Box<dyn Twin> {
        let units = Units { length_m: 1.0, time_s: dt_s, mass_kg: 1.0, anchor_m: glam::DVec3::ZERO };
        Box::new(OwnTwin::new(&self.law.checked, &self.constants(&units), dt_s))
    }

    fn seen(&self, units: &Units) -> Box<dyn Twin> {
        let rounded: Vec<_> = self.row(units).into_iter().map(|(name, value)| (name, f64::from(value))).collect();
        Box::new(OwnTwin::new(&self.law.checked, &rounded, 1.0))
    }
}
