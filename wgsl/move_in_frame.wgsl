import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::axes::{turn_back};
import package::shared::moved::{may_move, pushed_velocity, pushed_spin, drifted, leave_spin, leave_velocity, leave_place};
import package::shared::dispatch::{linear_id};

// As move_bodies, in a frame that turns: places, velocities and spins of inertial space turn back with the axes at the end.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read_write> control: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(5) var<storage, read_write> body_view: array<vec4<u32>>;

@compute @workgroup_size(64)
fn move_in_frame(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    if (may_move(b)) {
        leave_spin(b, turn_back(dynamics, pushed_spin(b)));
        let velocity = pushed_velocity(b);
        leave_place(b, turn_back(dynamics, drifted(b, velocity)));
        leave_velocity(b, turn_back(dynamics, velocity));
    }
}
