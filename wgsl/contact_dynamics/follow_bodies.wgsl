import package::state::params::{Params};
import package::state::body::{BodyState, BodyView, Orientation};
import package::contact_dynamics::owner::{owner};
import package::math::dispatch::{linear_id};

// The further parts of a clump are where its body is: all parts share its frame. Rows behind the bodies copy its state.
var<uniform> params: Params;
var<storage, read_write> body_state: array<BodyState>;
var<storage, read_write> body_view: array<BodyView>;
var<storage, read_write> body_turn: array<Orientation>;

@compute @workgroup_size(64)
fn follow_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let row = params.body_count + linear_id(w, l, 64u);
    if (row >= params.part_count) {
        return;
    }
    let body = owner(row);
    body_state[row].position = body_state[body].position;
    body_state[row].velocity = body_state[body].velocity;
    body_state[row].spin = body_state[body].spin;
    body_view[row].position = body_view[body].position;
    body_view[row].velocity = body_view[body].velocity;
    body_view[row].inverse_mass = body_view[body].inverse_mass;
    body_view[row].spin = body_view[body].spin;
    body_view[row].material_and_tail = body_view[body].material_and_tail;
    body_turn[row] = body_turn[body];
}
