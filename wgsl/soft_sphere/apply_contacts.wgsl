import package::state::pair::{PairMemory};
import package::state::params::{Params};
import package::state::control::{FAULT_OVERLAP, PHASE_PAUSED, PHASE_RUNS, PHASE_FIRST, ROUNDING_STEP};
import package::state::control_atomic::{ControlAtomic};
import package::math::position::{window_difference, tail_difference, material_of, separation, MOTION_UNIT};
import package::laws::contact::{ContactState};
import package::law::{Law, contact_arm, contact_force, contact_end};
import package::materials::{law_of_all, law_of_pair};
import package::losses::{keep_losses};
import package::soft_sphere::contact_rows::{pair_of, view_of, history_of, keep_history};
import package::soft_sphere::keep_result::{keep_result, end_results};
import package::math::dispatch::{linear_id};

// Force and torques of every pair, at the present positions and predicted velocities. Opens the step: while a rebuild
// or gravity is due, or the target is reached, this and integrate_bodies do nothing.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;

// Leaves the result and the history of pair `p`, and gives what it loses. `zero` is 0: the history is written where it was read,
// but compilers do not know it, and hold no address meanwhile.
fn meet(p: u32, zero: u32, of_all: Law) -> vec4<f32> {
    let none = vec4<f32>(0.0);
    let pair = pair_of(p);
    let i = pair.i;
    let j = pair.j;
    let radius_i = view_of(i).radius;
    let radius_j = view_of(j).radius;
    let tail = tail_difference(view_of(j).material_and_tail, view_of(i).material_and_tail);
    let between = separation(window_difference(view_of(j).position, view_of(i).position), tail, radius_i + radius_j);
    let touching = between.gap < 0.0;
    var gone = none;
    if (touching || history_of(p).overlap != 0.0) {
        var s: ContactState;
        s.normal = between.normal;
        s.overlap = -between.gap;
        s.velocity = vec3<f32>(window_difference(view_of(j).velocity, view_of(i).velocity)) * MOTION_UNIT;
        s.arm_i = contact_arm(radius_i, radius_j, between.gap, between.distance);
        s.arm_j = between.distance - s.arm_i;
        s.spin_i = view_of(i).spin;
        s.spin_j = view_of(j).spin;
        s.mass = 1.0 / (view_of(i).inverse_mass + view_of(j).inverse_mass);
        s.radius = radius_i * radius_j / (radius_i + radius_j);
        s.first = history_of(p).first;
        s.second = history_of(p).second;
        // loaded again: kept from above it costs registers, and waves of NVIDIA GPUs
        s.before = history_of(p).overlap;
        let law = law_of_pair(of_all, material_of(view_of(i).material_and_tail) * params.material_count + material_of(view_of(j).material_and_tail));
        let r = contact_force(law, s);
        let lost = contact_end(law, s);
        let overlap = select(0.0, s.overlap, touching);
        keep_history(p + zero, PairMemory(select(none, r.first, touching), select(none.xyz, r.second, touching), overlap));
        let torque_j = select(none.xyz, r.torque_j, touching);
        keep_result(p, select(none.xyz, r.force, touching), select(none.xyz, r.torque_i, touching), torque_j);
        if (s.overlap > params.overlap_max * min(radius_i, radius_j)) {
            atomicOr(&control.fault_contact, FAULT_OVERLAP);
            atomicMin(&control.fault_index, pair.i);
        }
        gone = select(lost, r.dissipated, touching);
    }
    return gone;
}

@compute @workgroup_size(64)
fn apply_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    // Only members that this pass does not write: it writes fault_contact, phase and rounding, and reads none of them. All are read at once,
    // before any branch, so that one read serves many invocations.
    let step = atomicLoad(&control.step);
    let end = min(atomicLoad(&control.step_target), atomicLoad(&control.gravity_next));
    let hindered = atomicLoad(&control.request) | atomicLoad(&control.fault_body) | atomicLoad(&control.overflow);
    let pairs = atomicLoad(&control.pair_count);
    let zero = atomicLoad(&control.zero);
    let paused = (step >= end) | (hindered != 0u);
    if (p == 0u) {
        atomicStore(&control.phase, select(select(PHASE_RUNS, PHASE_FIRST, step == 0u), PHASE_PAUSED, paused));
        atomicStore(&control.rounding, step * ROUNDING_STEP);
    }
    let of_all = law_of_all();
    var lost = vec4<f32>(0.0);
    if (!paused & (p < pairs)) {
        lost = meet(p, zero, of_all);
    }
    end_results(p, l);
    keep_losses(p, l, lost);
}
