import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::manifold::{Manifold, POINTS};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::contact_dynamics::apart::{apart};
import package::contact_dynamics::owner::{owner};
import package::math::position::{window_difference, MOTION_UNIT, WINDOW_UNIT};
import package::math::dispatch::{linear_id};

// As make_contacts, for the points of polyhedra. Both arms end in the same point, half-way across the gap: angular
// momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_state: array<u32>;
var<storage, read> body_view: array<vec4<u32>>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read> pair_manifold: array<Manifold>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_manifold_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let motion_i = body_view[4u * i + 1u];
    let motion_j = body_view[4u * j + 1u];
    let turn_i = body_view[4u * i + 2u];
    let turn_j = body_view[4u * j + 2u];
    let spin_i = bitcast<vec3<f32>>(turn_i.xyz);
    let spin_j = bitcast<vec3<f32>>(turn_j.xyz);
    let law = rigid_law[turn_i.w * params.material_count + turn_j.w];
    let centre_j = vec3<f32>(window_difference(body_view[4u * j].xyz, body_view[4u * i].xyz)) * WINDOW_UNIT;
    let before = vec3<f32>(window_difference(motion_i.xyz, motion_j.xyz)) * MOTION_UNIT;
    let body_i = owner(i);
    let body_j = owner(j);
    let free = vec3<f32>(apart(body_i, body_j, 0u), apart(body_i, body_j, 1u), apart(body_i, body_j, 2u));
    let normal = pair_manifold[p].normal;
    let first = contact_offset[p];
    for (var c = first; c < min(contact_offset[p + 1u], first + POINTS); c++) {
        let point = pair_manifold[p].points[c - first];
        let arm_j = point.arm - centre_j;
        let spin = cross(spin_i, point.arm) - cross(spin_j, arm_j);
        contact_frame[c] = frame_of(dynamics, law, Meeting(normal, point.gap, point.arm, arm_j, before + spin, free + spin));
        contact_body[c] = ContactBody(body_i, body_j, p, pair_manifold[p].names[c - first]);
    }
}
