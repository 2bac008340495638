//! The laws of all pairs of materials of a run.

use super::contact::Twin;
use super::registry::of;
use super::{Largest, PairLaw};
use crate::model::body::Bodies;
use crate::model::material::Material;
use crate::model::method::Method;
use crate::model::scenario::Scenario;

/// Materials with the keys that follow from others filled in. A wall's material may have no body of its own: then the
/// largest body of all sets the scale.
pub fn settled(scenario: &Scenario, bodies: &Bodies) -> Vec<Material> {
    let mut materials = scenario.materials.clone();
    if scenario.method != Method::SoftSphere {
        return materials;
    }
    let law = of(&scenario.run.contact_law);
    let largest = |index: Option<usize>| {
        let has = |k: &usize| index.is_none_or(|m| bodies.material[*k] as usize == m);
        let k = (0..bodies.len()).filter(has).max_by(|a, b| bodies.radius_m[*a].total_cmp(&bodies.radius_m[*b]))?;
        Some(Largest { mass: bodies.mass_kg[k], radius: bodies.radius_m[k] })
    };
    for (index, m) in materials.iter_mut().enumerate() {
        law.settle(m, largest(Some(index)).or_else(|| largest(None)));
    }
    materials
}

/// The law of every two materials, row by row; none for contact dynamics.
pub fn pair_laws(scenario: &Scenario, bodies: &Bodies) -> Vec<Box<dyn PairLaw>> {
    if scenario.method != Method::SoftSphere {
        return vec![];
    }
    let (materials, law) = (settled(scenario, bodies), of(&scenario.run.contact_law));
    materials.iter().flat_map(|a| materials.iter().map(move |b| law.between(a, b))).collect()
}

/// The laws of all pairs of materials in f64.
#[derive(Debug)]
pub struct Laws {
    /// row by row
    pub rows: Vec<Box<dyn Twin>>,
    /// number of materials
    pub materials: usize,
}

impl Laws {
    /// Those of a scenario with these bodies, for steps of `dt_s`.
    pub fn new(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Laws {
        let rows = pair_laws(scenario, bodies).iter().map(|law| law.twin(dt_s)).collect();
        Laws { rows, materials: scenario.materials.len() }
    }

    /// The law between two materials.
    pub fn of(&self, a: usize, b: usize) -> &dyn Twin {
        &*self.rows[a * self.materials + b]
    }
}
