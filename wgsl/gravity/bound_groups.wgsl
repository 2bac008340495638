import package::state::gravity::{GravityParams, Source, TreeTarget};
import package::math::dispatch::{linear_id};
import package::gravity::multipole::{GROUP};

// Targets walk the tree in groups of 32 sorted bodies, one after another. The curve that sorts them jumps, and a box across
// a wide jump would hold much of the cloud, so every group learns two boxes: of the bodies before its widest jump, and of
// those after it. It learns too how strict the relative criterion is there: accuracy times the group's mean self-gravity
// at the last evaluation, over G; 0 before the first one or if the criterion is geometric. The mean is that by mass if it is
// less, but at least 1/32 of the other: grains about a boulder are pulled far more than it is, and what is wrong with its
// force goes to all bodies when the net force is taken out.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_index: array<u32>;
var<storage, read> body_self_pull: array<f32>;
var<storage, read_write> tree_target: array<TreeTarget>;

const LEAST_SHARE: f32 = 0.03125; // of the mean by number

// The larger of two coordinates less the smaller: 32 bits without a sign.
fn apart(a: vec3<i32>, b: vec3<i32>) -> u32 {
    let d = bitcast<vec3<u32>>(max(a, b)) - bitcast<vec3<u32>>(min(a, b));
    return max(d.x, max(d.y, d.z));
}

// The body after the widest jump; the first one of a group that has a body alone.
fn after_jump(first: u32, end: u32) -> u32 {
    var widest = 0u;
    var after = first;
    var before = tree_source[first].position;
    for (var k = first; k < min(end, first + GROUP); k++) {
        let position = tree_source[k].position;
        let jump = apart(before, position);
        if jump > widest {
            widest = jump;
            after = k;
        }
        before = position;
    }
    return after;
}

@compute @workgroup_size(64)
fn bound_groups(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, l, 64u);
    let first = GROUP * id;
    let end = min(first + GROUP, gravity_params.body_count);
    if first < end {
        let after = after_jump(first, end);
        var low = tree_source[first].position;
        var high = low;
        var next_low = tree_source[after].position;
        var next_high = next_low;
        var pull = 0.0;
        var by_mass = vec2<f32>(0.0); // sum of mass times pull, and of mass
        for (var k = first; k < min(end, first + GROUP); k++) {
            let position = tree_source[k].position;
            let next = vec3<bool>(k >= after);
            low = select(min(low, position), low, next);
            high = select(max(high, position), high, next);
            next_low = select(next_low, min(next_low, position), next);
            next_high = select(next_high, max(next_high, position), next);
            let own = body_self_pull[tree_index[k]];
            pull += own;
            by_mass += tree_source[k].mass * vec2<f32>(own, 1.0);
        }
        let mean = pull / f32(min(end, first + GROUP) - first);
        let strictness = gravity_params.accuracy * clamp(by_mass.x / by_mass.y, LEAST_SHARE * mean, mean);
        tree_target[id] = TreeTarget(low, strictness, high, 0u, next_low, 0u, next_high, 0u);
    }
}
