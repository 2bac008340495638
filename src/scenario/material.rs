//! Reads `[[material]]`: which keys a material takes is up to the contact law, or to contact dynamics.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::material::Value;
use crate::model::scenario::{LawName, Material, Method};
use crate::physics::laws::keys::{COHESION_FORCE, COHESION_RANGE, Key, Missing, OF_CONTACT_DYNAMICS, Range};
use crate::physics::laws::{LAWS, Law, of};

/// A `[[material]]` table.
pub(super) fn material(t: &Table, method: &Method, law: LawName) -> Material {
    let mut m = Material::new(
        &t.name("name").unwrap_or_else(|| "material".into()),
        t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
    );
    match method {
        Method::SoftSphere => soft(t, of(law), &mut m),
        Method::ContactDynamics(_) => rigid(t, &mut m),
    }
    t.close();
    m
}

fn soft(t: &Table, law: &dyn Law, m: &mut Material) {
    let keys = law.keys();
    refuse(t, &keys, |other| {
        format!("is for run.contact_law = \"{other}\"; \"{}\" does not use it, remove it", law.name())
    });
    keys.iter().for_each(|key| read(t, key, m));
    for (key, text) in law.faults(m, &|key| t.has(key)) {
        t.fault(key, text);
    }
}

/// Rigid bodies know no stiffness.
fn rigid(t: &Table, m: &mut Material) {
    refuse(t, &OF_CONTACT_DYNAMICS, |_| {
        "is for method = \"soft_sphere\", contact dynamics does not use it; remove it".into()
    });
    OF_CONTACT_DYNAMICS.iter().for_each(|key| read(t, key, m));
    if COHESION_RANGE.of(m) > 0.0 && COHESION_FORCE.of(m) == 0.0 {
        t.fault(COHESION_RANGE.name, format!("has no effect without {}; give one, or remove it", COHESION_FORCE.name));
    }
}

/// Keys that another law takes and this one does not are refused by name; `why` makes a sentence of the other's name.
fn refuse(t: &Table, known: &[Key], why: impl Fn(&str) -> String) {
    let mut told: Vec<&str> = known.iter().map(|key| key.name).collect();
    for law in LAWS {
        for key in law.keys().iter().filter(|key| t.has(key.name)) {
            if !told.contains(&key.name) {
                t.fault(key.name, why(law.name()));
                told.push(key.name);
            }
        }
    }
}

/// Reads a key into the material.
fn read(t: &Table, key: &Key, m: &mut Material) {
    if let Range::Words(words) = key.range {
        return m.set(key.name, t.choice(key.name, words, Some(words[0])).as_str());
    }
    let typed = match key.missing {
        Missing::Refused => Some(t.need(key.name, key.dimension)),
        _ => t.number(key.name, key.dimension),
    };
    let value = match typed {
        Some(value) => Some(allowed(t, key, value)),
        None => match key.missing {
            Missing::Number(value) => Some(value),
            Missing::Like(other) => m.number(other),
            _ => None,
        },
    };
    value.into_iter().for_each(|value| m.set(key.name, Value::Number(value)));
}

fn allowed(t: &Table, key: &Key, value: f64) -> f64 {
    match key.range {
        Range::Positive => t.positive(key.name, value),
        Range::Within(low, high) => t.within(key.name, value, low, high),
        Range::Words(_) => value,
    }
}
