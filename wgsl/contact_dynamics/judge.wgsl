import package::contact_dynamics::dynamics::{DynamicsParams};
import package::state::control::{Control, FAULT_BUDGET, SOLVER_DONE};

// The end of iterations: is the step solved, or its budget gone?
var<storage, read_write> control: Control;
var<uniform> dynamics: DynamicsParams;

fn note(residual: f32, converged: bool) {
    let iterations = control.iteration;
    control.solver = SOLVER_DONE;
    control.solved_steps += 1u;
    control.solved_iterations += iterations;
    control.iterations_worst = max(control.iterations_worst, iterations);
    control.residual_worst = max(control.residual_worst, bitcast<u32>(residual));
    if (!converged) {
        control.budget_hits += 1u;
        control.fault_body |= select(0u, FAULT_BUDGET, dynamics.stop_on_budget == 1u);
    }
}

// True if the iterations of this step end.
fn judge(total: vec2<f32>, count: u32) -> bool {
    let residual = sqrt(total.x / max(total.y, 1.0e-37));
    let floor = dynamics.velocity_floor * sqrt(f32(count));
    let converged = residual < dynamics.tolerance || total.x < floor * floor;
    control.iteration += dynamics.look_every;
    control.residual = bitcast<u32>(residual);
    let ends = converged || control.iteration >= dynamics.iterations_max;
    if (ends) {
        note(residual, converged);
    }
    return ends;
}
