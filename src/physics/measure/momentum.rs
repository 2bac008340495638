//! Linear and angular momentum of the bodies, and how far they have drifted.

use super::baseline::Baseline;
use crate::model::body::Bodies;
use crate::model::snapshot::Snapshot;
use glam::DVec3;

/// Momenta of all bodies, and the sums of their magnitudes, which their rounding goes with.
#[derive(Debug, Clone, Copy, Default)]
pub struct MomentumSums {
    /// linear (kg m/s)
    pub linear: DVec3,
    /// angular momentum without spins (kg m2/s)
    pub orbital: DVec3,
    /// angular momentum of the spins (kg m2/s)
    pub spins: DVec3,
    /// (kg m/s)
    pub linear_size: f64,
    /// (kg m2/s)
    pub angular_size: f64,
}

impl MomentumSums {
    /// With angular momenta about `point` (m), and velocities relative to `drift` (m/s).
    pub fn about(point: DVec3, drift: DVec3, b: &Bodies) -> MomentumSums {
        let mut sum = MomentumSums::default();
        for k in 0..b.len() {
            let part = b.mass_kg[k] * (b.velocity_m_s[k] - drift);
            let (orbit, spin) = ((b.position_m[k] - point).cross(part), b.inertia_kg_m2(k) * b.spin_rad_s[k]);
            sum.linear += part;
            sum.orbital += orbit;
            sum.spins += spin;
            sum.linear_size += part.length();
            sum.angular_size += orbit.length() + spin.length();
        }
        sum
    }

    /// About the bodies' own mass centre: one of the start would move with a shift.
    pub fn about_centre(b: &Bodies) -> MomentumSums {
        MomentumSums::about(b.mean_by_mass(&b.position_m), DVec3::ZERO, b)
    }

    /// The whole angular momentum (kg m2/s).
    pub fn angular(&self) -> DVec3 {
        self.orbital + self.spins
    }
}

/// Momenta of a row, in inertial space where the asteroid is free, about the bodies' mass centre.
pub struct Momentum {
    /// all of them
    pub sums: MomentumSums,
    /// change of the linear one over the largest sum of magnitudes
    pub linear_drift: f64,
    /// change of the angular momentum over the largest sum of magnitudes
    pub angular_drift: f64,
}

/// Sum of the bodies' momenta times their distances from the mass centre: what the orbital angular momentum could be at most, and
/// what its rounding goes with (kg m2/s).
pub(super) fn orbital_size(b: &Bodies) -> f64 {
    let centre = b.mean_by_mass(&b.position_m);
    let size = |k: usize| b.mass_kg[k] * b.position_m[k].distance(centre) * b.velocity_m_s[k].length();
    (0..b.len()).map(size).sum()
}

/// Measures them, in inertial space with a free asteroid, as energies are. The first call sets the baseline of the drifts.
pub(super) fn measure(s: &Snapshot, baseline: &mut Baseline) -> Momentum {
    let sums = MomentumSums::about_centre(&s.balanced());
    if !baseline.set {
        (baseline.momentum, baseline.angular) = (sums.linear.to_array(), sums.angular().to_array());
    }
    baseline.momentum_scale = baseline.momentum_scale.max(sums.linear_size);
    baseline.angular_scale = baseline.angular_scale.max(sums.angular_size);
    let drift = |now: DVec3, then: [f64; 3], scale: f64| {
        let change = (now - DVec3::from_array(then)).length();
        if change == 0.0 { 0.0 } else { change / scale }
    };
    let linear_drift = drift(sums.linear, baseline.momentum, baseline.momentum_scale);
    let angular_drift = drift(sums.angular(), baseline.angular, baseline.angular_scale);
    Momentum { sums, linear_drift, angular_drift }
}
