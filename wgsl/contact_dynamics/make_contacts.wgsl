import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams, FEATURE};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::contact_dynamics::apart::{apart};
import package::math::position::{window_difference, separation, MOTION_UNIT, material_of};
import package::math::dispatch::{linear_id};

// Frame, arms, bias and free relative velocity of the contacts of spheres. The arms meet in the middle of the gap, so
// that together they are the distance: angular momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let c = contact_offset[p];
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let one = body_view[i];
    let other = body_view[j];
    let between = separation(window_difference(one.position, other.position), vec3<f32>(0.0), one.radius + other.radius);
    let law = rigid_law[material_of(one.material_and_tail) * params.material_count + material_of(other.material_and_tail)];
    let arm_i = -(one.radius + 0.5 * between.gap) * between.normal;
    let arm_j = (other.radius + 0.5 * between.gap) * between.normal;
    let spin = cross(one.spin, arm_i) - cross(other.spin, arm_j);
    let before = vec3<f32>(window_difference(one.velocity, other.velocity)) * MOTION_UNIT + spin;
    let free = apart(i, j) + spin;
    contact_frame[c] = frame_of(dynamics, law, Meeting(between.normal, between.gap, arm_i, arm_j, before, free));
    contact_body[c] = ContactBody(i, j, p, FEATURE);
}
