import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::wide::{add64, fixed_from_f32, f32_from64};
import package::shared::position::{POSITION_UNIT, DISPLACEMENT_UNIT};
import package::shared::dispatch::{linear_id};

// Free velocities: what gravity and the turning frame do to a body in one step (Sanchez et al. 2021, eq. 5).
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> body_gravity: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> body_state: array<u32>;

fn wide_at(s: u32) -> f32 {
    return f32_from64(vec2<u32>(body_state[s], body_state[s + 1u]));
}

// Centrifugal and Coriolis acceleration at the middle of the step: v' = v + a - 2 W x (v + v')/2 solved for v' - v.
fn frame_kick(body: u32, held: vec3<f32>) -> vec3<f32> {
    let s = 16u * body;
    let place = vec3<f32>(wide_at(s), wide_at(s + 2u), wide_at(s + 4u)) * POSITION_UNIT;
    let velocity = vec3<f32>(wide_at(s + 6u), wide_at(s + 8u), wide_at(s + 10u)) * DISPLACEMENT_UNIT;
    let turn = dynamics.rotation;
    let force = held - cross(turn, cross(turn, place)) - 2.0 * cross(turn, velocity);
    return (force - cross(turn, force) + turn * dot(turn, force)) / (1.0 + dot(turn, turn));
}

fn kick_axis(at: u32, kick: f32) {
    let velocity = add64(vec2<u32>(body_state[at], body_state[at + 1u]), fixed_from_f32(kick, 58));
    body_state[at] = velocity.x;
    body_state[at + 1u] = velocity.y;
}

@compute @workgroup_size(64)
fn kick_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let held = body_gravity[b].xyz + params.uniform_gravity;
    let kick = select(held, frame_kick(b, held), any(dynamics.rotation != vec3<f32>(0.0)));
    kick_axis(16u * b + 6u, kick.x);
    kick_axis(16u * b + 8u, kick.y);
    kick_axis(16u * b + 10u, kick.z);
}
