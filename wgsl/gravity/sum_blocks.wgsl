import package::state::gravity::{SourceMoments, Source, TreeScale};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{BLOCK, gather_nothing, gather_body, finish_gathering};

// Moments of every full block of 8 sorted bodies: the lowest level of the pyramid that gather_nodes reads.
var<uniform> block_params: vec4<u32>; // blocks
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read_write> tree_block: array<SourceMoments>;

@compute @workgroup_size(64)
fn sum_blocks(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if b < block_params.x {
        let unit = tree_scale[0].unit;
        var sum = gather_nothing(tree_source[BLOCK * b].position);
        for (var k = 0u; k < BLOCK; k++) {
            sum = gather_body(sum, tree_source[BLOCK * b + k], unit);
        }
        tree_block[b] = finish_gathering(sum, unit);
    }
}
