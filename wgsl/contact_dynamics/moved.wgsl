import package::state::control::{FAULT_NON_FINITE, SOLVER_WAITS};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyPush, BodyState, BodyView};
import package::math::wide::{finite};
import package::math::wide3::{Wide3, plus3, fixed3, rounded3};
import package::math::position::{position_window, motion_window, window_difference, with_tail, drift, DISPLACEMENT_UNIT, WINDOW_UNIT};
import package::math::root::{inverse_root};
import package::neighbours::watch::{ask_list, watch_speed, watch_range, watch_turn};
import package::contact_dynamics::dynamics::{DynamicsParams};

// The end of a step of contact dynamics.
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_push: array<BodyPush>;
var<storage, read_write> body_state: array<BodyState>;
var<storage, read_write> body_view: array<BodyView>;

// Whether body `b` may move: its impulses are finite. Body 0 counts the step.
fn may_move(b: u32) -> bool {
    if (b == 0u) {
        atomicAdd(&control.step, 1u);
        atomicStore(&control.solver, SOLVER_WAITS);
    }
    let size = abs(body_push[b].velocity) + abs(body_push[b].spin);
    let good = finite(size.x) && finite(size.y) && finite(size.z);
    if (!good) {
        atomicOr(&control.fault_body, FAULT_NON_FINITE);
        atomicMin(&control.fault_index, b);
    }
    return good;
}

// Velocity with the impulses.
fn pushed_velocity(b: u32) -> Wide3 {
    return plus3(body_state[b].velocity, fixed3(body_push[b].velocity));
}

// Spin with the impulses.
fn pushed_spin(b: u32) -> Wide3 {
    return plus3(body_state[b].spin, fixed3(body_push[b].spin));
}

// The drift from one detection to the next, which is a whole step of the new velocity for any theta (Sanchez et al. 2021,
// eq. 4).
fn drifted(b: u32, velocity: Wide3) -> Wide3 {
    let x = body_state[b].position;
    let rounding = atomicLoad(&control.rounding);
    return Wide3(drift(x.x, velocity.x, rounding), drift(x.y, velocity.y, rounding), drift(x.z, velocity.z, rounding));
}

fn leave_spin(b: u32, wide: Wide3) {
    let spin = rounded3(wide) * DISPLACEMENT_UNIT;
    body_state[b].spin = wide;
    body_view[b].spin = spin;
    watch_turn(b, max(abs(spin), abs(body_push[b].spin)));
}

fn leave_velocity(b: u32, v: Wide3) {
    body_state[b].velocity = v;
    body_view[b].velocity = vec3<u32>(motion_window(v.x), motion_window(v.y), motion_window(v.z));
    watch_speed(b, abs(rounded3(v)) * DISPLACEMENT_UNIT);
}

// Asks for a new neighbour list if the body has moved too far from its anchor: the list holds whoever this step's displacement
// brings within reach, since the next detection looks as far ahead.
fn leave_position(b: u32, x: Wide3) {
    body_state[b].position = x;
    let here = vec3<u32>(position_window(x.x), position_window(x.y), position_window(x.z));
    let step = vec3<f32>(window_difference(here, body_view[b].position)) * WINDOW_UNIT;
    body_view[b].position = here;
    body_view[b].material_and_tail = with_tail(body_view[b].material_and_tail, x.x.x, x.y.x, x.z.x);
    let square = dot(step, step);
    ask_list(b, here, max(dynamics.anchor_max - square * inverse_root(max(square, 1.0e-30)), 0.0));
    watch_range(b, x.x, x.y, x.z);
}
