//! From a coefficient of restitution to damping, and how long a collision lasts.

use super::keys::{Keyed, RESTITUTION_NORMAL, RESTITUTION_TANGENTIAL};
use crate::model::material::Material;
use std::f64::consts::PI;

/// Damps slip as the normal is damped, where a scenario does not say otherwise.
pub(super) fn damp_alike(material: &mut Material) {
    if RESTITUTION_TANGENTIAL.find(material).is_none() {
        material.set(RESTITUTION_TANGENTIAL.name, RESTITUTION_NORMAL.of(material));
    }
}

/// Damping ratio of an unclamped spring-dashpot with restitution `e`: -ln e / sqrt(pi^2 + ln^2 e).
pub fn damping_ratio(e: f64) -> f64 {
    if e <= 0.0 {
        return 1.0;
    }
    let l = e.ln();
    -l / (PI * PI + l * l).sqrt()
}

/// Restitution of a spring-dashpot whose force never pulls: the contact ends when the force does
/// (Schwager and Poeschel 2007, eq. 21).
pub fn clamped_restitution(ratio: f64) -> f64 {
    if ratio < 1.0 {
        let w = (1.0 - ratio * ratio).sqrt();
        (-(ratio / w) * (2.0 * ratio * w).atan2(ratio * ratio - w * w)).exp()
    } else {
        let w = (ratio * ratio - 1.0).sqrt().max(1e-9);
        (-(ratio / w) * ((ratio + w) / (ratio - w)).ln()).exp()
    }
}

/// Damping ratio of a clamped spring-dashpot with restitution `e`, by bisection.
pub fn clamped_damping_ratio(e: f64) -> f64 {
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..200 {
        let mid = 0.5 * (low + high);
        if clamped_restitution(mid) > e { low = mid } else { high = mid }
    }
    0.5 * (low + high)
}

/// Duration of a collision of reduced mass `mass_kg` with stiffness `k` and restitution `e` (s).
pub fn contact_time_s(k: f64, mass_kg: f64, e: f64) -> f64 {
    let l = if e > 0.0 { e.ln().max(-7.0) } else { -7.0 };
    ((PI * PI + l * l) * mass_kg / k).sqrt()
}
