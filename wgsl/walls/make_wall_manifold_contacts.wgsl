import package::state::contact::{ContactBody, ContactFrame, RigidLaw};
import package::state::manifold::{Manifold, POINTS};
import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::frame::{Meeting, frame_of};
import package::contact_dynamics::owner::{owner};
import package::walls::wall_start::{wall_before, wall_free, wall_at_arm};
import package::state::wall::{WallState};
import package::math::position::{material_of};
import package::math::dispatch::{linear_id};

// As make_manifold_contacts, for planes.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> wall_manifold: array<Manifold>;
var<storage, read> body_view: array<BodyView>;
var<storage, read> wall_plane: array<WallState>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<RigidLaw>;
var<storage, read_write> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_body: array<ContactBody>;

@compute @workgroup_size(64)
fn make_wall_manifold_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k >= params.part_count * params.wall_count) {
        return;
    }
    let at = params.pair_capacity + k;
    let first = contact_offset[at];
    if (first == contact_offset[at + 1u]) {
        return;
    }
    let part = k % params.part_count;
    let body = owner(part);
    let plane = k / params.part_count;
    let spin = body_view[part].spin;
    let law = rigid_law[material_of(body_view[part].material_and_tail) * params.material_count + wall_plane[plane].material];
    let before = wall_before(dynamics, body, plane, body_view[part].velocity);
    let free = wall_free(dynamics, body, plane);
    let normal = wall_manifold[k].normal;
    for (var c = first; c < min(contact_offset[at + 1u], first + POINTS); c++) {
        let point = wall_manifold[k].points[c - first];
        let at_arm = wall_at_arm(dynamics, spin, point.arm);
        let meeting = Meeting(normal, point.gap, point.arm, vec3<f32>(0.0), before + at_arm, free + at_arm);
        contact_frame[c] = frame_of(dynamics, law, meeting);
        contact_body[c] = ContactBody(body, params.body_count + plane, at, wall_manifold[k].names[c - first]);
    }
}
