import package::state::params::{Params};
import package::state::control_atomic::{ControlAtomic};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::axes::{turn_back};
import package::contact_dynamics::moved::{may_move, pushed_velocity, pushed_spin, drifted, leave_spin, leave_velocity, leave_position};
import package::math::dispatch::{linear_id};

// As move_bodies, in a frame that turns: positions, velocities and spins of inertial space turn back with the axes at the end.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: ControlAtomic;

@compute @workgroup_size(64)
fn move_in_frame(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    if (may_move(b)) {
        let axes = 3u + atomicLoad(&control.zero);
        leave_spin(b, turn_back(dynamics, pushed_spin(b), axes));
        let velocity = pushed_velocity(b);
        leave_position(b, turn_back(dynamics, drifted(b, velocity), axes));
        leave_velocity(b, turn_back(dynamics, velocity, axes));
    }
}
