//! How all bodies together turn.

use super::momentum::MomentumSums;
use super::whole::{ellipsoid_m, principal_moments, rigid_spin_rad_s};
use crate::base::units::G;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;

/// How all bodies together turn, in inertial space.
#[derive(Debug, Clone, Copy)]
pub struct Rotation {
    /// of the rigid rotation with their angular momentum and moments (rad/s)
    pub angular_velocity_rad_s: f64,
    /// over sqrt(4/3 pi G rho) of the ellipsoid with the same mass and second moments
    pub over_critical: f64,
}

/// The rotation of all bodies; not a number beside an asteroid, which they do not turn by themselves.
pub fn measure(s: &Snapshot, scenario: &Scenario) -> Rotation {
    if scenario.asteroid.is_some() {
        return Rotation { angular_velocity_rad_s: f64::NAN, over_critical: f64::NAN };
    }
    // where a frame turns, the angular momentum of rows is that in the frame
    let b = s.inertial();
    let (second, moments, axes) = principal_moments(&b, b.mean_by_mass(&b.position_m));
    let mass_kg = b.total_mass_kg();
    let [a_m, b_m, c_m] = ellipsoid_m(second, mass_kg);
    let spin_rad_s = rigid_spin_rad_s(MomentumSums::about_centre(&b).angular(), moments, axes).length();
    let critical_rad_s = (G * mass_kg / (a_m * b_m * c_m)).sqrt();
    Rotation { angular_velocity_rad_s: spin_rad_s, over_critical: spin_rad_s / critical_rad_s }
}
