import package::state::params::{Params};
import package::state::control::{FAULT_OVERLAP};
import package::state::control_atomic::{ControlAtomic};
import package::math::position::{window_difference, MOTION_UNIT};
import package::laws::contact::{ContactState};
import package::walls::wall::{WALL_ROWS, wall_motion, wall_stands};
import package::walls::wall_touch::{wall_touch};
import package::law::{Law, contact_force, contact_end, held_energy, normal_spring};
import package::math::dispatch::{linear_id};

// Force and torque of every wall on every body, by the law of the pairs: a wall is a body of infinite mass and
// radius.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_state: array<u32>;
var<storage, read> body_view: array<vec4<u32>>;
var<storage, read> wall_plane: array<vec4<u32>>;
var<storage, read> contact_law: array<Law>;
var<storage, read_write> wall_history: array<vec4<f32>>;
var<storage, read_write> wall_result: array<vec4<f32>>;
var<storage, read_write> wall_dissipated: array<vec4<f32>>;

@compute @workgroup_size(64)
fn apply_walls(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= params.body_count * params.wall_count || atomicLoad(&control.phase) == 0u) {
        return;
    }
    let body = c / params.wall_count;
    let plane = WALL_ROWS * (c % params.wall_count);
    let step = atomicLoad(&control.step);
    let radius = bitcast<f32>(body_view[4u * body].w);
    let stands = wall_stands(plane, step);
    if (!stands && wall_result[2u * c].w <= 0.0) {
        return;
    }
    let touch = wall_touch(body, radius, plane, step);
    let gap = touch.gap;
    let touching = gap < 0.0 && stands;
    if (!touching && wall_result[2u * c].w <= 0.0) {
        return;
    }
    let motion_row = body_view[4u * body + 1u];
    let turn = body_view[4u * body + 2u];
    let motion = wall_motion(plane);
    let second = wall_history[2u * c + 1u];
    var s: ContactState;
    s.normal = -touch.normal;
    s.overlap = -gap;
    s.velocity = vec3<f32>(window_difference(motion, motion_row.xyz)) * MOTION_UNIT;
    s.arm_i = radius + gap;
    s.arm_j = 1.0e10;
    s.spin_i = bitcast<vec3<f32>>(turn.xyz);
    s.mass = 1.0 / bitcast<f32>(motion_row.w);
    s.radius = radius;
    s.first = wall_history[2u * c];
    s.second = second.xyz;
    s.before = max(wall_result[2u * c].w, 0.0);
    let law = contact_law[turn.w * params.material_count + wall_plane[plane].w];
    let r = contact_force(law, s);
    // A wall that is gone has taken along what the springs held.
    let held = held_energy(law, s);
    let normal_part = normal_spring(law, radius, s.overlap).y;
    let taken = gap < 0.0 && !touching;
    let pushed = dot(r.force, vec3<f32>(bitcast<vec3<i32>>(motion)) * MOTION_UNIT);
    let work = select(select(0.0, -normal_part - dot(held, vec4<f32>(1.0)), taken), pushed, touching);
    let lost = contact_end(law, s);
    let none = vec4<f32>(0.0);
    wall_history[2u * c] = select(none, r.first, touching);
    wall_history[2u * c + 1u] = vec4<f32>(select(none.xyz, r.second, touching), second.w + work);
    wall_result[2u * c] = select(none, vec4<f32>(r.force, s.overlap), touching);
    wall_result[2u * c + 1u] = select(none, vec4<f32>(r.torque_i, 0.0), touching);
    wall_dissipated[c] += select(select(lost, none, taken), r.dissipated, touching);
    if (touching && s.overlap > params.overlap_max * radius) {
        atomicOr(&control.fault_contact, FAULT_OVERLAP);
        atomicMin(&control.fault_index, body);
    }
}
