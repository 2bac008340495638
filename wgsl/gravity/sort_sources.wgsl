import package::state::gravity::{Source};
import package::math::dispatch::{linear_id};

// Positions and masses in the order of the keys.
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_position: array<Source>;
var<storage, read> tree_index: array<u32>;
var<storage, read_write> tree_source: array<Source>;

@compute @workgroup_size(64)
fn sort_sources(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if k < lbvh_params.x {
        tree_source[k] = tree_position[tree_index[k]];
    }
}
