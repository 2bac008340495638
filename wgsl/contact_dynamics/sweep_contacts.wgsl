import package::contact_dynamics::dynamics::{DynamicsParams, FRAME_ROWS, symmetric_times};
import package::contact_dynamics::relax::{relaxed, momentum_at};
import package::state::control::{Control};
import package::math::dispatch::{linear_id};

// Projected Gauss-Seidel, one colour of it: each of its contacts takes its step from the velocities as they are by now, and
// leaves in them what its impulse has changed. pass_constants.x: colour.
var<uniform> pass_constants: vec4<u32>;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> colour_list: array<vec4<u32>>;
var<storage, read> contact_frame: array<vec4<f32>>;
var<storage, read> contact_scale: array<vec4<f32>>;
var<storage, read> body_inertia: array<vec4<f32>>;
var<storage, read_write> body_push: array<vec4<f32>>;
var<storage, read_write> contact_impulse: array<vec4<f32>>;
var<storage, read_write> contact_guess: array<vec4<f32>>;

// Adds to a body's velocity and spin what the impulse gives it.
fn push(body: u32, velocity: vec3<f32>, spin: vec3<f32>, arm: vec3<f32>, impulse: vec3<f32>) {
    let inertia = body_inertia[2u * body];
    let rest = body_inertia[2u * body + 1u];
    let torque = cross(arm, impulse);
    body_push[2u * body] = vec4<f32>(velocity + inertia.x * impulse, 0.0);
    body_push[2u * body + 1u] = vec4<f32>(spin + symmetric_times(inertia, rest, symmetric_times(inertia, rest, torque)), 0.0);
}

@compute @workgroup_size(64)
fn sweep_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let place = linear_id(w, n, l, 64u);
    let colour = pass_constants.x;
    if (place >= control.colour_size[colour]) {
        return;
    }
    let entry = colour_list[control.colour_first[colour] + place]; // contact, bodies, 1 if the second moves
    let c = entry.x;
    let first = contact_frame[FRAME_ROWS * c];
    let arm_i = contact_frame[FRAME_ROWS * c + 1u];
    let arm_j = contact_frame[FRAME_ROWS * c + 2u].xyz;
    let velocity_i = body_push[2u * entry.y].xyz;
    let velocity_j = body_push[2u * entry.z].xyz;
    let spin_i = body_push[2u * entry.y + 1u].xyz;
    let spin_j = body_push[2u * entry.z + 1u].xyz;
    let u = contact_frame[FRAME_ROWS * c + 3u].xyz + velocity_i - velocity_j + cross(spin_i, arm_i.xyz) - cross(spin_j, arm_j);
    let y = contact_guess[c].xyz;
    let momentum = momentum_at(dynamics, control.iteration);
    let next = relaxed(contact_impulse[c].xyz, y, u, first, arm_i.w, contact_scale[c].xy, momentum);
    contact_impulse[c] = vec4<f32>(next.impulse, 0.0);
    contact_guess[c] = vec4<f32>(next.guess, 0.0);
    push(entry.y, velocity_i, spin_i, arm_i.xyz, next.impulse - y);
    if (entry.w == 1u) {
        push(entry.z, velocity_j, spin_j, arm_j, y - next.impulse);
    }
}
