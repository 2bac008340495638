//! The hysteretic contact law in f64 (Guidos et al. 2024, eq. 3-9), the yardstick for `wgsl/laws/hysteretic.wgsl`: one
//! stiffness while spheres approach, a smaller one while they recede, kinetic and rolling friction without springs.

use super::{ContactResult, ContactState, Springs, across, shorten};
use crate::physics::closure::ContactLaw;

/// Share of a slip, or of a difference of spins, that the friction of one contact stops in a step at most.
const STOP: f64 = 0.125;

/// Lever arm of the sphere of radius `radius_i` (m) towards one of `radius_j` at `distance` (m) between centres.
pub fn arm(radius_i: f64, radius_j: f64, distance: f64) -> f64 {
    distance * radius_i / (radius_i + radius_j)
}

/// Force, torques, memory and losses of one contact over a step of `dt` (s).
pub fn contact_force(law: &ContactLaw, s: &ContactState, dt: f64) -> ContactResult {
    let n = s.normal;
    let slip = across(s.velocity, n) + s.arm_i * n.cross(s.spin_i) + s.arm_j * n.cross(s.spin_j);

    // Normal (eq. 3)
    let began = s.springs.overlap <= 0.0;
    let way = if began { -s.velocity.dot(n) * dt } else { s.overlap - s.springs.overlap };
    let elastic = law.stiffness_unloading * s.overlap;
    let surplus = if way >= 0.0 { (law.stiffness_normal - law.stiffness_unloading) * s.overlap } else { 0.0 };
    let load = elastic + surplus;
    let before = if began { 0.5 * elastic * (way - s.overlap).max(0.0) } else { 0.0 };

    // Sliding (eq. 4-6, opposing): a tangential force changes the slip of solid spheres by 7/2 of itself over the
    // reduced mass, their spins included.
    let drag = shorten(STOP * 2.0 / 7.0 * s.mass / dt * slip, law.friction_sliding * load);

    // Rolling (eq. 7-8, with reaction): the inertia of the pair is at least 2/5 of reduced mass and radius squared.
    let spin = s.spin_j - s.spin_i;
    let roll_limit = law.friction_rolling * load * s.arm_i.min(s.arm_j);
    let moment = shorten(STOP * 0.4 * s.mass * s.radius * s.radius / dt * across(spin, n), roll_limit);

    let lever = n.cross(drag);
    ContactResult {
        force: drag - load * n,
        torque_i: s.arm_i * lever + moment,
        torque_j: s.arm_j * lever - moment,
        springs: Springs { overlap: s.overlap, surplus, ..Springs::default() },
        dissipated: [
            0.5 * (s.springs.surplus + surplus) * way + before,
            drag.dot(slip) * dt,
            moment.dot(spin) * dt,
            0.0,
        ],
    }
}

/// What a contact loses (J) in the step in which it ended, with `overlap` (m) now, below 0: the last force still worked
/// on the way out, by the trapezium, and what was stored is gone.
pub fn end_losses(law: &ContactLaw, last: &Springs, overlap: f64) -> [f64; 4] {
    let surplus = 0.5 * last.surplus * (overlap - last.overlap);
    [surplus + 0.5 * law.stiffness_unloading * last.overlap * overlap, 0.0, 0.0, 0.0]
}
