import package::shared::control::{CONTACT_COUNT};
import package::shared::params::{Params};
import package::shared::dispatch::{linear_id};

// Every contact starts from the impulse that it had in the step before.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> control: array<u32>;
@group(0) @binding(2) var<storage, read> contact_body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> pair_history: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> wall_history: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> contact_impulse: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> contact_guess: array<vec4<f32>>;

@compute @workgroup_size(64)
fn warm_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control[CONTACT_COUNT]) {
        return;
    }
    let candidate = contact_body[c].z;
    var before = vec4<f32>(0.0);
    if (candidate < params.pair_capacity) {
        before = pair_history[candidate];
    } else {
        before = wall_history[2u * (candidate - params.pair_capacity)];
    }
    contact_impulse[c] = vec4<f32>(before.xyz, 0.0);
    contact_guess[c] = vec4<f32>(before.xyz, 0.0);
}
