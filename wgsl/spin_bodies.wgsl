import package::shared::params::{Params};
import package::shared::wide::{add64, fixed_from_f32, f32_from64};
import package::shared::position::{DISPLACEMENT_UNIT};
import package::shared::state_row::{STATE_WORDS, STATE_SPIN};
import package::shared::turn::{turn_f32, turned, turned_back, turn_step, turn_by, spin_of, all_but_unit};
import package::shared::inertia_root::{InertiaRoot, inertia_root};
import package::shared::dispatch::{linear_id};

// Ends a step for bodies that are no spheres: their angular momentum takes the impulses' torque and is else constant, as
// no torque but that of contacts acts; orientation goes on by the spin at the middle of the way (implicit midpoint, three
// fixed-point iterations). Then spin and inertia as the next step finds them. Moments are given over the largest one, and
// so is the angular momentum [2^-58 /T]: 64-bit integers, like velocities, so that no torque is too small for it.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body_moment: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> body_turn: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read_write> body_angular: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(6) var<storage, read_write> body_view: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> body_inertia: array<vec4<f32>>;

// Component `at` of the angular momentum with `change` more; rounded.
fn push_axis(at: u32, change: f32) -> f32 {
    let angular = add64(vec2<u32>(body_angular[at], body_angular[at + 1u]), fixed_from_f32(change, 58));
    body_angular[at] = angular.x;
    body_angular[at + 1u] = angular.y;
    return f32_from64(angular) * DISPLACEMENT_UNIT;
}

fn put_spin(at: u32, spin: f32) {
    let words = fixed_from_f32(spin, 58);
    body_state[at] = words.x;
    body_state[at + 1u] = words.y;
}

@compute @workgroup_size(64)
fn spin_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let before = body_turn[b];
    let start = turn_f32(before);
    let moment = body_moment[b].xyz;
    let change = turned(start, moment * turned_back(start, body_push[2u * b + 1u].xyz));
    let angular = vec3<f32>(push_axis(6u * b, change.x), push_axis(6u * b + 2u, change.y), push_axis(6u * b + 4u, change.z));
    var spin = spin_of(start, angular, moment);
    for (var k = 0u; k < 3u; k++) {
        spin = spin_of(all_but_unit(start + turn_step(start, 0.5 * spin)), angular, moment);
    }
    let after = turn_by(before, spin);
    let q = turn_f32(after);
    let now = spin_of(q, angular, moment);
    body_turn[b] = after;
    let s = STATE_WORDS * b + STATE_SPIN;
    put_spin(s, now.x);
    put_spin(s + 2u, now.y);
    put_spin(s + 4u, now.z);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(now), body_view[4u * b + 2u].w);
    let root = inertia_root(q, moment * body_moment[b].w);
    body_inertia[2u * b] = vec4<f32>(body_inertia[2u * b].x, root.diagonal);
    body_inertia[2u * b + 1u] = vec4<f32>(root.mixed, 0.0);
}
