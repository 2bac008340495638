import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::gates::{GATE_ITERATE, GATE_CLOSE, write_gate};
import package::shared::control::{SOLVER, CONTACT_COUNT, ITERATION, RESIDUAL, SOLVED_STEPS, SOLVED_ITERATIONS, ITERATIONS_WORST, RESIDUAL_WORST, BUDGET_HITS, FAULT_BODY, FAULT_BUDGET, ZERO};

// After every eight iterations: is the step solved, or its budget gone? Then nothing iterates any more, and it ends. Not
// gated itself, since it writes the gates.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> control: array<u32>;
@group(0) @binding(4) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(5) var<storage, read> residual_partial: array<vec2<f32>>;

var<workgroup> judge_room: array<vec2<f32>, 64>;

const ITERATIONS_BETWEEN: u32 = 8u;

fn note(residual: f32, converged: bool) {
    let iterations = control[ITERATION];
    control[SOLVER] = 3u;
    control[SOLVED_STEPS] += 1u;
    control[SOLVED_ITERATIONS] += iterations;
    control[ITERATIONS_WORST] = max(control[ITERATIONS_WORST], iterations);
    control[RESIDUAL_WORST] = max(control[RESIDUAL_WORST], bitcast<u32>(residual));
    if (!converged) {
        control[BUDGET_HITS] += 1u;
        control[FAULT_BODY] |= select(0u, FAULT_BUDGET, dynamics.stop_on_budget == 1u);
    }
}

@compute @workgroup_size(64)
fn judge_residual(@builtin(local_invocation_index) l: u32) {
    // One workgroup: SOLVER is written at the end alone, by a thread that has met all others at the barriers.
    let iterating = control[SOLVER] == 2u;
    let count = select(0u, control[CONTACT_COUNT], iterating);
    let rows = (count + 63u) / 64u + control[ZERO];
    var sum = vec2<f32>(0.0);
    for (var k = l; k < rows; k += 64u) {
        sum += residual_partial[k];
    }
    judge_room[l] = sum;
    for (var half = 32u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            judge_room[l] += judge_room[l + half];
        }
    }
    workgroupBarrier();
    if (l != 0u || !iterating) {
        return;
    }
    let total = judge_room[0];
    let residual = sqrt(total.x / max(total.y, 1.0e-37));
    let floor = dynamics.velocity_floor * sqrt(f32(count));
    let converged = residual < dynamics.tolerance || total.x < floor * floor;
    control[ITERATION] += ITERATIONS_BETWEEN;
    control[RESIDUAL] = bitcast<u32>(residual);
    var gate = GATE_ITERATE;
    if (converged || control[ITERATION] >= dynamics.iterations_max) {
        note(residual, converged);
        gate = GATE_CLOSE;
    }
    for (var s = 0u; s < params.slot_count; s++) {
        write_gate(s, gate, count);
    }
}
