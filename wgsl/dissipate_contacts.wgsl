import package::shared::params::{Params};
import package::shared::dynamics::{FRAME_ROWS};
import package::shared::control::{CONTACT_COUNT};
import package::shared::dispatch::{linear_id};

// Energy that a contact took in this step, normal and sliding: minus its impulse times the mean of the relative velocities
// before and after the step. With theta = 0.5 that is what the bodies lost: gravity's share is its work along the way.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> control: array<u32>;
@group(0) @binding(2) var<storage, read> contact_body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> contact_frame: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> contact_impulse: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> pair_dissipated: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> wall_dissipated: array<vec4<f32>>;

@compute @workgroup_size(64)
fn dissipate_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control[CONTACT_COUNT]) {
        return;
    }
    let body = contact_body[c];
    let normal = contact_frame[FRAME_ROWS * c].xyz;
    let arm_i = contact_frame[FRAME_ROWS * c + 1u].xyz;
    let arm_j = contact_frame[FRAME_ROWS * c + 2u];
    let free = contact_frame[FRAME_ROWS * c + 3u].xyz - arm_j.w * normal;
    let push = body_push[2u * body.x].xyz - body_push[2u * body.y].xyz
        + cross(body_push[2u * body.x + 1u].xyz, arm_i) - cross(body_push[2u * body.y + 1u].xyz, arm_j.xyz);
    let mean = 0.5 * (contact_frame[FRAME_ROWS * c + 4u].xyz + free + push);
    let p = contact_impulse[c].xyz;
    let along = dot(p, normal) * dot(mean, normal);
    let lost = vec4<f32>(-along, along - dot(p, mean), 0.0, 0.0);
    if (body.z < params.pair_capacity) {
        pair_dissipated[body.z] += lost;
    } else {
        wall_dissipated[body.z - params.pair_capacity] += lost;
    }
}
