import package::state::params::{Params};
import package::neighbours::gates::{GATE_REBUILD, GATE_GRAVITY, SLOTS_MAX, write_gate};
import package::state::control::{REQUEST_REBUILD};
import package::state::control_atomic::{ControlAtomic};

// Decides on the GPU what is due, and writes the indirect arguments of all gated dispatches: nothing is read back.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> gravity_extent: array<u32>;

var<workgroup> open_gate: u32;

fn decide() -> u32 {
    let step = atomicLoad(&control.step);
    let running = step < atomicLoad(&control.step_target)
        && (atomicLoad(&control.fault_body) | atomicLoad(&control.fault_contact) | atomicLoad(&control.overflow)) == 0u;
    var gate = 0u;
    if (running && (atomicLoad(&control.request) & REQUEST_REBUILD) != 0u) {
        gate |= GATE_REBUILD;
    }
    if (running && step >= atomicLoad(&control.gravity_next)) {
        gate |= GATE_GRAVITY;
        atomicStore(&control.gravity_next, step + params.gravity_every);
        gravity_extent[0] = 0u;
    }
    return gate;
}

@compute @workgroup_size(64)
fn decide_work(@builtin(local_invocation_index) l: u32) {
    if (l == 0u) {
        open_gate = decide();
    }
    workgroupBarrier();
    for (var s = l; s < min(params.slot_count, SLOTS_MAX); s += 64u) {
        write_gate(s, open_gate, 0u);
    }
}
