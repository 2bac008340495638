import package::contact_dynamics::dynamics::{DynamicsParams};
import package::state::control::{OVERFLOW, SOLVER, CONTACT_COUNT, CONTACT_WANTED};

// Compares the contacts found with what the buffers hold. Too many: the host grows the buffers and detection runs again.
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: array<u32>;
var<storage, read> contact_offset: array<u32>;

@compute @workgroup_size(1)
fn check_contacts() {
    let wanted = contact_offset[dynamics.candidate_count];
    control[CONTACT_WANTED] = wanted;
    if (control[OVERFLOW] != 0u) {
        return;
    }
    if (wanted > dynamics.contact_capacity) {
        control[OVERFLOW] = 2u;
    } else {
        control[CONTACT_COUNT] = wanted;
        control[SOLVER] = 1u;
    }
}
