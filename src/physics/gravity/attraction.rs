//! What attracts bodies towards the mass centre of an asteroid, as two points attract each other.

use super::central::Central;
use crate::base::error::Result;
use crate::base::units::G;
use crate::model::asteroid::AsteroidSpec;
use crate::model::gravity::GravitySource;
use crate::model::scenario::Scenario;
use glam::DVec3;

/// The fields about the mass centre of an asteroid, far away from it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attraction {
    /// of all sources whose centre it is; 0: there is none (m3/s2)
    pub gm_m3_s2: f64,
    /// the asteroid itself is one of them
    pub of_asteroid: bool,
    /// the other fields, such as `gravity.1 (uniform)`
    pub besides: Vec<String>,
}

impl Attraction {
    /// The fields of a scenario about its asteroid.
    pub fn of(scenario: &Scenario, asteroid: &AsteroidSpec) -> Result<Attraction> {
        let mut sum = Attraction::default();
        for (k, source) in scenario.gravity.iter().enumerate() {
            match (source, Central::of(source)) {
                (GravitySource::Asteroid { .. }, _) => {
                    sum.gm_m3_s2 += own_gm_m3_s2(asteroid)?;
                    sum.of_asteroid = true;
                }
                (_, Some(central)) if central.position_m == DVec3::ZERO => sum.gm_m3_s2 += central.gm_m3_s2,
                _ => sum.besides.push(format!("gravity.{k} ({})", source.kind())),
            }
        }
        Ok(sum)
    }
}

/// G times density times volume of an asteroid (m3/s2).
pub fn own_gm_m3_s2(asteroid: &AsteroidSpec) -> Result<f64> {
    Ok(G * asteroid.mass_kg()?)
}
