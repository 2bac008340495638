import package::contact_dynamics::dynamics::{root_times};
import package::state::control::{Control};
import package::state::body::{BodyInertia, BodyPush};
import package::contact_dynamics::dynamics::{DynamicsParams, root_times};
import package::contact_dynamics::relax::{Cone, relaxed, momentum_at};
import package::state::contact::{ColourEntry, ContactFrame, ContactImpulse, ContactScale};
import package::math::dispatch::{linear_id};

// Projected Gauss-Seidel, one colour of it: each of its contacts takes its step from the velocities as they are by now, and
// leaves in them what its impulse has changed. pass_constants.x: colour.
var<uniform> pass_constants: vec4<u32>;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> colour_list: array<ColourEntry>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> contact_scale: array<ContactScale>;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read_write> body_push: array<BodyPush>;
var<storage, read_write> contact_impulse: array<ContactImpulse>;
var<storage, read_write> contact_guess: array<ContactImpulse>;

// Adds to a body's velocity and spin what the impulse gives it.
fn push(body: u32, velocity: vec3<f32>, spin: vec3<f32>, arm: vec3<f32>, impulse: vec3<f32>) {
    let inertia = body_inertia[body];
    let torque = cross(arm, impulse);
    let turning = root_times(inertia, root_times(inertia, torque));
    body_push[body] = BodyPush(velocity + inertia.inverse_mass * impulse, 0.0, spin + turning);
}

@compute @workgroup_size(64)
fn sweep_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let index = linear_id(w, n, l, 64u);
    let colour = pass_constants.x;
    if (index >= control.colour_size[colour]) {
        return;
    }
    let entry = colour_list[control.colour_first[colour] + index];
    let c = entry.contact;
    let side_i = contact_frame[c].sides[0];
    let arm_j = contact_frame[c].sides[1].arm;
    let cone = Cone(contact_frame[c].normal, contact_frame[c].friction, side_i.extra);
    let velocity_i = body_push[entry.i].velocity;
    let velocity_j = body_push[entry.j].velocity;
    let spin_i = body_push[entry.i].spin;
    let spin_j = body_push[entry.j].spin;
    let u = contact_frame[c].free + velocity_i - velocity_j + cross(spin_i, side_i.arm) - cross(spin_j, arm_j);
    let y = contact_guess[c].impulse;
    let momentum = momentum_at(dynamics, control.iteration);
    let next = relaxed(contact_impulse[c].impulse, y, u, cone, contact_scale[c].step, momentum);
    contact_impulse[c].impulse = next.impulse;
    contact_guess[c].impulse = next.guess;
    push(entry.i, velocity_i, spin_i, side_i.arm, next.impulse - y);
    if (entry.moves == 1u) {
        push(entry.j, velocity_j, spin_j, arm_j, y - next.impulse);
    }
}
