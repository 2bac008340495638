//! key stiffness_n_m [N/m] positive harmonic "k of the force k overlap"
//! key damping_kg_m [kg/m] not_negative = 0 mean "c of the force c v^2 against the speed v along the normal"
//! key friction_sliding [1] 0..10 mean "coefficient of sliding friction"
//! time_step stiffness_n_m

import package::laws::contact::{ContactState, ContactResult, shorten};

// A linear spring whose damping grows with the square of the speed: fast impacts lose a larger share of their energy than
// slow ones. Sliding friction opposes the slip and stops at most an eighth of it in a step. There is no rolling friction.
//
// Memory: none.

struct Law {
    stiffness_n_m: f32,
    damping_kg_m: f32,
    friction_sliding: f32,
}

// The plane of contact divides the distance as the radii do.
fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return radius_i + gap * radius_i / (radius_i + radius_j);
}

// The normal spring: force and energy.
fn normal_spring(law: Law, radius: f32, overlap: f32) -> vec2<f32> {
    let force = law.stiffness_n_m * overlap;
    return vec2<f32>(force, 0.5 * force * overlap);
}

// No other spring holds energy.
fn held_energy(law: Law, s: ContactState) -> vec4<f32> {
    return vec4<f32>(0.0);
}

fn contact_end(law: Law, s: ContactState) -> vec4<f32> {
    return held_energy(law, s);
}

fn contact_force(law: Law, s: ContactState) -> ContactResult {
    let n = s.normal;
    let parting = dot(s.velocity, n);
    let damping = -law.damping_kg_m * abs(parting) * parting;
    let push = normal_spring(law, s.radius, s.overlap).x + damping;

    let slip = s.velocity - parting * n + s.arm_i * cross(n, s.spin_i) + s.arm_j * cross(n, s.spin_j);
    // a force changes the slip of solid spheres by 7/2 of itself over the reduced mass
    let drag = shorten(0.125 * 2.0 / 7.0 * s.mass * slip, law.friction_sliding * max(push, 0.0));

    var r: ContactResult;
    r.force = drag - push * n;
    r.torque_i = s.arm_i * cross(n, drag);
    r.torque_j = s.arm_j * cross(n, drag);
    // the time step is 1: a power is the energy of the step
    r.dissipated = vec4<f32>(-damping * parting, dot(drag, slip), 0.0, 0.0);
    return r;
}
