import package::state::params::{Params};
import package::state::body::{BodyPush};
import package::contact_dynamics::dynamics::{DynamicsParams, POINTS};
import package::math::position::{MOTION_UNIT};
import package::walls::wall::{WALL_ROWS, wall_motion};
import package::walls::wall_velocity::{wall_velocity};
import package::math::dispatch::{linear_id};

// Impulses go back to their pairs and walls, with their features, to warm the next step; with a wall's, the work that
// it did, by the mean of its velocities before and after the step. A row without a contact holds no feature.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> contact_offset: array<u32>;
var<storage, read> contact_body: array<vec4<u32>>;
var<storage, read> contact_impulse: array<vec4<f32>>;
var<storage, read> wall_plane: array<vec4<u32>>;
var<storage, read> body_push: array<BodyPush>;
var<storage, read_write> pair_history: array<vec4<f32>>;
var<storage, read_write> wall_history: array<vec4<f32>>;

@compute @workgroup_size(64)
fn store_impulses(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let candidate = linear_id(w, n, l, 64u);
    if (candidate >= dynamics.candidate_count) {
        return;
    }
    let first = contact_offset[candidate];
    let last = contact_offset[candidate + 1u];
    let wall = candidate >= params.pair_capacity;
    let k = select(candidate, candidate - params.pair_capacity, wall);
    var sum = vec3<f32>(0.0);
    for (var point = 0u; point < POINTS; point++) {
        var row = vec4<f32>(0.0);
        if (first + point < last) {
            row = vec4<f32>(contact_impulse[first + point].xyz, bitcast<f32>(contact_body[first + point].w));
            sum += row.xyz;
        }
        if (wall) {
            wall_history[(POINTS + 1u) * k + point] = row;
        } else {
            pair_history[(POINTS + 1u) * k + point] = row;
        }
    }
    if (wall) {
        let plane = k / params.part_count;
        let before = vec3<f32>(bitcast<vec3<i32>>(wall_motion(WALL_ROWS * plane))) * MOTION_UNIT;
        let after = wall_velocity(WALL_ROWS * plane) + body_push[params.body_count + plane].velocity;
        wall_history[(POINTS + 1u) * k + POINTS].w += dot(sum, 0.5 * (before + after));
    }
}
