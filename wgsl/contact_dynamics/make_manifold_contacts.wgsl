import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams, POINTS};
import package::contact_dynamics::frame::{put_frame};
import package::contact_dynamics::apart::{apart};
import package::contact_dynamics::owner::{owner};
import package::math::position::{window_difference, MOTION_UNIT, WINDOW_UNIT};
import package::math::dispatch::{linear_id};

// As make_contacts, for the points of polyhedra. Both arms end in the same point, half-way across the gap: angular
// momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<vec2<u32>>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<vec4<f32>>;
var<storage, read> pair_manifold: array<vec4<f32>>;
var<storage, read_write> contact_frame: array<vec4<f32>>;
var<storage, read_write> contact_body: array<vec4<u32>>;

@compute @workgroup_size(64)
fn make_manifold_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let i = pair_body[p].x;
    let j = pair_body[p].y;
    let one = body_view[i];
    let other = body_view[j];
    let law = rigid_law[one.material * params.material_count + other.material];
    let centre_j = vec3<f32>(window_difference(other.position, one.position)) * WINDOW_UNIT;
    let before = vec3<f32>(window_difference(one.velocity, other.velocity)) * MOTION_UNIT;
    let body_i = owner(i);
    let body_j = owner(j);
    let free = apart(body_i, body_j);
    let row = (POINTS + 2u) * p;
    let normal = pair_manifold[row].xyz;
    var names = bitcast<vec4<u32>>(pair_manifold[row + 1u + POINTS]);
    let first = contact_offset[p];
    for (var c = first; c < min(contact_offset[p + 1u], first + POINTS); c++) {
        let point = pair_manifold[row + 1u + c - first];
        let arm_i = point.xyz;
        let arm_j = point.xyz - centre_j;
        let spin = cross(one.spin, arm_i) - cross(other.spin, arm_j);
        put_frame(c, normal, law, arm_i, arm_j, point.w, before + spin, free + spin);
        contact_body[c] = vec4<u32>(body_i, body_j, p, names[c - first]);
    }
}
