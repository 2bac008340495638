import package::state::gravity::{Branch, SourceMoments, Source, TreeNode, TreeScale};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{BLOCK, gather_nothing, gather_body, gather_moments, finish_gathering};

// Moments of every inner node. A node covers a run of sorted bodies; the run is laid out with the largest aligned blocks
// that fit and single bodies at its ends, at most 14 of each size. No node waits for its children, so nothing depends on
// the order in which workgroups run.
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_node: array<TreeNode>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_block: array<SourceMoments>;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read_write> tree_branch: array<Branch>;

fn branch_of(node: TreeNode, m: SourceMoments, unit: f32) -> Branch {
    let far = max(m.high - m.centre, m.centre - m.low);
    let side = m.high - m.low;
    let reach = length(vec3<f32>(far) * unit);
    let size = f32(max(side.x, max(side.y, side.z))) * unit;
    let trace = m.diagonal.x + m.diagonal.y + m.diagonal.z;
    let diagonal = 3.0 * m.diagonal - trace;
    let count = node.last - node.first + 1u;
    return Branch(m.centre, m.mass, node.left, node.first, m.rest, count, diagonal, reach, 3.0 * m.cross, size);
}

@compute @workgroup_size(64)
fn gather_nodes(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, l, 64u);
    if id + 1u < lbvh_params.x {
        let unit = tree_scale[0].unit;
        let node = tree_node[id];
        var sum = gather_nothing(tree_source[node.first].position);
        var index = node.first;
        // 14 blocks of each of 11 sizes at most
        for (var k = 0u; k < 154u && index <= node.last; k++) {
            // Largest aligned block that starts here and fits; `level` is where blocks of its size begin in tree_block.
            var size = 1u;
            var level = 0u;
            var larger = BLOCK;
            for (var r = 0u; r < 11u && (index & (larger - 1u)) == 0u && index + larger - 1u <= node.last; r++) {
                level += select(0u, lbvh_params.x / size, size > 1u);
                size = larger;
                larger *= BLOCK;
            }
            if size == 1u {
                sum = gather_body(sum, tree_source[index], unit);
            } else {
                sum = gather_moments(sum, tree_block[level + index / size], unit);
            }
            index += size;
        }
        tree_branch[id] = branch_of(node, finish_gathering(sum, unit), unit);
    }
}
