import package::state::params::{Params};
import package::contact_dynamics::moved::{may_move, pushed_velocity, pushed_spin, drifted, leave_spin, leave_velocity, leave_position};
import package::math::dispatch::{linear_id};

// Ends a step of contact dynamics: impulses, and the drift to the next detection (Sanchez et al. 2021, eq. 4; moved).
var<uniform> params: Params;

@compute @workgroup_size(64)
fn move_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    if (may_move(b)) {
        // One after the other, so that few words are held at a time.
        leave_spin(b, pushed_spin(b));
        let velocity = pushed_velocity(b);
        leave_position(b, drifted(b, velocity));
        leave_velocity(b, velocity);
    }
}
