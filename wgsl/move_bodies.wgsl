import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::control::{STEP, SOLVER, FAULT_BODY, FAULT_INDEX, FAULT_NON_FINITE};
import package::shared::wide::{add64, fixed_from_f32, f32_from64, finite};
import package::shared::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT};
import package::shared::watch::{ask_list, watch_body, watch_turn};
import package::shared::state_row::{STATE_WORDS, STATE_VELOCITY, STATE_SPIN};
import package::shared::dispatch::{linear_id};

// Ends a step of contact dynamics: the impulses' velocity and spin, and the drift from one detection to the next, which
// is a whole step of the new velocity for any theta (Sanchez et al. 2021, eq. 4). Asks for a new neighbour list in time.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read_write> control: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_view: array<vec4<u32>>;

struct Axis {
    position: vec2<u32>,
    velocity: vec2<u32>,
    speed: f32, // [2^-58 L/T]
}

fn move_axis(at: u32, push: f32) -> Axis {
    let velocity = add64(vec2<u32>(body_state[at + STATE_VELOCITY], body_state[at + STATE_VELOCITY + 1u]), fixed_from_f32(push, 58));
    let position = drift(vec2<u32>(body_state[at], body_state[at + 1u]), velocity);
    body_state[at] = position.x;
    body_state[at + 1u] = position.y;
    body_state[at + STATE_VELOCITY] = velocity.x;
    body_state[at + STATE_VELOCITY + 1u] = velocity.y;
    return Axis(position, velocity, abs(f32_from64(velocity)));
}

// Turns by `change` more [1/T]; the spin, rounded.
fn turn_axis(at: u32, change: f32) -> f32 {
    let spin = add64(vec2<u32>(body_state[at], body_state[at + 1u]), fixed_from_f32(change, 58));
    body_state[at] = spin.x;
    body_state[at + 1u] = spin.y;
    return f32_from64(spin) * DISPLACEMENT_UNIT;
}

@compute @workgroup_size(64)
fn move_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let push = body_push[2u * b].xyz;
    let twist = body_push[2u * b + 1u].xyz;
    let size = abs(push) + abs(twist);
    if (b == 0u) {
        atomicAdd(&control[STEP], 1u);
        atomicStore(&control[SOLVER], 0u);
    }
    if (!finite(size.x) || !finite(size.y) || !finite(size.z)) {
        atomicOr(&control[FAULT_BODY], FAULT_NON_FINITE);
        atomicMin(&control[FAULT_INDEX], b);
        return;
    }
    let s = STATE_WORDS * b;
    let x = move_axis(s, push.x);
    let y = move_axis(s + 2u, push.y);
    let z = move_axis(s + 4u, push.z);
    let r = s + STATE_SPIN;
    let spin = vec3<f32>(turn_axis(r, twist.x), turn_axis(r + 2u, twist.y), turn_axis(r + 4u, twist.z));
    let here = vec3<u32>(position_window(x.position), position_window(y.position), position_window(z.position));
    let motion = vec3<u32>(motion_window(x.velocity), motion_window(y.velocity), motion_window(z.velocity));
    body_view[4u * b] = vec4<u32>(here, body_view[4u * b].w);
    body_view[4u * b + 1u] = vec4<u32>(motion, body_view[4u * b + 1u].w);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin), body_view[4u * b + 2u].w);
    ask_list(b, here, dynamics.anchor_max);
    watch_body(b, vec3<f32>(x.speed, y.speed, z.speed) * DISPLACEMENT_UNIT, x.position, y.position, z.position);
    watch_turn(b, max(abs(spin), abs(twist)));
}
