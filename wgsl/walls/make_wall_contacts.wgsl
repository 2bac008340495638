import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams, FEATURE};
import package::state::control::{Control};
import package::state::body::{BodyView};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::walls::wall_start::{wall_before, wall_free, wall_at_arm};
import package::state::wall::{WallState};
import package::walls::wall_touch::{wall_touch};
import package::math::position::{material_of};
import package::math::dispatch::{linear_id};

// As make_contacts, for walls: wall k is the body body_count + k, and its candidates lie one behind the other.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> body_view: array<BodyView>;
var<storage, read> wall_plane: array<WallState>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_wall_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k >= params.body_count * params.wall_count) {
        return;
    }
    let at = params.pair_capacity + k;
    let c = contact_offset[at];
    if (c == contact_offset[at + 1u]) {
        return;
    }
    let body = k % params.body_count;
    let plane = k / params.body_count;
    let radius = body_view[body].radius;
    let touch = wall_touch(body, radius, plane, control.step);
    let gap = touch.gap;
    let normal = touch.normal;
    let law = rigid_law[material_of(body_view[body].material_and_tail) * params.material_count + wall_plane[plane].material];
    let arm = -(radius + gap) * normal;
    let at_arm = wall_at_arm(dynamics, body_view[body].spin, arm);
    let before = wall_before(dynamics, body, plane, body_view[body].velocity) + at_arm;
    let free = wall_free(dynamics, body, plane) + at_arm;
    contact_frame[c] = frame_of(dynamics, law, Meeting(normal, gap, arm, vec3<f32>(0.0), before, free));
    contact_body[c] = ContactBody(body, params.body_count + plane, at, FEATURE);
}
