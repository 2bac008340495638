import package::contact_dynamics::dynamics::{DynamicsParams};
import package::state::control::{Control, OVERFLOW_CONTACTS, SOLVER_FOUND};

// Compares the contacts found with what the buffers hold. Too many: the host grows the buffers and detection runs again.
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: Control;
var<storage, read> contact_offset: array<u32>;

@compute @workgroup_size(1)
fn check_contacts() {
    let wanted = contact_offset[dynamics.candidate_count];
    control.contact_wanted = wanted;
    if (control.overflow != 0u) {
        return;
    }
    if (wanted > dynamics.contact_capacity) {
        control.overflow = OVERFLOW_CONTACTS;
    } else {
        control.contact_count = wanted;
        control.solver = SOLVER_FOUND;
    }
}
