import package::state::gravity::{GravityParams, Source, TreeTarget};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{GROUP};

// Targets walk the tree in groups of 32 sorted bodies, one after another. Every group learns its box and how strict the
// relative criterion is there: accuracy times the group's mean self-gravity at the last evaluation, over G; 0 before the
// first one or if the criterion is geometric.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_index: array<u32>;
var<storage, read> body_self_pull: array<f32>;
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
            pull += body_self_pull[tree_index[k]];
        }
        let mean = pull / f32(end - first);
        tree_target[id] = TreeTarget(low, gravity_params.accuracy * mean, high, 0u);
    }
}
