import package::state::body::{Field};
import package::state::gravity::{Balance, Branch, GravityParams, Source, TreeScale};
import package::math::dispatch::{linear_id};
import package::gravity::gravity::{vector_of, field_of};

// Takes net force and torque out of the tree's field, so that bodies under their own gravity alone keep momentum and
// angular momentum, and brings the field back to the order of the bodies.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_index: array<u32>;
var<storage, read> tree_field: array<Field>;
var<storage, read> tree_balance: Balance;
var<storage, read_write> body_gravity: array<Field>;

@compute @workgroup_size(64)
fn balance_gravity(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if k < gravity_params.body_count {
        let arm = vec3<f32>(tree_source[k].position - tree_branch[0].centre) * tree_scale[0].unit - tree_balance.middle;
        let field = vector_of(tree_field[k]);
        let excess = dot(field.xyz, field.xyz) * (tree_balance.shift + cross(tree_balance.turn, arm));
        body_gravity[tree_index[k]] = field_of((field - vec4<f32>(excess, 0.0)) * gravity_params.gravity_constant);
    }
}
