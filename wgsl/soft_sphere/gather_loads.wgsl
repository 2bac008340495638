import package::state::params::{Params};
import package::state::control::{PHASE_PAUSED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyLoad};
import package::math::dispatch::{linear_id};
import package::soft_sphere::gather::{gather_load};

// What acts on a body in one step of a turning frame, in the order of its neighbours: acceleration and change of spin by other
// bodies, walls and fields. Says besides which row of `frame_row` and which slot of `frame_reaction` the step has.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> body_load: array<BodyLoad>;

@compute @workgroup_size(64)
fn gather_loads(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let phase = atomicLoad(&control.phase);
    let fault = atomicLoad(&control.fault_contact);
    let zero = atomicLoad(&control.zero);
    if ((b >= params.body_count) | (phase == PHASE_PAUSED) | (fault != 0u)) {
        return;
    }
    if (b == 0u) {
        let step = atomicLoad(&control.step);
        let leg = step / params.frame_interval;
        let later = select(0u, 1u, step != leg * params.frame_interval);
        atomicStore(&control.frame_row, 2u * (leg % 4u) + later);
        atomicStore(&control.reaction_slot, step % max(params.reaction_slots, 1u));
    }
    body_load[b] = gather_load(b, zero);
}
