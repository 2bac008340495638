import package::state::pair::{Dissipation, Pair, PairMemory, PairResult};
import package::state::params::{Params};
import package::state::control::{FAULT_OVERLAP};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::math::position::{window_difference, separation, MOTION_UNIT};
import package::laws::contact::{ContactState};
import package::law::{Law, contact_arm, contact_force, contact_end};
import package::math::dispatch::{linear_id};

// Force and torques of every pair, at the present positions and predicted velocities. Opens the step: while a rebuild
// or gravity is due, or the target is reached, this and integrate_bodies do nothing.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> contact_law: array<Law>;
var<storage, read_write> pair_history: array<PairMemory>;
var<storage, read_write> pair_result: array<PairResult>;
var<storage, read_write> pair_dissipated: array<Dissipation>;

@compute @workgroup_size(64)
fn apply_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    // Only members that this pass does not write: it writes fault_contact and phase, and reads neither.
    let step = atomicLoad(&control.step);
    let paused = step >= atomicLoad(&control.step_target) || step >= atomicLoad(&control.gravity_next)
        || (atomicLoad(&control.request) | atomicLoad(&control.fault_body) | atomicLoad(&control.overflow)) != 0u;
    if (p == 0u) {
        atomicStore(&control.phase, select(select(1u, 2u, step == 0u), 0u, paused));
    }
    if (paused || p >= atomicLoad(&control.pair_count)) {
        return;
    }
    let pair = pair_body[p];
    let i = pair.i;
    let j = pair.j;
    let radius_i = body_view[i].radius;
    let radius_j = body_view[j].radius;
    let between = separation(window_difference(body_view[j].position, body_view[i].position), radius_i + radius_j);
    let touching = between.gap < 0.0;
    if (!touching && pair_history[p].overlap == 0.0) {
        return;
    }
    var s: ContactState;
    s.normal = between.normal;
    s.overlap = -between.gap;
    s.velocity = vec3<f32>(window_difference(body_view[j].velocity, body_view[i].velocity)) * MOTION_UNIT;
    s.arm_i = contact_arm(radius_i, radius_j, between.gap, between.distance);
    s.arm_j = between.distance - s.arm_i;
    s.spin_i = body_view[i].spin;
    s.spin_j = body_view[j].spin;
    s.mass = 1.0 / (body_view[i].inverse_mass + body_view[j].inverse_mass);
    s.radius = radius_i * radius_j / (radius_i + radius_j);
    s.first = pair_history[p].first;
    s.second = pair_history[p].second;
    // loaded again: kept from above it costs registers, and waves of NVIDIA GPUs
    s.before = pair_history[p].overlap;
    let law = contact_law[body_view[i].material * params.material_count + body_view[j].material];
    let r = contact_force(law, s);
    let lost = contact_end(law, s);
    let none = vec4<f32>(0.0);
    let overlap = select(0.0, s.overlap, touching);
    pair_history[p] = PairMemory(select(none, r.first, touching), select(none.xyz, r.second, touching), overlap);
    pair_result[p].force = select(none.xyz, r.force, touching);
    pair_result[p].overlap = overlap;
    pair_result[p].torque[0] = select(none.xyz, r.torque_i, touching);
    pair_result[p].torque[1] = select(none.xyz, r.torque_j, touching);
    pair_dissipated[p].energy += select(lost, r.dissipated, touching);
    if (s.overlap > params.overlap_max * min(radius_i, radius_j)) {
        atomicOr(&control.fault_contact, FAULT_OVERLAP);
        atomicMin(&control.fault_index, pair.i);
    }
}
