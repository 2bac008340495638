//! How bodies turn and stretch together: angular momentum, inertia, the rigid rotation that has both, and the ellipsoid.

use crate::base::eigen::onto_alike;
use crate::geometry::mass::ellipsoid_m3;
use crate::model::snapshot::Snapshot;
use crate::physics::measure::momentum::MomentumSums;
use crate::physics::measure::whole::{centre, ellipsoid_m, principal_moments, rigid_spin_rad_s};
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::TAU;

/// Rotation and inertia about the mass centre. Axes a, b, c: of the ellipsoid, longest first.
#[derive(Debug, Clone, Serialize)]
pub struct Rotation {
    /// orbital and spin parts together (kg m2/s)
    pub angular_momentum_kg_m2_s: DVec3,
    /// sum of m (x - centre) x (v - its velocity) (kg m2/s)
    pub orbital_kg_m2_s: DVec3,
    /// principal moments of inertia about a, b and c, smallest first (kg m2)
    pub moments_kg_m2: [f64; 3],
    /// unit vectors along a, b and c
    pub axes: [DVec3; 3],
    /// of the rigid rotation with the same angular momentum and inertia (rad/s)
    pub angular_velocity_rad_s: DVec3,
    /// its period (h); none at rest
    pub period_h: Option<f64>,
    /// its energy over the kinetic energy about the mass centre, spins included: 1 for a rigid body; none at rest
    pub rigid_share: Option<f64>,
    /// angle between angular momentum and axis c, or the nearest one of a moment that is as large to 1e-3 (deg); none at rest
    pub wobble_deg: Option<f64>,
    /// inertial elongation I_max / I_min
    pub elongation: f64,
    /// semi-axes of the homogeneous ellipsoid with these moments (m)
    pub semi_axes_m: [f64; 3],
    /// volume of the bodies over that of this ellipsoid
    pub packing_ellipsoid: f64,
}

/// Angle between the angular momentum and the axis of the largest moment, or the plane or space of axes whose moments are as large.
fn wobble_deg(total: DVec3, moments: [f64; 3], axes: [DVec3; 3]) -> f64 {
    let along = onto_alike(moments, axes, total, 2);
    (total - along).length().atan2(along.length()).to_degrees()
}

/// Measures all bodies of `s` together.
pub fn rotation(s: &Snapshot) -> Rotation {
    let (middle, drift) = centre(s);
    let b = &s.bodies;
    let sums = MomentumSums::about(middle, drift, b);
    let twice_energy = |k: usize| {
        let spin = b.spin_rad_s[k];
        b.mass_kg[k] * (b.velocity_m_s[k] - drift).length_squared() + spin.dot(b.inertia_kg_m2(k) * spin)
    };
    let twice_energy: f64 = (0..b.len()).map(twice_energy).sum();
    let (second, moments, axes) = principal_moments(b, middle);
    let total = sums.angular();
    let turn = rigid_spin_rad_s(total, moments, axes);
    let turning = Some(()).filter(|()| turn != DVec3::ZERO);
    let semi_axes_m = ellipsoid_m(second, b.total_mass_kg());
    let solid_m3 = b.total_volume_m3();
    Rotation {
        angular_momentum_kg_m2_s: total,
        orbital_kg_m2_s: sums.orbital,
        moments_kg_m2: moments,
        axes,
        angular_velocity_rad_s: turn,
        period_h: turning.map(|()| TAU / turn.length() / 3600.0),
        rigid_share: (twice_energy > 0.0).then(|| total.dot(turn) / twice_energy),
        wobble_deg: turning.map(|()| wobble_deg(total, moments, axes)),
        elongation: moments[2] / moments[0],
        semi_axes_m,
        packing_ellipsoid: solid_m3 / ellipsoid_m3(semi_axes_m),
    }
}
