//! Mass of the largest remnant of a collision of gravitating bodies: Leinhardt and Stewart 2012 (ApJ 745, 79).

use crate::base::units::G;
use std::f64::consts::PI;

/// Density to which the radius of both masses together refers (kg/m3).
const DENSITY_1_KG_M3: f64 = 1000.0;
/// Specific energy over its critical value at which the law of catastrophic disruption ends and a power law begins.
const SUPER_CATASTROPHIC: f64 = 1.8;
/// Exponent of that power law.
const POWER: f64 = -1.5;

/// Two spheres that meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision {
    /// (kg)
    pub target_mass_kg: f64,
    /// (m)
    pub target_radius_m: f64,
    /// (kg), at most the target's
    pub projectile_mass_kg: f64,
    /// (m)
    pub projectile_radius_m: f64,
    /// between velocity and line of centres at contact (degrees)
    pub impact_angle_deg: f64,
    /// c*, how much stronger than its gravity alone a body is
    pub c_star: f64,
    /// mu-bar, between energy (2/3) and momentum scaling (1/3)
    pub mu_bar: f64,
    /// the potential energy of eta has that between the bodies at contact
    pub mutual: bool,
}

impl Collision {
    fn total_kg(&self) -> f64 {
        self.target_mass_kg + self.projectile_mass_kg
    }

    /// Share of the projectile, by mass, whose way crosses the target.
    pub fn interacting_share(&self) -> f64 {
        let r = self.projectile_radius_m;
        let l = (self.target_radius_m + r) * (1.0 - self.impact_angle_deg.to_radians().sin());
        if l < 2.0 * r { (3.0 * r * l * l - l.powi(3)) / (4.0 * r.powi(3)) } else { 1.0 }
    }

    /// Q'*_RD, energy over total mass that leaves half of the mass (J/kg) (their eqs. 15, 23, 28).
    pub fn critical_j_kg(&self) -> f64 {
        let (target, projectile) = (self.target_mass_kg, self.projectile_mass_kg);
        let radius_1_m = (3.0 * self.total_kg() / (4.0 * PI * DENSITY_1_KG_M3)).cbrt();
        let equal = self.c_star * 0.8 * PI * DENSITY_1_KG_M3 * G * radius_1_m * radius_1_m;
        let ratio = projectile / target;
        let head_on = equal * ((ratio + 1.0).powi(2) / (4.0 * ratio)).powf(2.0 / (3.0 * self.mu_bar) - 1.0);
        let reduced = |m: f64| m * target / (m + target);
        let share = reduced(projectile) / reduced(self.interacting_share() * projectile);
        head_on * share.powf(2.0 - 1.5 * self.mu_bar)
    }

    /// |U|: binding energies of both as homogeneous spheres, and between them at contact if `mutual` (J).
    pub fn potential_j(&self) -> f64 {
        let own = |m: f64, r: f64| 0.6 * G * m * m / r;
        let both =
            own(self.target_mass_kg, self.target_radius_m) + own(self.projectile_mass_kg, self.projectile_radius_m);
        let distance_m = self.target_radius_m + self.projectile_radius_m;
        both + if self.mutual { G * self.target_mass_kg * self.projectile_mass_kg / distance_m } else { 0.0 }
    }

    /// Mass of the largest remnant over that of both bodies, at kinetic energy `eta` |U| (their eqs. 5 and 44).
    pub fn largest_share(&self, eta: f64) -> f64 {
        let q = eta * self.potential_j() / self.total_kg() / self.critical_j_kg();
        if q < SUPER_CATASTROPHIC { 1.0 - 0.5 * q } else { 0.1 * (q / SUPER_CATASTROPHIC).powf(POWER) }
    }
}
