import package::state::gravity::{Source};
import package::math::dispatch::{linear_id};
import package::math::hilbert::{hilbert63};

// Hilbert key and index of each body: the upper 21 of the 31 bits of every axis, counted from the box corner (0 or more).
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_position: array<Source>;
var<storage, read_write> tree_key: array<u32>; // low, high word
var<storage, read_write> tree_index: array<u32>;

@compute @workgroup_size(64)
fn lbvh_keys(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if b < lbvh_params.x {
        let cell = bitcast<vec3<u32>>(tree_position[b].position);
        let key = hilbert63(cell >> vec3<u32>(10u));
        tree_key[2u * b] = key.x;
        tree_key[2u * b + 1u] = key.y;
        tree_index[b] = b;
    }
}
