import package::state::contact::{BodyColours, ContactBody};
import package::state::params::{Params};
import package::state::body::{BodyLeader};
import package::contact_dynamics::colours::{colour_of, colour_bit};
import package::neighbours::incidence::{CONTACTS_MAX};
import package::math::dispatch::{linear_id};

// Before colours are given: those that a body's contacts have from the step before. Part of a proper colouring is proper.
var<uniform> params: Params;
var<storage, read> body_contact_offset: array<u32>;
var<storage, read> body_contact: array<u32>;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read_write> body_colours: array<BodyColours>;
var<storage, read_write> body_leader: array<BodyLeader>;
var<storage, read_write> colour_count: array<u32>;

@compute @workgroup_size(64)
fn claim_colours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b < 64u) {
        colour_count[b] = 0u;
    }
    if (b >= params.body_count) {
        return;
    }
    var used = vec2<u32>(0u);
    let first = body_contact_offset[b];
    for (var e = 0u; e < min(body_contact_offset[b + 1u] - first, CONTACTS_MAX); e++) {
        used |= colour_bit(colour_of(contact_body[body_contact[first + e] >> 1u].feature));
    }
    body_colours[b].used = used;
    body_leader[b] = BodyLeader(array<u32, 2>(0u, 0u));
}
