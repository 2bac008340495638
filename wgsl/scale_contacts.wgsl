import package::shared::control::{CONTACT_COUNT};
import package::shared::dynamics::{FRAME_ROWS, symmetric_times, tangents};
import package::shared::dispatch::{linear_id};

// Step lengths of a contact, normal and tangential, in the metric that splits the bodies' masses; and the diagonal of
// the Delassus operator, in which the residual is measured. pass_constants.x = 1: no splitting, for Gauss-Seidel.
@group(0) @binding(0) var<uniform> pass_constants: vec4<u32>;
@group(0) @binding(1) var<storage, read> control: array<u32>;
@group(0) @binding(2) var<storage, read> contact_body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> contact_frame: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> body_inertia: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> body_split: array<f32>;
@group(0) @binding(6) var<storage, read_write> contact_scale: array<vec4<f32>>;

// Inverse inertia that a body opposes to a contact: normal, mean of the tangential.
fn opposes(body: u32, arm: vec3<f32>, normal: vec3<f32>) -> vec2<f32> {
    let inertia = body_inertia[2u * body];
    let rest = body_inertia[2u * body + 1u];
    let across = tangents(normal);
    let turn_n = symmetric_times(inertia, rest, cross(arm, normal));
    let turn_t = symmetric_times(inertia, rest, cross(arm, across[0]));
    let turn_s = symmetric_times(inertia, rest, cross(arm, across[1]));
    return vec2<f32>(dot(turn_n, turn_n), 0.5 * (dot(turn_t, turn_t) + dot(turn_s, turn_s))) + inertia.x;
}

@compute @workgroup_size(64)
fn scale_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control[CONTACT_COUNT]) {
        return;
    }
    let body = contact_body[c];
    let normal = contact_frame[FRAME_ROWS * c].xyz;
    let one = opposes(body.x, contact_frame[FRAME_ROWS * c + 1u].xyz, normal);
    let other = opposes(body.y, contact_frame[FRAME_ROWS * c + 2u].xyz, normal);
    let whole = pass_constants.x == 1u;
    let split = select(vec2<f32>(body_split[body.x], body_split[body.y]), vec2<f32>(1.0), whole);
    contact_scale[c] = vec4<f32>(1.0 / (split.x * one + split.y * other), one + other);
}
