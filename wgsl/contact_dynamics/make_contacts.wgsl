import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams, FEATURE};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::contact_dynamics::apart::{apart};
import package::math::position::{window_difference, separation, MOTION_UNIT};
import package::math::dispatch::{linear_id};

// Frame, arms, bias and free relative velocity of the contacts of spheres. The arms meet in the middle of the gap, so
// that together they are the distance: angular momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_state: array<u32>;
var<storage, read> body_view: array<vec4<u32>>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let c = contact_offset[p];
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let near_i = body_view[4u * i];
    let near_j = body_view[4u * j];
    let motion_i = body_view[4u * i + 1u];
    let motion_j = body_view[4u * j + 1u];
    let turn_i = body_view[4u * i + 2u];
    let turn_j = body_view[4u * j + 2u];
    let radius_i = bitcast<f32>(near_i.w);
    let radius_j = bitcast<f32>(near_j.w);
    let between = separation(window_difference(near_i.xyz, near_j.xyz), radius_i + radius_j);
    let law = rigid_law[turn_i.w * params.material_count + turn_j.w];
    let arm_i = -(radius_i + 0.5 * between.gap) * between.normal;
    let arm_j = (radius_j + 0.5 * between.gap) * between.normal;
    let spin = cross(bitcast<vec3<f32>>(turn_i.xyz), arm_i) - cross(bitcast<vec3<f32>>(turn_j.xyz), arm_j);
    let before = vec3<f32>(window_difference(motion_i.xyz, motion_j.xyz)) * MOTION_UNIT + spin;
    let free = vec3<f32>(apart(i, j, 0u), apart(i, j, 1u), apart(i, j, 2u)) + spin;
    contact_frame[c] = frame_of(dynamics, law, Meeting(between.normal, between.gap, arm_i, arm_j, before, free));
    contact_body[c] = ContactBody(i, j, p, FEATURE);
}
