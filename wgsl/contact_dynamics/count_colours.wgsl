import package::state::control::{Control};
import package::state::contact::{ContactBody};
import package::contact_dynamics::colours::{colour_of};
import package::math::dispatch::{linear_id};

// Contacts of every colour.
var<storage, read> control: Control;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read_write> colour_count: array<atomic<u32>>;

var<workgroup> bins: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn count_colours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    atomicStore(&bins[l], 0u);
    workgroupBarrier();
    if (c < control.contact_count) {
        let colour = colour_of(contact_body[c].feature);
        if (colour > 0u) {
            atomicAdd(&bins[colour - 1u], 1u);
        }
    }
    workgroupBarrier();
    let own = atomicLoad(&bins[l]);
    if (own > 0u) {
        atomicAdd(&colour_count[l], own);
    }
}
