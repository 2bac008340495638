import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::plane::{scale_q30};
import package::math::wide::{neg64};
import package::math::position::{drift};
import package::math::dispatch::{linear_id};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// The bodies at the instant of their velocities: the step keeps positions (1 - theta) of a step later, where contacts
// are found.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_state: array<u32>;
var<storage, read_write> body_shown: array<u32>;

@compute @workgroup_size(64)
fn show_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    for (var k = 0u; k < STATE_WORDS; k++) {
        body_shown[STATE_WORDS * b + k] = body_state[STATE_WORDS * b + k];
    }
    for (var axis = 0u; axis < 3u; axis++) {
        let s = STATE_WORDS * b + 2u * axis;
        let velocity = vec2<u32>(body_state[s + STATE_VELOCITY], body_state[s + STATE_VELOCITY + 1u]);
        let position = drift(vec2<u32>(body_state[s], body_state[s + 1u]), neg64(scale_q30(velocity, dynamics.earlier)));
        body_shown[s] = position.x;
        body_shown[s + 1u] = position.y;
    }
}
