import package::state::gravity::{TreeNode};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{LEAF};

// Inner nodes of the radix tree over sorted keys (Karras 2012, figure 4), one thread a node, no thread waits for
// another. A child with the highest bit set is a sorted body. The right child has the number after the left one's.
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_key: array<u32>; // low, high word
var<storage, read_write> tree_node: array<TreeNode>;

fn key(index: i32) -> vec2<u32> {
    return vec2<u32>(tree_key[2 * index], tree_key[2 * index + 1]);
}

// Common prefix of two keys, ties broken by index; -1 outside the list. It has one exit, as llvmpipe needs it.
fn prefix(i: i32, j: i32) -> i32 {
    let inside = j >= 0 && j < i32(lbvh_params.x);
    let x = key(i) ^ key(select(i, j, inside));
    let low = 32u + select(countLeadingZeros(x.x), 32u + countLeadingZeros(u32(i ^ j)), x.x == 0u);
    let bits = select(low, countLeadingZeros(x.y), x.y != 0u);
    return select(-1, i32(bits), inside);
}

// At most 31 + 31 + 31 loop turns.
@compute @workgroup_size(64)
fn lbvh_link(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, l, 64u);
    if id + 1u < lbvh_params.x {
        let i = i32(id);
        let d = select(-1, 1, prefix(i, i + 1) > prefix(i, i - 1));
        let least = prefix(i, i - d);
        var bound = 2;
        for (var k = 0u; k < 31u && prefix(i, i + bound * d) > least; k++) { bound *= 2; }
        var length = 0;
        for (var step = bound / 2; step > 0; step /= 2) {
            if prefix(i, i + (length + step) * d) > least { length += step; }
        }
        let end = i + length * d;
        let shared_bits = prefix(i, end);
        var split = 0;
        var step = length;
        while step > 1 {
            step = (step + 1) / 2;
            if prefix(i, i + (split + step) * d) > shared_bits { split += step; }
        }
        let middle = u32(i + split * d + min(d, 0));
        let first = u32(min(i, end));
        let last = u32(max(i, end));
        let left = middle | select(0u, LEAF, middle == first);
        let right = (middle + 1u) | select(0u, LEAF, middle + 1u == last);
        tree_node[id] = TreeNode(left, right, first, last);
    }
}
