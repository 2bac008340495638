import package::state::contact::{ContactFrame, ContactImpulse};
import package::state::params::{Params};
import package::state::body::{BodyInertia, BodyPush};
import package::contact_dynamics::dynamics::{root_times};
import package::neighbours::incidence::{CONTACTS_MAX};
import package::math::dispatch::{linear_id};

// Velocity and spin that the impulses give every body: summed afresh from its list, so that f32 rounding does not add
// up over iterations, in the list's order, so that every run sums alike. Walls have no list and stay: push_plates moves
// those that it can.
var<uniform> params: Params;
var<storage, read> body_contact_offset: array<u32>;
var<storage, read> body_contact: array<u32>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> impulse: array<ContactImpulse>;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read_write> body_push: array<BodyPush>;

@compute @workgroup_size(64)
fn push_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count + params.wall_count) {
        return;
    }
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let first = body_contact_offset[b];
    let last = body_contact_offset[b + 1u];
    // Walls have no list, and lanes beyond all bodies read whatever is there: a count below zero would be very large.
    for (var e = 0u; e < min(max(last, first) - first, CONTACTS_MAX); e++) {
        let side = body_contact[first + e];
        let contact = side >> 1u;
        let p = select(1.0, -1.0, (side & 1u) == 1u) * impulse[contact].impulse;
        force += p;
        torque += cross(contact_frame[contact].sides[side & 1u].arm, p);
    }
    let inertia = body_inertia[b];
    let turning = root_times(inertia, root_times(inertia, torque));
    body_push[b] = BodyPush(inertia.inverse_mass * force, 0.0, turning);
}
