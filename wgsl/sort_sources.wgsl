import package::shared::dispatch::{linear_id};
import package::shared::gravity::{Source};

// Places and masses in the order of the Morton keys.
@group(0) @binding(0) var<uniform> lbvh_params: vec4<u32>; // bodies
@group(0) @binding(1) var<storage, read> tree_position: array<Source>;
@group(0) @binding(2) var<storage, read> tree_index: array<u32>;
@group(0) @binding(3) var<storage, read_write> tree_source: array<Source>;

@compute @workgroup_size(64)
fn sort_sources(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, l, 64u);
    if k < lbvh_params.x {
        tree_source[k] = tree_position[tree_index[k]];
    }
}
