import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::position::{DISPLACEMENT_UNIT};
import package::shared::wide3::{rounded3};
import package::shared::axes::{turn_back};
import package::shared::angular_row::{angular_of, put_angular};
import package::shared::turn::{turn_f32, turn_by, spin_of};
import package::shared::shape_row::{leave_shape};
import package::shared::dispatch::{linear_id};

// In a frame that turns, behind spin_bodies: orientation and angular momentum of inertial space turn back with the axes, and
// spin and inertia with them.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> body_moment: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> body_turn: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read_write> body_angular: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(6) var<storage, read_write> body_view: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> body_inertia: array<vec4<f32>>;

@compute @workgroup_size(64)
fn turn_shapes(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let moment = body_moment[b];
    let angular = turn_back(dynamics, angular_of(b));
    let after = turn_by(body_turn[b], -dynamics.rotation);
    let q = turn_f32(after);
    put_angular(b, angular);
    leave_shape(b, after, q, spin_of(q, rounded3(angular) * DISPLACEMENT_UNIT, moment.xyz), moment);
}
