import package::state::body::{Field};
import package::state::gravity::{Branch, Imbalance, Source, TreeScale};
import package::math::dispatch::{linear_id};
import package::math::reduce::{reduce_sums};

// Net force and torque of the tree's field over 1,024 bodies a workgroup, and the moments of the weights by which
// balance_gravity shares them out, without G. Exact attraction has no net force. Torque and moments are about the middle of
// these bodies' weights: about the centre of mass they would lose their digits where strong pulls are far from it.
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_field: array<Field>;
var<storage, read_write> tree_partial: array<Imbalance>;

const SHARE: u32 = 1024u; // bodies of a workgroup

// Turns of the loops over a workgroup's bodies, 16 at most. The loops say 64: compilers write out sixteen turns.
fn turns_of(run: u32) -> u32 {
    return (min((run + 1u) * SHARE, lbvh_params.x) - min(run * SHARE, lbvh_params.x) + 63u) / 64u;
}

// Arm of a body about the centre of mass, and its weight.
fn weighed(k: u32, centre: vec3<i32>, unit: f32) -> vec4<f32> {
    let arm = vec3<f32>(tree_source[k].position - centre) * unit;
    let pull = tree_field[k].acceleration;
    return vec4<f32>(arm, tree_source[k].mass * dot(pull, pull));
}

// Middle of the weights about the centre of mass, and their sum.
fn middle_of(run: u32, l: u32, centre: vec3<i32>, unit: f32) -> vec4<f32> {
    var sums = array<vec4<f32>, 5>();
    for (var s = 0u; s < min(turns_of(run), 64u); s++) {
        let k = (run * (SHARE / 64u) + s) * 64u + l;
        if k < lbvh_params.x {
            let body = weighed(k, centre, unit);
            sums[0] += body.w * vec4<f32>(body.xyz, 1.0);
        }
    }
    let total = reduce_sums(l, sums)[0];
    workgroupBarrier();
    return vec4<f32>(total.xyz / max(total.w, 1.0e-30), total.w);
}

@compute @workgroup_size(64)
fn sum_imbalance(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let run = linear_id(w, 0u, 1u);
    let centre = tree_branch[0].centre;
    let unit = tree_scale[0].unit;
    let middle = middle_of(run, l, centre, unit);
    var sums = array<vec4<f32>, 5>();
    for (var s = 0u; s < min(turns_of(run), 64u); s++) {
        let k = (run * (SHARE / 64u) + s) * 64u + l;
        if k < lbvh_params.x {
            let body = weighed(k, centre, unit);
            let arm = body.xyz - middle.xyz;
            let force = tree_source[k].mass * tree_field[k].acceleration;
            sums[0] += vec4<f32>(force, length(force));
            sums[1] += vec4<f32>(cross(arm, force), 0.0);
            sums[2] += body.w * vec4<f32>(arm * arm, 0.0);
            sums[3] += body.w * vec4<f32>(arm.xxy * arm.yzz, 0.0);
        }
    }
    let total = reduce_sums(l, sums);
    if l == 0u && run * SHARE < lbvh_params.x {
        tree_partial[run] = Imbalance(array<vec4<f32>, 5>(total[0], total[1], total[2], total[3], middle));
    }
}
