import package::state::gravity::{SourceMoments, TreeScale};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{BLOCK, gather_nothing, gather_moments, finish_gathering};

// The next level of the pyramid: every 8 blocks make one.
var<uniform> block_params: vec4<u32>; // blocks, first of the level below, first of this level
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read_write> tree_block: array<SourceMoments>;

@compute @workgroup_size(64)
fn merge_blocks(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if b < block_params.x {
        let unit = tree_scale[0].unit;
        let below = block_params.y + BLOCK * b;
        var sum = gather_nothing(tree_block[below].centre);
        for (var k = 0u; k < BLOCK; k++) {
            sum = gather_moments(sum, tree_block[below + k], unit);
        }
        tree_block[block_params.z + b] = finish_gathering(sum, unit);
    }
}
