import package::shared::params::{Params};
import package::shared::gates::{GATE_REBUILD, GATE_GRAVITY, GATE_DETECT, GATE_SOLVE, GATE_ITERATE, GATE_CLOSE, write_gate};
import package::shared::control::{STEP, STEP_TARGET, REQUEST, GRAVITY_NEXT, OVERFLOW, FAULT_BODY, FAULT_CONTACT, REQUEST_REBUILD, SOLVER, CONTACT_COUNT, ITERATION};

// What a step of contact dynamics does next: list, gravity, detection, set-up, iterations, end. Runs before each of
// them; a step whose iterations are not done when a recording ends goes on in the next one.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> control: array<u32>;
@group(0) @binding(4) var<storage, read_write> gravity_extent: array<u32>;

@compute @workgroup_size(1)
fn decide_dynamics() {
    let step = control[STEP];
    let sound = (control[FAULT_BODY] | control[FAULT_CONTACT] | control[OVERFLOW]) == 0u;
    let state = control[SOLVER];
    var gate = 0u;
    if (sound && state == 0u && step < control[STEP_TARGET]) {
        if ((control[REQUEST] & REQUEST_REBUILD) != 0u) {
            gate = GATE_REBUILD;
        } else {
            gate = GATE_DETECT;
        }
        if (step >= control[GRAVITY_NEXT]) {
            gate |= GATE_GRAVITY;
            control[GRAVITY_NEXT] = step + params.gravity_every;
            gravity_extent[0] = 0u;
        }
    }
    if (sound && state == 1u) {
        control[SOLVER] = select(3u, 2u, control[CONTACT_COUNT] > 0u);
        control[ITERATION] = 0u;
        gate = GATE_SOLVE;
    }
    if (sound && state == 2u) {
        gate = GATE_ITERATE;
    }
    if (sound && state == 3u) {
        gate = GATE_CLOSE;
    }
    for (var s = 0u; s < params.slot_count; s++) {
        write_gate(s, gate, control[CONTACT_COUNT]);
    }
}
