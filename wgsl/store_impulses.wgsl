import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::position::{MOTION_UNIT};
import package::shared::wall::{wall_motion};
import package::shared::dispatch::{linear_id};

// Impulses go back to their pairs and walls, to warm the next step; with a wall's, the work that it did.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> contact_offset: array<u32>;
@group(0) @binding(3) var<storage, read> contact_impulse: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> wall_plane: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> pair_history: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> wall_history: array<vec4<f32>>;

@compute @workgroup_size(64)
fn store_impulses(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let candidate = linear_id(w, n, l, 64u);
    if (candidate >= dynamics.candidate_count) {
        return;
    }
    let c = contact_offset[candidate];
    var p = vec4<f32>(0.0);
    if (c < contact_offset[candidate + 1u]) {
        p = contact_impulse[c];
    }
    if (candidate < params.pair_capacity) {
        pair_history[candidate] = p;
    } else {
        let k = candidate - params.pair_capacity;
        let plane = 5u * (k % params.wall_count);
        wall_history[2u * k] = p;
        wall_history[2u * k + 1u].w += dot(p.xyz, vec3<f32>(bitcast<vec3<i32>>(wall_motion(plane))) * MOTION_UNIT);
    }
}
