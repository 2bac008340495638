//! What materials amount to for the bodies that have them: stiffness as settled, cohesion beside weight, tensile strength.

use crate::model::body::Bodies;
use crate::model::material::Material;
use crate::model::scenario::Scenario;
use crate::physics::laws::hysteretic::STIFFNESS_LOADING;
use crate::physics::laws::keys::{COHESION, COHESION_FORCE, Keyed, SHAPE_PARAMETER, adhesion_n};
use crate::physics::laws::linear_spring_dashpot::STIFFNESS_NORMAL;
use crate::physics::scales::pull_m_s2;
use serde::Serialize;
use std::f64::consts::PI;

/// Strengths are those of a packing of this solid share, with so many contacts a body: loose and random.
const PACKED: [f64; 2] = [0.6, 5.0];

/// A material in numbers, for two of its bodies of the mean radius.
#[derive(Debug, Serialize)]
pub struct MaterialEstimate {
    /// as typed
    pub name: String,
    /// normal stiffness of its contacts among themselves, of loading where there are two; none of Hertz's (N/m)
    pub stiffness_n_m: Option<f64>,
    /// if it coheres
    pub cohesion: Option<Cohesion>,
}

/// What holds bodies together.
#[derive(Debug, Serialize)]
pub struct Cohesion {
    /// of a contact (N)
    pub force_n: f64,
    /// that force over the weight of a body in the field; none where nothing presses
    pub over_weight: Option<f64>,
    /// of a packing with a solid share of 0.6 and 5 contacts a body (Rumpf 1970) (Pa)
    pub tensile_strength_pa: f64,
}

/// Of each material, settled, that bodies have.
pub(super) fn of(scenario: &Scenario, bodies: &Bodies, settled: &[Material]) -> Vec<MaterialEstimate> {
    let pull_m_s2 = pull_m_s2(scenario, bodies);
    let told = |(index, m): (usize, &Material)| {
        let own: Vec<usize> = (0..bodies.len()).filter(|k| bodies.material[*k] as usize == index).collect();
        let count = own.len() as f64;
        let radius_m = own.iter().map(|k| bodies.radius_m[*k]).sum::<f64>() / count;
        let [mass_kg, cubes_m3] = own.iter().fold([0.0; 2], |[mass_kg, cubes_m3], k| {
            [mass_kg + bodies.mass_kg[*k], cubes_m3 + bodies.radius_m[*k].powi(3)]
        });
        // of one of the mean radius, not the mean of all, which the large ones make
        let mass_kg = mass_kg / cubes_m3 * radius_m.powi(3);
        (!own.is_empty()).then(|| MaterialEstimate {
            name: m.name.clone(),
            stiffness_n_m: STIFFNESS_NORMAL.find(m).or_else(|| STIFFNESS_LOADING.find(m)),
            cohesion: cohesion(scenario, m, radius_m, mass_kg * pull_m_s2),
        })
    };
    settled.iter().enumerate().filter_map(told).collect()
}

fn cohesion(scenario: &Scenario, m: &Material, radius_m: f64, weight_n: f64) -> Option<Cohesion> {
    let force_n = match scenario.method.contact_dynamics() {
        Some(_) => COHESION_FORCE.of(m),
        // two equal spheres have half their radius as the effective one
        None => adhesion_n(COHESION.of(m), SHAPE_PARAMETER.of(m), 0.5 * radius_m),
    };
    let [share, contacts] = PACKED;
    (force_n > 0.0).then(|| Cohesion {
        force_n,
        over_weight: Some(force_n / weight_n).filter(|ratio| ratio.is_finite()),
        tensile_strength_pa: share * contacts * force_n / (4.0 * PI * radius_m * radius_m),
    })
}
