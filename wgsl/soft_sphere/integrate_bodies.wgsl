import package::state::params::{Params};
import package::state::control::{FAULT_NON_FINITE};
import package::state::control_atomic::{ControlAtomic};
import package::math::wide::{add64, fixed_from_f32, f32_from64, finite};
import package::math::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT};
import package::neighbours::watch::{alone, ask_list_roaming, watch_speed, watch_range, watch_turn};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY, STATE_SPIN};
import package::math::dispatch::{linear_id};
import package::soft_sphere::gather::{gather_load};

// Gathers the forces on a body in the order of its neighbours, kicks and drifts it: leapfrog in fixed point. Leaves
// the velocity predicted for the next instant, v + a/2, for the dashpots. Asks for a new neighbour list when a body
// has left half the skin.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> body_state: array<u32>;
var<storage, read_write> body_view: array<vec4<u32>>;
var<storage, read> body_gravity: array<vec4<f32>>;

struct Axis {
    position: vec2<u32>,
    predicted: vec2<u32>,
    speed: f32, // [2^-58 L/T]
}

// Kick by `kick`, drift, and the velocity half a kick further on.
fn move_axis(at: u32, kick: f32, half_kick: f32) -> Axis {
    let velocity = add64(vec2<u32>(body_state[at + STATE_VELOCITY], body_state[at + STATE_VELOCITY + 1u]), fixed_from_f32(kick, 58));
    let position = drift(vec2<u32>(body_state[at], body_state[at + 1u]), velocity);
    body_state[at] = position.x;
    body_state[at + 1u] = position.y;
    body_state[at + STATE_VELOCITY] = velocity.x;
    body_state[at + STATE_VELOCITY + 1u] = velocity.y;
    return Axis(position, add64(velocity, fixed_from_f32(half_kick, 58)), abs(f32_from64(velocity)));
}

// Turns by `change` more [1/T]; the spin, rounded.
fn turn_axis(at: u32, change: f32) -> f32 {
    let spin = add64(vec2<u32>(body_state[at], body_state[at + 1u]), fixed_from_f32(change, 58));
    body_state[at] = spin.x;
    body_state[at + 1u] = spin.y;
    return f32_from64(spin) * DISPLACEMENT_UNIT;
}

@compute @workgroup_size(64)
fn integrate_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    let phase = atomicLoad(&control.phase);
    // fault_contact: an overlap too large stops the run before this step moves anything.
    if (b >= params.body_count || phase == 0u || atomicLoad(&control.fault_contact) != 0u) {
        return;
    }
    let load = gather_load(b);
    let a = load.kick;
    let turning = load.turning;
    let near = body_view[4u * b];
    let motion_row = body_view[4u * b + 1u];
    let turn = body_view[4u * b + 2u];
    let size = abs(a) + abs(turning);
    if (!finite(size.x) || !finite(size.y) || !finite(size.z)) {
        atomicOr(&control.fault_body, FAULT_NON_FINITE);
        atomicMin(&control.fault_index, b);
        return;
    }
    // The first step kicks by half: velocities come in at the instant, and go on at the half step.
    let part = select(1.0, 0.5, phase == 2u);
    let s = STATE_WORDS * b;
    let x = move_axis(s, part * a.x, 0.5 * a.x);
    let y = move_axis(s + 2u, part * a.y, 0.5 * a.y);
    let z = move_axis(s + 4u, part * a.z, 0.5 * a.z);
    let change = part * turning;
    let r = s + STATE_SPIN;
    let spin = vec3<f32>(turn_axis(r, change.x), turn_axis(r + 2u, change.y), turn_axis(r + 4u, change.z));
    let here = vec3<u32>(position_window(x.position), position_window(y.position), position_window(z.position));
    body_view[4u * b] = vec4<u32>(here, near.w);
    body_view[4u * b + 1u] = vec4<u32>(motion_window(x.predicted), motion_window(y.predicted), motion_window(z.predicted), motion_row.w);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin + 0.5 * turning), turn.w);

    let speeds = vec3<f32>(x.speed, y.speed, z.speed) * DISPLACEMENT_UNIT;
    ask_list_roaming(b, here, params.skin_half, length(speeds));
    // Windows of velocities serve contacts alone; windows of places hold a way of 1 L.
    watch_speed(b, speeds * select(1.0, 0.0078125, alone(b)));
    watch_range(b, x.position, y.position, z.position);
    watch_turn(b, max(abs(spin), abs(change)));
    if (b == 0u) {
        atomicAdd(&control.step, 1u);
    }
}
