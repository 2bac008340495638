import package::state::params::{Params};
import package::state::body::{BodyState, Field};
import package::math::wide3::{plus3, fixed3};
import package::math::dispatch::{linear_id};

// Free velocities: what gravity does to a body in one step (Sanchez et al. 2021, eq. 5).
var<uniform> params: Params;
var<storage, read> body_gravity: array<Field>;
var<storage, read_write> body_state: array<BodyState>;

@compute @workgroup_size(64)
fn kick_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let kick = body_gravity[b].acceleration + params.uniform_gravity;
    body_state[b].velocity = plus3(body_state[b].velocity, fixed3(kick));
}
