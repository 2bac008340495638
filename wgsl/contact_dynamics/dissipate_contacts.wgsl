import package::state::contact::{ContactBody, ContactFrame, ContactImpulse};
import package::state::manifold::{POINTS};
import package::state::pair::{Dissipation};
import package::state::params::{Params};
import package::contact_dynamics::meeting::{velocity_of};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::math::dispatch::{linear_id};

// Energy that the contacts of a candidate took in this step, normal and sliding: minus the impulse times the mean of the
// relative velocities before and after the step. With theta = 0.5 that is what the bodies lost: gravity's share is its
// work along the way.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> contact_offset: array<u32>;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> contact_impulse: array<ContactImpulse>;
var<storage, read_write> pair_dissipated: array<Dissipation>;
var<storage, read_write> wall_dissipated: array<Dissipation>;

fn lost_by(c: u32) -> vec4<f32> {
    let body = contact_body[c];
    let normal = contact_frame[c].normal;
    let after = velocity_of(c, body.i, body.j) - contact_frame[c].sides[1].extra * normal;
    let mean = 0.5 * (contact_frame[c].before + after);
    let p = contact_impulse[c].impulse;
    let along = dot(p, normal) * dot(mean, normal);
    return vec4<f32>(-along, along - dot(p, mean), 0.0, 0.0);
}

@compute @workgroup_size(64)
fn dissipate_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let candidate = linear_id(w, l, 64u);
    if (candidate >= dynamics.candidate_count || contact_offset[candidate] == contact_offset[candidate + 1u]) {
        return;
    }
    var lost = vec4<f32>(0.0);
    let first = contact_offset[candidate];
    for (var c = first; c < min(contact_offset[candidate + 1u], first + POINTS); c++) {
        lost += lost_by(c);
    }
    if (candidate < params.pair_capacity) {
        pair_dissipated[candidate].energy += lost;
    } else {
        wall_dissipated[candidate - params.pair_capacity].energy += lost;
    }
}
