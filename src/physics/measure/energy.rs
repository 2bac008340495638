//! Energies of one instant, and the ledger that has to close.

use super::baseline::Baseline;
use crate::model::body::Bodies;
use crate::model::scenario::{AsteroidSpec, GravitySource, Motion, Scenario};
use crate::model::snapshot::{Dissipated, Snapshot};
use crate::physics::gravity::central::Central;
use glam::DVec3;

/// Energies of the bodies (J).
pub struct Energy {
    /// kinetic, of translation
    pub translation_j: f64,
    /// kinetic, of rotation
    pub rotation_j: f64,
    /// in the springs of all contacts
    pub elastic_j: f64,
    /// potential, in all fields
    pub gravity_j: f64,
    /// the sum of these four
    pub mechanical_j: f64,
    /// change of the ledger since the start
    pub residual_j: f64,
}

/// Measures them. With a free asteroid kinetic energies are those of inertial space, and the ledger holds the asteroid's too.
pub(super) fn measure(s: &Snapshot, scenario: &Scenario, baseline: &mut Baseline) -> Energy {
    let free = s.frame.and_then(|f| f.asteroid.map(|a| a.kinetic_j(f.orientation).iter().sum::<f64>()));
    let (translation_j, rotation_j) = kinetic(&s.balanced());
    let elastic_j: f64 =
        s.contacts.iter().map(|c| c.elastic_j).chain(s.wall_contacts.iter().map(|c| c.elastic_j)).sum();
    let gravity_j = gravitational(s, scenario);
    let Dissipated { normal_j, sliding_j, rolling_j, twisting_j } = s.dissipated;
    let mechanical_j = translation_j + rotation_j + elastic_j + gravity_j;
    let lost: f64 = [normal_j, sliding_j, rolling_j, twisting_j].iter().sum();
    let ledger = mechanical_j + free.unwrap_or(0.0) + lost - s.wall_work_j;
    if !baseline.set {
        baseline.energy_j = ledger;
    }
    let residual_j = ledger - baseline.energy_j;
    Energy { translation_j, rotation_j, elastic_j, gravity_j, mechanical_j, residual_j }
}

fn gravitational(s: &Snapshot, scenario: &Scenario) -> f64 {
    let mass = &s.bodies.mass_kg;
    let self_part: f64 = s.self_potential_j_kg.iter().zip(mass).map(|(p, m)| 0.5 * p * m).sum();
    // with the constant that the steps have, where it is rounded
    let central =
        |g: &GravitySource| Central::of(g).map(|c| Central { gm_m3_s2: s.central_gm_m3_s2.unwrap_or(c.gm_m3_s2), ..c });
    let sum = |of: &dyn Fn(DVec3) -> f64| s.bodies.position_m.iter().zip(mass).map(|(p, m)| m * of(*p)).sum::<f64>();
    let external = |g: &GravitySource| match g {
        GravitySource::Uniform { acceleration_m_s2 } => sum(&|p| -acceleration_m_s2.dot(p)),
        GravitySource::Central { .. } | GravitySource::UniformSphere { .. } => {
            sum(&|p| central(g).map_or(0.0, |c| c.at(p).1))
        }
        GravitySource::RotatingFrame { rotation_rad_s } => centrifugal(&s.bodies, *rotation_rad_s),
        GravitySource::SelfGravity { .. } | GravitySource::Asteroid { .. } => 0.0,
    };
    let asteroid: f64 = s.asteroid_potential_j_kg.iter().zip(mass).map(|(p, m)| p * m).sum();
    let frame = match &scenario.asteroid {
        Some(AsteroidSpec { motion: Motion::Rotating, rotation_rad_s, .. }) => centrifugal(&s.bodies, *rotation_rad_s),
        _ => 0.0,
    };
    self_part + asteroid + scenario.gravity.iter().map(external).sum::<f64>() + frame
}

/// Potential of a frame that turns (J). That of a body about its mass centre changes as the body turns; of spheres it is constant and
/// left out.
fn centrifugal(b: &Bodies, rotation_rad_s: DVec3) -> f64 {
    let of_centres = b.position_m.iter().zip(&b.mass_kg).map(|(x, m)| m * rotation_rad_s.cross(*x).length_squared());
    let turning = if b.polyhedra.is_some() { b.len() } else { 0 };
    let about_centres = (0..turning).map(|k| rotation_rad_s.dot(b.inertia_kg_m2(k) * rotation_rad_s));
    -0.5 * of_centres.chain(about_centres).sum::<f64>()
}

/// Kinetic energy of translation and rotation (J).
pub fn kinetic(b: &Bodies) -> (f64, f64) {
    let n = 0..b.len();
    let translation = n.clone().map(|k| 0.5 * b.mass_kg[k] * b.velocity_m_s[k].length_squared()).sum();
    let rotation = n.map(|k| 0.5 * b.spin_rad_s[k].dot(b.inertia_kg_m2(k) * b.spin_rad_s[k])).sum();
    (translation, rotation)
}
