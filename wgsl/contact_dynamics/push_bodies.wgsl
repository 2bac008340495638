import package::state::params::{Params};
import package::state::body::{BodyPush};
import package::contact_dynamics::push::{pushed};
import package::math::dispatch::{linear_id};

// Velocity and spin that the contacts give every body; push_plates moves those walls that it can. pass_constants.x = 1: by the
// guesses, else by the impulses.
var<uniform> pass_constants: vec4<u32>;
var<uniform> params: Params;
var<storage, read_write> body_push: array<BodyPush>;

@compute @workgroup_size(64)
fn push_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b < params.body_count + params.wall_count) {
        body_push[b] = pushed(b, pass_constants.x == 1u);
    }
}
