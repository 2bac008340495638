import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::wide::{fixed_from_f32};
import package::shared::position::{DISPLACEMENT_UNIT};
import package::shared::turning::{Wide3};
import package::shared::axes::{turn_back, rounded3};
import package::shared::state_row::{STATE_WORDS, STATE_SPIN};
import package::shared::turn::{turn_f32, turn_by, spin_of};
import package::shared::inertia_root::{InertiaRoot, inertia_root};
import package::shared::dispatch::{linear_id};

// In a frame that turns, behind spin_bodies: orientation and angular momentum of inertial space turn back with the axes, and
// spin and inertia with them.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> body_moment: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> body_turn: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read_write> body_angular: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(6) var<storage, read_write> body_view: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> body_inertia: array<vec4<f32>>;

fn angular_at(at: u32) -> Wide3 {
    let x = vec2<u32>(body_angular[at], body_angular[at + 1u]);
    let y = vec2<u32>(body_angular[at + 2u], body_angular[at + 3u]);
    return Wide3(x, y, vec2<u32>(body_angular[at + 4u], body_angular[at + 5u]));
}

fn put_angular(at: u32, v: vec2<u32>) {
    body_angular[at] = v.x;
    body_angular[at + 1u] = v.y;
}

fn put_spin(at: u32, spin: f32) {
    let words = fixed_from_f32(spin, 58);
    body_state[at] = words.x;
    body_state[at + 1u] = words.y;
}

@compute @workgroup_size(64)
fn turn_shapes(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let moment = body_moment[b];
    let angular = turn_back(dynamics, angular_at(6u * b));
    let after = turn_by(body_turn[b], -dynamics.rotation);
    let q = turn_f32(after);
    let spin = spin_of(q, rounded3(angular) * DISPLACEMENT_UNIT, moment.xyz);
    body_turn[b] = after;
    put_angular(6u * b, angular.x);
    put_angular(6u * b + 2u, angular.y);
    put_angular(6u * b + 4u, angular.z);
    let s = STATE_WORDS * b + STATE_SPIN;
    put_spin(s, spin.x);
    put_spin(s + 2u, spin.y);
    put_spin(s + 4u, spin.z);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin), body_view[4u * b + 2u].w);
    let root = inertia_root(q, moment.xyz * moment.w);
    body_inertia[2u * b] = vec4<f32>(body_inertia[2u * b].x, root.diagonal);
    body_inertia[2u * b + 1u] = vec4<f32>(root.mixed, 0.0);
}
