//! Two bodies as points: the energy and the ellipse of their mutual orbit.

use crate::base::units::G;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::TAU;

/// A bound orbit.
#[derive(Debug, Clone, Serialize)]
pub struct Orbit {
    /// between the mass centres (m)
    pub distance_m: f64,
    /// mu v^2 / 2 - G m1 m2 / d, mu the reduced mass; below zero (J)
    pub energy_j: f64,
    /// of the relative orbit (m)
    pub semi_major_axis_m: f64,
    /// of the relative orbit
    pub eccentricity: f64,
    /// by Kepler's third law (h)
    pub orbit_period_h: f64,
}

/// A relative orbit of two points, bound or not.
pub struct Elements {
    /// v^2 / 2 - G M / d (J/kg)
    pub energy_j_kg: f64,
    /// below zero if it is not bound (m)
    pub semi_major_axis_m: f64,
    /// 1 and more if it is not bound
    pub eccentricity: f64,
    /// per unit of mass (m2/s)
    pub angular_momentum_m2_s: DVec3,
}

impl Elements {
    /// Of a relative position (m) and velocity (m/s), `gm` for both masses together (m3/s2).
    pub fn new(gm: f64, position: DVec3, velocity: DVec3) -> Elements {
        let energy = 0.5 * velocity.length_squared() - gm / position.length();
        let spin = position.cross(velocity);
        Elements {
            energy_j_kg: energy,
            semi_major_axis_m: -0.5 * gm / energy,
            eccentricity: (velocity.cross(spin) / gm - position.normalize_or_zero()).length(),
            angular_momentum_m2_s: spin,
        }
    }

    /// Least distance (m).
    pub fn periapsis_m(&self) -> f64 {
        self.semi_major_axis_m * (1.0 - self.eccentricity)
    }
}

/// The orbit of two masses (kg) with this relative position (m) and velocity (m/s); `None` if they are not bound.
pub fn orbit(masses_kg: [f64; 2], position: DVec3, velocity: DVec3) -> Option<Orbit> {
    let [a, b] = masses_kg;
    let gm = G * (a + b);
    let Elements { energy_j_kg, semi_major_axis_m, eccentricity, .. } = Elements::new(gm, position, velocity);
    (energy_j_kg < 0.0).then(|| Orbit {
        distance_m: position.length(),
        energy_j: energy_j_kg * a * b / (a + b),
        semi_major_axis_m,
        eccentricity,
        orbit_period_h: TAU * (semi_major_axis_m.powi(3) / gm).sqrt() / 3600.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apses_of_an_ellipse() {
        let (masses, a, e) = ([3e12, 1e12], 800.0, 0.6);
        let gm = G * 4e12;
        for (distance, sign) in [(a * (1.0 - e), 1.0), (a * (1.0 + e), -1.0)] {
            let speed = (gm * (2.0 / distance - 1.0 / a)).sqrt();
            let found = orbit(masses, distance * DVec3::Y, sign * speed * DVec3::Z).unwrap();
            assert!((found.semi_major_axis_m / a - 1.0).abs() < 1e-12 && (found.eccentricity / e - 1.0).abs() < 1e-12);
            assert!((found.energy_j / (-0.5 * G * 3e24 / a) - 1.0).abs() < 1e-12);
            assert!((found.orbit_period_h / (TAU * (a * a * a / gm).sqrt() / 3600.0) - 1.0).abs() < 1e-12);
        }
        assert!(orbit(masses, a * DVec3::X, (2.001 * gm / a).sqrt() * DVec3::Y).is_none());
    }
}
