import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::control::{STEP, SOLVER, FAULT_BODY, FAULT_INDEX, FAULT_NON_FINITE};
import package::shared::wide::{add64, fixed_from_f32, f32_from64, finite};
import package::shared::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT};
import package::shared::turning::{Wide3};
import package::shared::axes::{turn_back, rounded3};
import package::shared::watch::{ask_list, watch_body, watch_turn};
import package::shared::state_row::{STATE_WORDS, STATE_VELOCITY, STATE_SPIN};
import package::shared::dispatch::{linear_id};

// As move_bodies, in a frame that turns: places, velocities and spins of inertial space turn back with the axes at the end.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read_write> control: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_view: array<vec4<u32>>;

fn pushed(at: u32, push: f32) -> vec2<u32> {
    return add64(vec2<u32>(body_state[at], body_state[at + 1u]), fixed_from_f32(push, 58));
}

fn pushed3(at: u32, push: vec3<f32>) -> Wide3 {
    return Wide3(pushed(at, push.x), pushed(at + 2u, push.y), pushed(at + 4u, push.z));
}

fn put(at: u32, v: Wide3) {
    body_state[at] = v.x.x;
    body_state[at + 1u] = v.x.y;
    body_state[at + 2u] = v.y.x;
    body_state[at + 3u] = v.y.y;
    body_state[at + 4u] = v.z.x;
    body_state[at + 5u] = v.z.y;
}

fn drift3(x: Wide3, v: Wide3) -> Wide3 {
    return Wide3(drift(x.x, v.x), drift(x.y, v.y), drift(x.z, v.z));
}

@compute @workgroup_size(64)
fn move_in_frame(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
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
    let gone = pushed3(s + STATE_VELOCITY, push);
    let place = turn_back(dynamics, drift3(pushed3(s, vec3<f32>(0.0)), gone));
    let velocity = turn_back(dynamics, gone);
    let spin = turn_back(dynamics, pushed3(s + STATE_SPIN, twist));
    put(s, place);
    put(s + STATE_VELOCITY, velocity);
    put(s + STATE_SPIN, spin);
    let here = vec3<u32>(position_window(place.x), position_window(place.y), position_window(place.z));
    let motion = vec3<u32>(motion_window(velocity.x), motion_window(velocity.y), motion_window(velocity.z));
    body_view[4u * b] = vec4<u32>(here, body_view[4u * b].w);
    body_view[4u * b + 1u] = vec4<u32>(motion, body_view[4u * b + 1u].w);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(rounded3(spin) * DISPLACEMENT_UNIT), body_view[4u * b + 2u].w);
    ask_list(b, here, dynamics.anchor_max);
    watch_body(b, abs(rounded3(velocity)) * DISPLACEMENT_UNIT, place.x, place.y, place.z);
    watch_turn(b, max(abs(rounded3(spin)) * DISPLACEMENT_UNIT, abs(twist)));
}
