import package::state::params::{Params};
import package::contact_dynamics::owner::{owner};
import package::math::dispatch::{linear_id};
import package::state::state_row::{STATE_WORDS};

// The further parts of a clump are where its body is: all parts share its frame. Rows behind the bodies copy its state.
var<uniform> params: Params;
var<storage, read_write> body_state: array<u32>;
var<storage, read_write> body_view: array<vec4<u32>>;
var<storage, read_write> body_turn: array<vec4<i32>>;

@compute @workgroup_size(64)
fn follow_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let row = params.body_count + linear_id(w, n, l, 64u);
    if (row >= params.part_count) {
        return;
    }
    let body = owner(row);
    for (var k = 0u; k < STATE_WORDS; k++) {
        body_state[STATE_WORDS * row + k] = body_state[STATE_WORDS * body + k];
    }
    body_view[4u * row] = vec4<u32>(body_view[4u * body].xyz, body_view[4u * row].w);
    body_view[4u * row + 1u] = body_view[4u * body + 1u];
    body_view[4u * row + 2u] = body_view[4u * body + 2u];
    body_turn[row] = body_turn[body];
}
