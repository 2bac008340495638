//! Linear and angular momentum of the bodies, and how far they have drifted.

use super::baseline::Baseline;
use crate::model::body::Bodies;
use crate::model::snapshot::Snapshot;
use glam::DVec3;

/// Momenta of all bodies, in inertial space where the asteroid is free; angular momenta are about the bodies' mass centre.
pub struct Momentum {
    /// linear (kg m/s)
    pub linear: DVec3,
    /// its change over the largest sum of magnitudes
    pub linear_drift: f64,
    /// angular momentum without spins (kg m2/s)
    pub orbital: DVec3,
    /// angular momentum of the spins (kg m2/s)
    pub spins: DVec3,
    /// change of the angular momentum over the largest sum of magnitudes
    pub angular_drift: f64,
}

/// Measures them, in inertial space with a free asteroid, as energies are.
pub(super) fn measure(s: &Snapshot, baseline: &mut Baseline) -> Momentum {
    of_bodies(&s.balanced(), baseline)
}

/// Sum of the bodies' momenta times their distances from the mass centre: what the orbital angular momentum could be at most, and
/// what its rounding goes with (kg m2/s).
pub(super) fn orbital_size(b: &Bodies) -> f64 {
    let centre = b.mean_by_mass(&b.position_m);
    let size = |k: usize| b.mass_kg[k] * b.position_m[k].distance(centre) * b.velocity_m_s[k].length();
    (0..b.len()).map(size).sum()
}

/// Measures them about the mass centre of these bodies.
pub(super) fn of_bodies(b: &Bodies, baseline: &mut Baseline) -> Momentum {
    let centre = b.mean_by_mass(&b.position_m);
    let (mut linear, mut orbital, mut spins) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let (mut linear_size, mut angular_size) = (0.0, 0.0);
    // About the mass centre of the start would move with a shift; the bodies' own centre does not.
    for k in 0..b.len() {
        let part = b.mass_kg[k] * b.velocity_m_s[k];
        let (orbit, spin) = ((b.position_m[k] - centre).cross(part), b.inertia_kg_m2(k) * b.spin_rad_s[k]);
        linear += part;
        orbital += orbit;
        spins += spin;
        linear_size += part.length();
        angular_size += orbit.length() + spin.length();
    }
    let angular = orbital + spins;
    if !baseline.set {
        (baseline.momentum, baseline.angular) = (linear.to_array(), angular.to_array());
    }
    baseline.momentum_scale = baseline.momentum_scale.max(linear_size);
    baseline.angular_scale = baseline.angular_scale.max(angular_size);
    let drift = |now: DVec3, then: [f64; 3], scale: f64| {
        let change = (now - DVec3::from_array(then)).length();
        if change == 0.0 { 0.0 } else { change / scale }
    };
    let linear_drift = drift(linear, baseline.momentum, baseline.momentum_scale);
    let angular_drift = drift(angular, baseline.angular, baseline.angular_scale);
    Momentum { linear, linear_drift, orbital, spins, angular_drift }
}
