import package::state::params::{Params};
import package::state::body::{BodyMoment, Orientation};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide3::{Wide3, rounded3};
import package::contact_dynamics::axes::{turn_back};
import package::math::turn::{turn_f32, turn_by, spin_of};
import package::contact_dynamics::leave_shape::{leave_shape};
import package::math::dispatch::{linear_id};

// In a frame that turns, behind spin_bodies: orientation and angular momentum of inertial space turn back with the axes, and
// spin and inertia with them.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_moment: array<BodyMoment>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read_write> body_angular: array<Wide3>;

@compute @workgroup_size(64)
fn turn_shapes(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let moment = body_moment[b];
    let angular = turn_back(dynamics, body_angular[b], 3u);
    let after = turn_by(body_turn[b].quaternion, -dynamics.rotation);
    let q = turn_f32(after);
    body_angular[b] = angular;
    leave_shape(b, after, q, spin_of(q, rounded3(angular) * DISPLACEMENT_UNIT, moment.relative), moment);
}
