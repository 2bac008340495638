import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::manifold::{Manifold, POINTS};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::contact_dynamics::apart::{apart};
import package::contact_dynamics::owner::{owner};
import package::math::position::{window_difference, MOTION_UNIT, WINDOW_UNIT, material_of};
import package::math::dispatch::{linear_id};

// As make_contacts, for the points of polyhedra. Both arms end in the same point, half-way across the gap: angular
// momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read> pair_manifold: array<Manifold>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_manifold_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let one = body_view[i];
    let other = body_view[j];
    let law = rigid_law[material_of(one.material_and_tail) * params.material_count + material_of(other.material_and_tail)];
    let centre_j = vec3<f32>(window_difference(other.position, one.position)) * WINDOW_UNIT;
    let before = vec3<f32>(window_difference(one.velocity, other.velocity)) * MOTION_UNIT;
    let body_i = owner(i);
    let body_j = owner(j);
    let free = apart(body_i, body_j);
    let normal = pair_manifold[p].normal;
    let first = contact_offset[p];
    for (var c = first; c < min(contact_offset[p + 1u], first + POINTS); c++) {
        let point = pair_manifold[p].points[c - first];
        let arm_j = point.arm - centre_j;
        let spin = cross(one.spin, point.arm) - cross(other.spin, arm_j);
        contact_frame[c] = frame_of(dynamics, law, Meeting(normal, point.gap, point.arm, arm_j, before + spin, free + spin));
        contact_body[c] = ContactBody(body_i, body_j, p, pair_manifold[p].names[c - first]);
    }
}
