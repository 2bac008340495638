import package::contact_dynamics::dynamics::{DynamicsParams, FRAME_ROWS};
import package::contact_dynamics::relax::{relaxed, residual, momentum_at};
import package::state::control::{Control};
import package::math::dispatch::{linear_id};

// One projected Jacobi step of every contact, from its guess and what all guesses together make of the bodies.
// pass_constants.x = 1: also the residual; 2: that alone, of the impulses that a sweep has left, in the velocities that it
// has left.
var<uniform> pass_constants: vec4<u32>;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> contact_body: array<vec4<u32>>;
var<storage, read> contact_frame: array<vec4<f32>>;
var<storage, read> contact_scale: array<vec4<f32>>;
var<storage, read> body_push: array<vec4<f32>>;
var<storage, read_write> contact_impulse: array<vec4<f32>>;
var<storage, read_write> contact_guess: array<vec4<f32>>;
var<storage, read_write> contact_residual: array<vec2<f32>>;

@compute @workgroup_size(64)
fn relax_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    let first = contact_frame[FRAME_ROWS * c];
    let arm_i = contact_frame[FRAME_ROWS * c + 1u];
    let arm_j = contact_frame[FRAME_ROWS * c + 2u].xyz;
    let scale = contact_scale[c];
    let u = contact_frame[FRAME_ROWS * c + 3u].xyz
        + body_push[2u * body.x].xyz - body_push[2u * body.y].xyz
        + cross(body_push[2u * body.x + 1u].xyz, arm_i.xyz) - cross(body_push[2u * body.y + 1u].xyz, arm_j);
    let y = contact_guess[c].xyz;
    if (pass_constants.x < 2u) {
        let momentum = momentum_at(dynamics, control.iteration);
        let next = relaxed(contact_impulse[c].xyz, y, u, first, arm_i.w, scale.xy, momentum);
        contact_impulse[c] = vec4<f32>(next.impulse, 0.0);
        contact_guess[c] = vec4<f32>(next.guess, 0.0);
    }
    if (pass_constants.x > 0u) {
        contact_residual[c] = residual(select(y, contact_impulse[c].xyz, pass_constants.x == 2u), u, first, arm_i.w, scale.zw);
    }
}
