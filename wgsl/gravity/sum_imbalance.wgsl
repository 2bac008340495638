import package::state::body::{Field};
import package::state::gravity::{Branch, Imbalance, Source, TreeScale};
import package::math::dispatch::{linear_id};
import package::math::reduce::{reduce_sums};

// Net force and torque of the tree's field over 1,024 bodies a workgroup, and the moments of the weights by which
// balance_gravity shares them out; all about the centre of mass and without G. Exact attraction has no net force.
var<uniform> lbvh_params: vec4<u32>; // bodies
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_field: array<Field>;
var<storage, read_write> tree_partial: array<Imbalance>;

const SHARE: u32 = 1024u; // bodies of a workgroup

@compute @workgroup_size(64)
fn sum_imbalance(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let run = linear_id(w, 0u, 1u);
    let unit = tree_scale[0].unit;
    let centre = tree_branch[0].centre;
    var sums = array<vec4<f32>, 5>();
    for (var s = 0u; s < SHARE / 64u; s++) {
        let k = (run * (SHARE / 64u) + s) * 64u + l;
        if k < lbvh_params.x {
            let source = tree_source[k];
            let arm = vec3<f32>(source.position - centre) * unit;
            let pull = tree_field[k].acceleration;
            let force = source.mass * pull;
            let weight = source.mass * dot(pull, pull);
            sums[0] += vec4<f32>(force, length(force));
            sums[1] += vec4<f32>(cross(arm, force), 0.0);
            sums[2] += weight * vec4<f32>(arm, 1.0);
            sums[3] += weight * vec4<f32>(arm * arm, 0.0);
            sums[4] += weight * vec4<f32>(arm.xxy * arm.yzz, 0.0);
        }
    }
    let total = reduce_sums(l, sums);
    if l == 0u && run * SHARE < lbvh_params.x {
        tree_partial[run] = Imbalance(total);
    }
}
