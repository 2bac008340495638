//! Free rotation of a rigid body with its angular momentum as the state: constant in the world's frame, while the
//! orientation follows the spin at the middle of the way (implicit midpoint).

use glam::{DQuat, DVec3};

/// Fixed-point iterations of the midpoint: each gains a factor of the angle turned in half the time.
const ITERATIONS: u32 = 6;

/// Spin of a body of these principal moments with the angular momentum `angular`.
pub fn spin(orientation: DQuat, angular: DVec3, moments: DVec3) -> DVec3 {
    orientation * ((orientation.inverse() * angular) / moments)
}

/// Orientation after the time `h`, which may be negative.
pub fn turned(orientation: DQuat, angular: DVec3, moments: DVec3, h: f64) -> DQuat {
    let by = |w: DVec3, time: f64| DQuat::from_scaled_axis(w * time) * orientation;
    let mut w = spin(orientation, angular, moments);
    for _ in 0..ITERATIONS {
        w = spin(by(w, 0.5 * h), angular, moments);
    }
    by(w, h).normalize()
}
