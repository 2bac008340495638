import package::state::params::{Params};
import package::neighbours::gates::{GATE_REBUILD, GATE_GRAVITY, SLOTS_MAX, write_gate};
import package::state::control::{STEP, STEP_TARGET, REQUEST, GRAVITY_NEXT, OVERFLOW, FAULT_BODY, FAULT_CONTACT, REQUEST_REBUILD};

// Decides on the GPU what is due, and writes the indirect arguments of all gated dispatches: nothing is read back.
var<uniform> params: Params;
var<storage, read_write> control: array<atomic<u32>>;
var<storage, read_write> gravity_extent: array<u32>;

@compute @workgroup_size(1)
fn decide_work() {
    let step = atomicLoad(&control[STEP]);
    let running = step < atomicLoad(&control[STEP_TARGET])
        && (atomicLoad(&control[FAULT_BODY]) | atomicLoad(&control[FAULT_CONTACT]) | atomicLoad(&control[OVERFLOW])) == 0u;
    var gate = 0u;
    if (running && (atomicLoad(&control[REQUEST]) & REQUEST_REBUILD) != 0u) {
        gate |= GATE_REBUILD;
    }
    if (running && step >= atomicLoad(&control[GRAVITY_NEXT])) {
        gate |= GATE_GRAVITY;
        atomicStore(&control[GRAVITY_NEXT], step + params.gravity_every);
        gravity_extent[0] = 0u;
    }
    for (var s = 0u; s < min(params.slot_count, SLOTS_MAX); s++) {
        write_gate(s, gate, 0u);
    }
}
