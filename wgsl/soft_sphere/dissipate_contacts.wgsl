import package::state::params::{Params};
import package::state::body::{BodyPush};
import package::contact_dynamics::dynamics::{DynamicsParams, FRAME_ROWS};
import package::math::dispatch::{linear_id};

// Energy that the contacts of a candidate took in this step, normal and sliding: minus the impulse times the mean of the
// relative velocities before and after the step. With theta = 0.5 that is what the bodies lost: gravity's share is its
// work along the way.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> contact_offset: array<u32>;
var<storage, read> contact_body: array<vec4<u32>>;
var<storage, read> contact_frame: array<vec4<f32>>;
var<storage, read> contact_impulse: array<vec4<f32>>;
var<storage, read> body_push: array<BodyPush>;
var<storage, read_write> pair_dissipated: array<vec4<f32>>;
var<storage, read_write> wall_dissipated: array<vec4<f32>>;

fn lost_by(c: u32) -> vec4<f32> {
    let body = contact_body[c];
    let row = FRAME_ROWS * c;
    let normal = contact_frame[row].xyz;
    let arm_j = contact_frame[row + 2u];
    let free = contact_frame[row + 3u].xyz - arm_j.w * normal;
    let push = body_push[body.x].velocity - body_push[body.y].velocity
        + cross(body_push[body.x].spin, contact_frame[row + 1u].xyz) - cross(body_push[body.y].spin, arm_j.xyz);
    let mean = 0.5 * (contact_frame[row + 4u].xyz + free + push);
    let p = contact_impulse[c].xyz;
    let along = dot(p, normal) * dot(mean, normal);
    return vec4<f32>(-along, along - dot(p, mean), 0.0, 0.0);
}

@compute @workgroup_size(64)
fn dissipate_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let candidate = linear_id(w, n, l, 64u);
    if (candidate >= dynamics.candidate_count || contact_offset[candidate] == contact_offset[candidate + 1u]) {
        return;
    }
    var lost = vec4<f32>(0.0);
    let first = contact_offset[candidate];
    for (var c = first; c < min(contact_offset[candidate + 1u], first + POINTS); c++) {
        lost += lost_by(c);
    }
    if (candidate < params.pair_capacity) {
        pair_dissipated[candidate] += lost;
    } else {
        wall_dissipated[candidate - params.pair_capacity] += lost;
    }
}
