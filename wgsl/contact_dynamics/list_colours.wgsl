import package::state::contact::{ColourEntry, ContactBody, ContactScale};
import package::state::params::{Params};
import package::state::control::{Control};
import package::contact_dynamics::colours::{colour_of};
import package::math::dispatch::{linear_id};

// Contacts colour by colour. The order within a colour is chance, and means nothing: these contacts do not touch one
// another's bodies. colour_count: first free index of every colour.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_scale: array<ContactScale>;
var<storage, read_write> colour_count: array<atomic<u32>>;
var<storage, read_write> colour_list: array<ColourEntry>;

var<workgroup> bins: array<atomic<u32>, 64>;
var<workgroup> first_index: array<u32, 64>;

@compute @workgroup_size(64)
fn list_colours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    let live = c < control.contact_count;
    var body = ContactBody(0u, 0u, 0u, 0u);
    var rank = 0u;
    atomicStore(&bins[l], 0u);
    workgroupBarrier();
    if (live) {
        body = contact_body[c];
        rank = atomicAdd(&bins[colour_of(body.feature) - 1u], 1u);
    }
    workgroupBarrier();
    let own = atomicLoad(&bins[l]);
    if (own > 0u) {
        first_index[l] = atomicAdd(&colour_count[l], own);
    }
    workgroupBarrier();
    if (live) {
        let at = first_index[colour_of(body.feature) - 1u] + rank;
        colour_list[at] = ColourEntry(c, body.i, body.j, select(0u, 1u, body.j < params.body_count), contact_scale[c]);
    }
}
