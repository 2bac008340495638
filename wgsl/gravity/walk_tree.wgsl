import package::state::body::{Field};
import package::state::gravity::{Branch, GravityParams, Source, TreeScale, TreeTarget};
import package::math::dispatch::{linear_id};
import package::gravity::gravity::{attraction, vector_of, field_of};
import package::gravity::multipole::{LEAF, END, SUMMED, unpack_rest};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::state::control::{FAULT_TREE};
import package::state::control_atomic::{ControlAtomic};

// Acceleration and potential of every sorted body, without G, by a walk along the ropes. A node acts as a whole, with its
// quadrupole, if it lies outside its reach of the group's box and is far enough:
//   relative:  M reach^3 / r^5 < strictness       (the next multipole against the last acceleration)
//   geometric: size / r < opening angle           (where strictness is 0)
// Nodes of at most 8 bodies that must be opened are summed body by body. What one invocation does not end the next round
// goes on with, if there is one (walk_round.x: 1 in the last).
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_rope: array<u32>;
var<storage, read_write> tree_target: array<TreeTarget>;
var<storage, read_write> tree_field: array<Field>;
var<storage, read> tree_index: array<u32>;
var<storage, read_write> control: ControlAtomic;
var<uniform> walk_round: vec4<u32>;

// Field of a mass with a quadrupole at the distance d from the target to it. Powers of the distance are taken one by
// one: its fifth does not fit into f32.
fn multipole(d: vec3<f32>, mass: f32, diagonal: vec3<f32>, cross: vec3<f32>) -> vec4<f32> {
    let inverse = inverseSqrt(dot(d, d));
    let u = d * inverse;
    let q = vec3<f32>(
        diagonal.x * u.x + cross.x * u.y + cross.y * u.z,
        cross.x * u.x + diagonal.y * u.y + cross.z * u.z,
        cross.y * u.x + cross.z * u.y + diagonal.z * u.z,
    );
    let quu = dot(q, u);
    let square = inverse * inverse;
    let pull = square * (mass * u + square * (2.5 * quu * u - q));
    return vec4<f32>(pull, -inverse * (mass + 0.5 * square * quu));
}

@compute @workgroup_size(64)
fn walk_tree(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, l, 64u);
    let inside = k < gravity_params.body_count;
    let at = select(0u, k, inside);
    let unit = tree_scale[0].unit;
    let here = tree_source[at];
    let group = tree_target[at];
    let opening = gravity_params.opening_angle * gravity_params.opening_angle;
    var field = select(vec4<f32>(0.0), vector_of(tree_field[at]), group.next != 0u);
    var code = select(END, group.next, inside);
    while code != END && turns < TURNS_MAX {
        // as if each of those in step summed bodies by themselves
        turns += 2u + SUMMED;
        var first = code & ~LEAF;
        var count = 1u;
        if (code & LEAF) != 0u {
            code = tree_rope[first];
        } else {
            let centre = tree_branch[first].centre;
            let mass = tree_branch[first].mass;
            let reach = tree_branch[first].reach;
            let size = tree_branch[first].size;
            let gap = vec3<f32>(max(max(group.low - centre, centre - group.high), vec3<i32>(0))) * unit;
            let r2 = dot(gap, gap);
            let relative = mass * reach * reach * reach < group.strictness * r2 * r2 * sqrt(r2);
            let geometric = size * size < opening * r2;
            count = 0u;
            if r2 > reach * reach && select(relative, geometric, group.strictness == 0.0) {
                field += multipole((vec3<f32>(centre - here.position) + (unpack_rest(tree_branch[first].rest) - here.rest)) * unit, mass, tree_branch[first].diagonal, tree_branch[first].cross);
                code = tree_branch[first].next;
            } else if tree_branch[first].count <= SUMMED {
                count = tree_branch[first].count;
                code = tree_branch[first].next;
                first = tree_branch[first].down;
            } else {
                code = tree_branch[first].down;
            }
        }
        for (var b = 0u; b < min(count, SUMMED); b++) {
            field += attraction(here, tree_source[first + b], unit);
        }
    }
    if inside {
        tree_field[k] = field_of(field);
        tree_target[k].next = code;
        if cut_short(atomicLoad(&control.zero), turns) || (code != END && walk_round.x == 1u) {
            atomicOr(&control.fault_body, FAULT_TREE);
            atomicMin(&control.fault_index, tree_index[k]);
        }
    }
}
