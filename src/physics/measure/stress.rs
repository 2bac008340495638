//! Contact stress of all bodies together, and the virial theorem.

use super::whole;
use crate::base::eigen::principal;
use crate::geometry::mass::ball_m3;
use crate::model::scenario::{GravitySource, Scenario};
use crate::model::snapshot::Snapshot;
use glam::DMat3;

/// Mean stress over the enclosing sphere, compression positive.
pub struct Stress {
    /// stress times volume (N m)
    moment: DMat3,
    /// of the enclosing sphere (m3)
    pub(super) volume_m3: f64,
    /// how far 3 P V is from W - 2 K, over W; NaN without self-gravity, and in a field that is not the same everywhere
    pub(super) virial_residual: f64,
}

impl Stress {
    pub(super) fn trace(&self) -> f64 {
        let m = self.moment.to_cols_array_2d();
        m[0][0] + m[1][1] + m[2][2]
    }

    pub(super) fn tensor_pa(&self) -> [f64; 6] {
        let m = self.moment.to_cols_array_2d();
        [m[0][0], m[1][1], m[2][2], 0.5 * (m[0][1] + m[1][0]), 0.5 * (m[0][2] + m[2][0]), 0.5 * (m[1][2] + m[2][1])]
            .map(|v| v / self.volume_m3)
    }

    pub(super) fn principal_pa(&self, k: usize) -> f64 {
        principal(self.moment).0[k] / self.volume_m3
    }
}

/// Measures it over a sphere of this radius (m).
pub(super) fn measure(s: &Snapshot, scenario: &Scenario, radius_m: f64) -> Stress {
    let mut stress =
        Stress { moment: whole::stress_moment(s), volume_m3: ball_m3(radius_m), virial_residual: f64::NAN };
    if alone(scenario) {
        stress.virial_residual = virial_residual(s, stress.trace());
    }
    stress
}

/// True where bodies are pulled by each other alone, but for a pull that is the same on all.
fn alone(scenario: &Scenario) -> bool {
    let by_others = |source: &GravitySource| match source {
        GravitySource::SelfGravity { .. } | GravitySource::Uniform { .. } | GravitySource::RotatingFrame { .. } => {
            false
        }
        GravitySource::Asteroid { .. } | GravitySource::Central { .. } | GravitySource::UniformSphere { .. } => true,
    };
    scenario.has_self_gravity() && !scenario.gravity.iter().any(by_others)
}

/// Velocities are those of inertial space; ways and pulls have one product in all axes. `trace`: of stress times volume (N m).
fn virial_residual(s: &Snapshot, trace: f64) -> f64 {
    let (b, centre) = (&s.bodies, s.bodies.mean_by_mass(&s.bodies.position_m));
    let pulls = s.self_acceleration_m_s2.iter().enumerate();
    let w: f64 = pulls.map(|(k, pull)| -b.mass_kg[k] * (b.position_m[k] - centre).dot(*pull)).sum();
    let inertial = s.inertial();
    let drift = b.mean_by_mass(&inertial.velocity_m_s);
    let k2: f64 = inertial.velocity_m_s.iter().zip(&b.mass_kg).map(|(v, m)| m * (*v - drift).length_squared()).sum();
    (trace - (w - k2)) / w
}
