import package::state::contact::{Residual};
import package::state::params::{Params};
import package::contact_dynamics::judge::{judge};
import package::neighbours::counted::{items_of};
import package::neighbours::gates::{GATE_CLOSE, SLOTS_MAX, write_gate};
import package::state::control::{Control, SOLVER_ITERATES};

// At every look at the residual: is the step solved, or its budget gone? Then nothing iterates any more, and it ends. Not
// gated itself, since it writes the gates.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read> residual_partial: array<Residual>;

const ROWS_MAX: u32 = 2097152u; // of 64 contacts each: more than buffers hold

var<workgroup> judge_room: array<vec2<f32>, 64>; // error and size
var<workgroup> judge_ends: u32;

@compute @workgroup_size(64)
fn judge_residual(@builtin(local_invocation_index) l: u32) {
    // `solver` is written by a thread that has met all others at the barriers, and read before them alone.
    let iterating = control.solver == SOLVER_ITERATES;
    let count = select(0u, control.contact_count, iterating);
    let rows = (count + 63u) / 64u + control.zero;
    var sum = vec2<f32>(0.0);
    for (var k = l; k < min(rows, ROWS_MAX); k += 64u) {
        sum += vec2<f32>(residual_partial[k].error, residual_partial[k].size);
    }
    judge_room[l] = sum;
    for (var half = 32u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            judge_room[l] += judge_room[l + half];
        }
    }
    workgroupBarrier();
    if (l == 0u) {
        judge_ends = 0u;
        if (iterating && judge(judge_room[0], count)) {
            judge_ends = 1u;
        }
    }
    storageBarrier();
    workgroupBarrier();
    let slots = select(0u, params.slot_count, judge_ends == 1u);
    for (var s = l; s < min(slots, SLOTS_MAX); s += 64u) {
        write_gate(s, GATE_CLOSE, items_of(s));
    }
}
