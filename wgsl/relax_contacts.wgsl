import package::shared::dynamics::{DynamicsParams, FRAME_ROWS, project_impulse};
import package::shared::control::{CONTACT_COUNT};
import package::shared::dispatch::{linear_id};

// One projected Jacobi step of every contact, from the guess y: q = P(y - s u), and the next guess q + beta (q - p),
// but q alone where that momentum points uphill: short memory, and a restart contact by contact, so that nothing is
// reduced over all of them. pass_constants.x = 1: also the residual |D (P(y - u/D) - y)|^2 and |D y|^2.
@group(0) @binding(0) var<uniform> pass_constants: vec4<u32>;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> contact_body: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> contact_frame: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> contact_scale: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> contact_impulse: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> contact_guess: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> contact_residual: array<vec2<f32>>;

@compute @workgroup_size(64)
fn relax_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control[CONTACT_COUNT]) {
        return;
    }
    let body = contact_body[c];
    let first = contact_frame[FRAME_ROWS * c];
    let arm_i = contact_frame[FRAME_ROWS * c + 1u];
    let arm_j = contact_frame[FRAME_ROWS * c + 2u].xyz;
    let scale = contact_scale[c];
    let normal = first.xyz;
    let u = contact_frame[FRAME_ROWS * c + 3u].xyz
        + body_push[2u * body.x].xyz - body_push[2u * body.y].xyz
        + cross(body_push[2u * body.x + 1u].xyz, arm_i.xyz) - cross(body_push[2u * body.y + 1u].xyz, arm_j);
    let u_n = dot(u, normal) * normal;
    let u_t = u - u_n;
    let y = contact_guess[c].xyz;
    let p = contact_impulse[c].xyz;
    let q = project_impulse(y - scale.x * u_n - scale.y * u_t, normal, first.w, arm_i.w);
    let ahead = q - p;
    let back = y - q;
    let ahead_n = dot(ahead, normal);
    let back_n = dot(back, normal);
    let uphill = back_n * ahead_n / scale.x + (dot(back, ahead) - back_n * ahead_n) / scale.y;
    contact_impulse[c] = vec4<f32>(q, 0.0);
    contact_guess[c] = vec4<f32>(q + select(dynamics.momentum, 0.0, uphill > 0.0) * ahead, 0.0);
    if (pass_constants.x == 1u) {
        let off = project_impulse(y - u_n / scale.z - u_t / scale.w, normal, first.w, arm_i.w) - y;
        let off_n = dot(off, normal);
        let y_n = dot(y, normal);
        let normal_part = scale.z * scale.z * vec2<f32>(off_n * off_n, y_n * y_n);
        let rest = vec2<f32>(max(dot(off, off) - off_n * off_n, 0.0), max(dot(y, y) - y_n * y_n, 0.0));
        contact_residual[c] = normal_part + scale.w * scale.w * rest;
    }
}
