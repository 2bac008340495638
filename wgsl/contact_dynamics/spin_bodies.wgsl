import package::state::params::{Params};
import package::state::body::{BodyMoment, BodyPush, Orientation};
import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide3::{Wide3, plus3, fixed3, rounded3};
import package::math::turn::{turn_f32, turned, turned_back, turn_freely, spin_of};
import package::contact_dynamics::leave_shape::{leave_shape};
import package::math::dispatch::{linear_id};

// Ends a step for bodies that are not spheres. Their angular momentum takes the torque of the impulses and is otherwise
// constant, as only contacts exert torques. The orientation turns by the spin at the middle of the step, or of parts of it.
// Then the spin and inertia of the next step follow. Moments are given over the largest one, and so is the angular momentum
// [2^-58 /T]: 64-bit integers, like velocities, so that no torque is too small for it.
var<uniform> params: Params;
var<storage, read> body_push: array<BodyPush>;
var<storage, read> body_moment: array<BodyMoment>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read_write> body_angular: array<Wide3>;

@compute @workgroup_size(64)
fn spin_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let before = body_turn[b].quaternion;
    let start = turn_f32(before);
    let moment = body_moment[b].relative;
    let change = turned(start, moment * turned_back(start, body_push[b].spin));
    let pushed = plus3(body_angular[b], fixed3(change));
    body_angular[b] = pushed;
    let angular = rounded3(pushed) * DISPLACEMENT_UNIT;
    let after = turn_freely(before, angular, moment);
    let q = turn_f32(after);
    leave_shape(b, after, q, spin_of(q, angular, moment), body_moment[b]);
}
