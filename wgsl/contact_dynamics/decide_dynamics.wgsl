import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::neighbours::counted::{items_of};
import package::neighbours::gates::{GATE_REBUILD, GATE_GRAVITY, GATE_DETECT, GATE_SOLVE, GATE_ITERATE, GATE_CLOSE, GATE_COLOUR, GATE_KICK, SLOTS_MAX, write_gate};
import package::state::control::{Control, REQUEST_REBUILD, SOLVER_WAITS, SOLVER_FOUND, SOLVER_ITERATES, SOLVER_DONE, SOLVER_COLOURS, SOLVER_FOUND_AGAIN, ROUNDING_STEP};

// What a step of contact dynamics does next: list, gravity, detection, set-up, colours, iterations, end. Runs before each
// of them; a step whose iterations are not done when a recording ends goes on in the next one.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read_write> gravity_extent: array<u32>;
var<uniform> dynamics: DynamicsParams;

var<workgroup> open_gate: u32;

// A step that begins.
fn begin() -> u32 {
    control.near_count = 0u;
    control.listed_count = 0u;
    control.rounding = control.step * ROUNDING_STEP;
    var gate = select(GATE_DETECT, GATE_REBUILD, (control.request & REQUEST_REBUILD) != 0u);
    if (control.step >= control.gravity_next) {
        gate |= GATE_GRAVITY;
        control.gravity_next = control.step + params.gravity_every;
        gravity_extent[0] = 0u;
    }
    return gate;
}

// Contacts are known: they are set up, and then solved if there are any, by colours if these are recorded.
fn set_up(state: u32) -> u32 {
    let solving = select(SOLVER_ITERATES, SOLVER_COLOURS, dynamics.colour_capacity > 0u);
    control.solver = select(SOLVER_DONE, solving, control.contact_count > 0u);
    control.iteration = 0u;
    control.residual = 0u;
    control.colour_round = 0u;
    control.colour_done = 0u;
    control.colour_left = 0u;
    control.colour_short = 0u;
    return GATE_SOLVE | select(0u, GATE_KICK, state == SOLVER_FOUND);
}

fn decide() -> u32 {
    let state = control.solver;
    var gate = 0u;
    if ((control.fault_body | control.fault_contact | control.overflow) != 0u) {
        gate = 0u;
    } else if (state == SOLVER_WAITS && control.step < control.step_target) {
        gate = begin();
    } else if (state == SOLVER_FOUND || state == SOLVER_FOUND_AGAIN) {
        gate = set_up(state);
    } else if (state == SOLVER_ITERATES) {
        gate = GATE_ITERATE;
    } else if (state == SOLVER_DONE) {
        gate = GATE_CLOSE;
    } else if (state == SOLVER_COLOURS) {
        gate = GATE_COLOUR;
    }
    return gate;
}

@compute @workgroup_size(64)
fn decide_dynamics(@builtin(local_invocation_index) l: u32) {
    if (l == 0u) {
        open_gate = decide();
    }
    storageBarrier();
    workgroupBarrier();
    for (var s = l; s < min(params.slot_count, SLOTS_MAX); s += 64u) {
        write_gate(s, open_gate, items_of(s));
    }
}
