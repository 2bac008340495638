import package::state::params::{Params};
import package::state::body::{BodyState};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::math::plane::{scale_q30};
import package::math::wide::{neg64};
import package::math::position::{drift};
import package::math::dispatch::{linear_id};

// The bodies at the instant of their velocities: the step keeps positions (1 - theta) of a step later, where contacts
// are found.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_state: array<BodyState>;
var<storage, read_write> body_shown: array<BodyState>;

fn earlier(position: vec2<u32>, velocity: vec2<u32>) -> vec2<u32> {
    return drift(position, neg64(scale_q30(velocity, dynamics.earlier)), 0x80000000u);
}

@compute @workgroup_size(64)
fn show_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    body_shown[b].position.x = earlier(body_state[b].position.x, body_state[b].velocity.x);
    body_shown[b].position.y = earlier(body_state[b].position.y, body_state[b].velocity.y);
    body_shown[b].position.z = earlier(body_state[b].position.z, body_state[b].velocity.z);
    body_shown[b].velocity = body_state[b].velocity;
    body_shown[b].spin = body_state[b].spin;
}
