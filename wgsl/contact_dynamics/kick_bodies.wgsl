import package::state::params::{Params};
import package::state::body::{BodyState, Field};
import package::math::wide::{add64, fixed_from_f32};
import package::math::dispatch::{linear_id};

// Free velocities: what gravity does to a body in one step (Sanchez et al. 2021, eq. 5).
var<uniform> params: Params;
var<storage, read> body_gravity: array<Field>;
var<storage, read_write> body_state: array<BodyState>;

@compute @workgroup_size(64)
fn kick_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let kick = body_gravity[b].acceleration + params.uniform_gravity;
    body_state[b].velocity.x = add64(body_state[b].velocity.x, fixed_from_f32(kick.x, 58));
    body_state[b].velocity.y = add64(body_state[b].velocity.y, fixed_from_f32(kick.y, 58));
    body_state[b].velocity.z = add64(body_state[b].velocity.z, fixed_from_f32(kick.z, 58));
}
