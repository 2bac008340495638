import package::state::params::{Params};
import package::math::wide::{add64, fixed_from_f32};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};
import package::math::dispatch::{linear_id};

// Free velocities: what gravity does to a body in one step (Sanchez et al. 2021, eq. 5).
var<uniform> params: Params;
var<storage, read> body_gravity: array<vec4<f32>>;
var<storage, read_write> body_state: array<u32>;

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
    let kick = body_gravity[b].xyz + params.uniform_gravity;
    let s = STATE_WORDS * b + STATE_VELOCITY;
    kick_axis(s, kick.x);
    kick_axis(s + 2u, kick.y);
    kick_axis(s + 4u, kick.z);
}
