import package::state::params::{Params};
import package::state::control::{FAULT_NON_FINITE, FAULT_OVERSPEED, FAULT_RANGE};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyInertia, BodyPush};
import package::state::wall::{WallState};
import package::math::wide::{f32_from64, finite};
import package::math::position::{drift, motion_window, out_of_range, DISPLACEMENT_UNIT};
import package::walls::wall_change::{wall_changed, put_velocity};
import package::math::dispatch::{linear_id};

// As move_bodies, for walls of mass, behind it: their point is that of the step that begins. Others move on as they
// were.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read> body_push: array<BodyPush>;
var<storage, read_write> wall_plane: array<WallState>;

// Faults of one axis, and its displacement window.
struct Moved {
    faults: u32,
    window: u32,
}

fn move_axis(plane: u32, axis: u32, push: f32) -> Moved {
    let velocity = wall_changed(plane, axis, push);
    let before = vec2<u32>(wall_plane[plane].point_low[axis], wall_plane[plane].point_high[axis]);
    let point = drift(before, velocity, atomicLoad(&control.rounding));
    put_velocity(plane, axis, velocity);
    wall_plane[plane].point_low[axis] = point.x;
    wall_plane[plane].point_high[axis] = point.y;
    let fast = abs(f32_from64(velocity)) * DISPLACEMENT_UNIT > params.motion_max;
    let faults = select(0u, FAULT_OVERSPEED, fast) | select(0u, FAULT_RANGE, out_of_range(point));
    return Moved(faults, motion_window(velocity));
}

@compute @workgroup_size(64)
fn move_plates(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k >= params.wall_count || body_inertia[params.body_count + k].inverse_mass == 0.0) {
        return;
    }
    let push = body_push[params.body_count + k].along;
    var faults = FAULT_NON_FINITE;
    if (finite(push)) {
        let x = move_axis(k, 0u, push);
        let y = move_axis(k, 1u, push);
        let z = move_axis(k, 2u, push);
        faults = x.faults | y.faults | z.faults;
        wall_plane[k].window_x = x.window;
        wall_plane[k].window_y = y.window;
        wall_plane[k].window_z = z.window;
        wall_plane[k].step = atomicLoad(&control.step);
    }
    if (faults != 0u) {
        atomicOr(&control.fault_body, faults);
        atomicMin(&control.fault_index, params.body_count + k);
    }
}
