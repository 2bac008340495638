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

<<<<<<< HEAD
const GROUP: u32 = 32u;

fn bound(first: u32, last: u32) {
    var low = tree_source[first].position;
    var high = low;
    var pull = 0.0;
    for (var k = first; k < min(last + 1u, first + GROUP); k++) {
        low = min(low, tree_source[k].position);
        high = max(high, tree_source[k].position);
        // Over G first: the square of an acceleration in code units may be too small for f32.
        pull += length(body_gravity[tree_index[k]].acceleration / gravity_params.gravity_constant);
    }
    let mean = pull / f32(last - first + 1u);
    let strictness = gravity_params.accuracy * mean;
    for (var k = first; k < min(last + 1u, first + GROUP); k++) {
        tree_target[k] = TreeTarget(low, strictness, high, 0u);
    }
}

// The child's run of bodies, empty (first above last) if the child is itself too large for a group.
fn small_run(code: u32) -> vec2<u32> {
    let index = code & ~LEAF;
    let node = select(index, 0u, (code & LEAF) != 0u);
    let run = vec2<u32>(tree_node[node].first, tree_node[node].last);
    let child = select(vec2<u32>(1u, 0u), run, run.y - run.x < GROUP);
    return select(child, vec2<u32>(index), (code & LEAF) != 0u);
}

=======
>>>>>>> team/tree
@compute @workgroup_size(64)
fn bound_groups(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, n, l, 64u);
    let first = GROUP * id;
    let end = min(first + GROUP, gravity_params.body_count);
    if first < end {
        var low = tree_source[first].place;
        var high = low;
        var pull = 0.0;
        for (var k = first; k < min(end, first + GROUP); k++) {
            low = min(low, tree_source[k].place);
            high = max(high, tree_source[k].place);
            // Over G first: the square of an acceleration in code units may be too small for f32.
            pull += length(body_gravity[tree_index[k]].acceleration / gravity_params.gravity_constant);
        }
        let mean = pull / f32(end - first);
        tree_target[id] = TreeTarget(low, gravity_params.accuracy * mean, high, 0u);
    }
}
