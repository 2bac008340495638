import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::colours::{COLOURS};
import package::neighbours::counted::{items_of};
import package::neighbours::gates::{SLOTS_MAX, GATE_LIST, GATE_ITERATE, write_gate};
import package::state::control::{Control, OVERFLOW_COLOURS, SOLVER_ITERATES, SOLVER_COLOURS};

// Has every contact its colour? Then the colours' ranges in the list are laid out, and iterations begin: unless there are
// more colours than the host recorded sweeps for, which it then does. Else the next rounds go on. Not gated itself, since
// it writes the gates.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> colour_count: array<u32>;

var<workgroup> colours_ready: u32;

// A proposal has six bits for its round.
const ROUNDS_MAX: u32 = 56u;

// Sizes and first indices; gives the highest colour in use.
fn lay_out() -> u32 {
    var first = 0u;
    var used = 0u;
    for (var k = 0u; k < COLOURS; k++) {
        let size = colour_count[k];
        control.colour_size[k] = size;
        control.colour_first[k] = first;
        colour_count[k] = first;
        first += size;
        used = select(used, k + 1u, size > 0u);
    }
    return used;
}

fn judge_round() -> bool {
    let left = control.colour_left == control.colour_done;
    let short = control.colour_short == 1u || (left && control.colour_done > ROUNDS_MAX);
    let wanted = lay_out();
    let ready = !left && !short && wanted <= dynamics.colour_capacity;
    if (ready) {
        control.solver = SOLVER_ITERATES;
    } else {
        for (var k = 0u; k < COLOURS; k++) {
            colour_count[k] = 0u;
        }
    }
    if (left) {
        control.colour_round = control.colour_done;
    }
    control.colour_wanted = select(wanted, COLOURS + 1u, short);
    if (short || (!left && wanted > dynamics.colour_capacity)) {
        control.overflow = OVERFLOW_COLOURS;
    }
    return ready;
}

@compute @workgroup_size(64)
fn judge_colours(@builtin(local_invocation_index) l: u32) {
    if (l == 0u) {
        colours_ready = 0u;
        if (control.solver == SOLVER_COLOURS && control.overflow == 0u && judge_round()) {
            colours_ready = 1u;
        }
    }
    storageBarrier();
    workgroupBarrier();
    let slots = select(0u, params.slot_count, colours_ready == 1u);
    for (var s = l; s < min(slots, SLOTS_MAX); s += 64u) {
        write_gate(s, GATE_LIST | GATE_ITERATE, items_of(s));
    }
}
