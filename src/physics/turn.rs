//! Free rotation of a rigid body with its angular momentum as the state: constant in the world's frame, while the
//! orientation follows the spin at the middle of the way (implicit midpoint).

use glam::{DQuat, DVec3};

/// Fixed-point iterations of the midpoint.
const ITERATIONS: u32 = 6;
/// A way is taken in so many parts that an iteration gains this factor in each.
const GAIN: f64 = 16.0;
/// Parts of a way at most.
const PARTS_MAX: f64 = 1024.0;

/// Spin of a body of these principal moments with the angular momentum `angular`.
pub fn spin(orientation: DQuat, angular: DVec3, moments: DVec3) -> DVec3 {
    orientation * ((orientation.inverse() * angular) / moments)
}

/// Parts of the time `h` in each of which the iterations gain their factor: the spin of a slender body depends on where it has
/// turned to, by |L| (1/I_min - 1/I_max) for each radian.
pub fn parts(angular: DVec3, moments: DVec3, h: f64) -> f64 {
    let slope = moments.min_element().recip() - moments.max_element().recip();
    (0.5 * GAIN * angular.length() * slope * h.abs()).ceil().clamp(1.0, PARTS_MAX)
}

/// Orientation after the time `h`, which may be negative.
pub fn turned(orientation: DQuat, angular: DVec3, moments: DVec3, h: f64) -> DQuat {
    let parts = parts(angular, moments, h);
    (0..parts as u32).fold(orientation, |q, _| turned_at_once(q, angular, moments, h / parts))
}

fn turned_at_once(orientation: DQuat, angular: DVec3, moments: DVec3, h: f64) -> DQuat {
    let by = |w: DVec3, time: f64| DQuat::from_scaled_axis(w * time) * orientation;
    let mut w = spin(orientation, angular, moments);
    for _ in 0..ITERATIONS {
        w = spin(by(w, 0.5 * h), angular, moments);
    }
    by(w, h).normalize()
}
