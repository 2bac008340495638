import package::state::pair::{Dissipation, WallMemory, WallResult};
import package::state::params::{Params};
import package::state::control::{FAULT_OVERLAP, PHASE_PAUSED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::state::wall::{WallState};
import package::math::position::{window_difference, MOTION_UNIT, material_of};
import package::laws::contact::{ContactState};
import package::walls::wall::{wall_motion, wall_stands};
import package::walls::wall_touch::{wall_touch};
import package::law::{Law, contact_force, contact_end, held_energy, normal_spring};
import package::math::dispatch::{linear_id};

// Force and torque of every wall on every body, by the law of the pairs: a wall is a body of infinite mass and
// radius.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> wall_plane: array<WallState>;
var<storage, read> contact_law: array<Law>;
var<storage, read_write> wall_history: array<WallMemory>;
var<storage, read_write> wall_result: array<WallResult>;
var<storage, read_write> wall_dissipated: array<Dissipation>;

@compute @workgroup_size(64)
fn apply_walls(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= params.body_count * params.wall_count || atomicLoad(&control.phase) == PHASE_PAUSED) {
        return;
    }
    let body = c / params.wall_count;
    let plane = c % params.wall_count;
    let step = atomicLoad(&control.step);
    let zero = atomicLoad(&control.zero);
    let radius = body_view[body].radius;
    let stands = wall_stands(plane, step);
    if (!stands && wall_result[c].overlap <= 0.0) {
        return;
    }
    let touch = wall_touch(body, radius, plane, step);
    let gap = touch.gap;
    let touching = gap < 0.0 && stands;
    if (!touching && wall_result[c].overlap <= 0.0) {
        return;
    }
    let motion = wall_motion(plane);
    let memory = wall_history[c];
    var s: ContactState;
    s.normal = -touch.normal;
    s.overlap = -gap;
    s.velocity = vec3<f32>(window_difference(motion, body_view[body].velocity)) * MOTION_UNIT;
    s.arm_i = radius + gap;
    s.arm_j = 1.0e10;
    s.spin_i = body_view[body].spin;
    s.mass = 1.0 / body_view[body].inverse_mass;
    s.radius = radius;
    s.first = memory.first;
    s.second = memory.second;
    s.before = max(wall_result[c].overlap, 0.0);
    let law = contact_law[material_of(body_view[body].material_and_tail) * params.material_count + wall_plane[plane].material];
    let r = contact_force(law, s);
    // A wall that is gone has taken along what the springs held.
    let held = held_energy(law, s);
    let normal_part = normal_spring(law, radius, s.overlap).y;
    let taken = gap < 0.0 && !touching;
    let pushed = dot(r.force, vec3<f32>(bitcast<vec3<i32>>(motion)) * MOTION_UNIT);
    let work = select(select(0.0, -normal_part - dot(held, vec4<f32>(1.0)), taken), pushed, touching);
    let lost = contact_end(law, s);
    let none = vec4<f32>(0.0);
    // written where it was read, but compilers do not know it, and hold no address meanwhile
    let row = c + zero;
    wall_history[row] = WallMemory(select(none, r.first, touching), select(none.xyz, r.second, touching), memory.work + work);
    wall_result[row].force = select(none.xyz, r.force, touching);
    wall_result[row].overlap = select(0.0, s.overlap, touching);
    wall_result[row].torque = select(none.xyz, r.torque_i, touching);
    wall_dissipated[c].energy += select(select(lost, none, taken), r.dissipated, touching);
    if (touching && s.overlap > params.overlap_max * radius) {
        atomicOr(&control.fault_contact, FAULT_OVERLAP);
        atomicMin(&control.fault_index, body);
    }
}
