import package::state::body::{Field};
import package::state::gravity::{GravityParams, Source, TreeTarget};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{GROUP};

// Targets walk the tree in groups of 32 sorted bodies, one after another. Every group learns its box and how strict the
// relative criterion is there: accuracy times the group's mean acceleration at the last evaluation, over G; 0 before the
// first one or if the criterion is geometric.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_index: array<u32>;
var<storage, read> body_gravity: array<Field>;
var<storage, read_write> tree_target: array<TreeTarget>;

@compute @workgroup_size(64)
fn bound_groups(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, l, 64u);
    let first = GROUP * id;
    let end = min(first + GROUP, gravity_params.body_count);
    if first < end {
        var low = tree_source[first].position;
        var high = low;
        var pull = 0.0;
        for (var k = first; k < min(end, first + GROUP); k++) {
            low = min(low, tree_source[k].position);
            high = max(high, tree_source[k].position);
            // Over G first: the square of an acceleration in code units may be too small for f32.
            pull += length(body_gravity[tree_index[k]].acceleration / gravity_params.gravity_constant);
        }
        let mean = pull / f32(end - first);
        tree_target[id] = TreeTarget(low, gravity_params.accuracy * mean, high, 0u);
    }
}
