//! Sources of gravity in f64, for both reference engines.

use super::asteroid_field::AsteroidField;
use super::central::Central;
use super::direct::direct;
use crate::base::error::Result;
use crate::base::units::G;
use crate::model::deferred::Deferred;
use crate::model::scenario::{GravitySource, Scenario};
use glam::DVec3;
use std::sync::Arc;

/// What acts on the bodies of a scenario.
#[derive(Clone)]
pub(crate) struct Fields {
    /// (m/s2)
    pub uniform: DVec3,
    /// bodies attract each other
    pub of_bodies: bool,
    /// steps that self-gravity and central fields are held
    pub every: u64,
    central: Vec<Central>,
    asteroid: Option<Arc<AsteroidField>>,
}

impl Fields {
    pub(crate) fn of(scenario: &Scenario) -> Result<Fields> {
        let mut fields = Fields {
            uniform: scenario.uniform_m_s2(),
            of_bodies: false,
            every: scenario.held_steps().into(),
            central: vec![],
            asteroid: AsteroidField::of(scenario)?,
        };
        for source in &scenario.gravity {
            match *source {
                GravitySource::SelfGravity { .. } => fields.of_bodies = true,
                _ => fields.central.extend(Central::of(source)),
            }
        }
        Ok(fields)
    }

    /// Potential of the asteroid at these positions (m) (J/kg); empty unless one attracts.
    pub(crate) fn asteroid_potentials(&self, positions: &[DVec3]) -> Deferred {
        self.asteroid.as_ref().map_or_else(Deferred::default, |field| field.exact_potentials_on_demand(positions))
    }

    /// Self-gravity and fixed fields (m/s2, J/kg) at the bodies, which are at `positions` (m) and have these masses
    /// (kg).
    pub(crate) fn at(&self, positions: &[DVec3], mass_kg: &[f64]) -> [Vec<(DVec3, f64)>; 2] {
        let own = positions.iter().zip(mass_kg).map(|(p, m)| (*p, G * m));
        let sources: Vec<_> = if self.of_bodies { own.collect() } else { vec![] };
        let central = |p: &DVec3| {
            let parts = self.central.iter().map(|c| c.at(*p)).chain(self.asteroid.iter().map(|a| a.at(*p)));
            parts.fold((DVec3::ZERO, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        };
        [direct(positions, &sources), positions.iter().map(central).collect()]
    }
}
