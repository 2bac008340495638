import package::state::control::{FAULT_NON_FINITE};
import package::state::control_atomic::{ControlAtomic};
import package::math::wide::{finite};
import package::math::wide3::{Wide3, plus3, fixed3, rounded3};
import package::math::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT};
import package::neighbours::watch::{ask_list, watch_speed, watch_range, watch_turn};
import package::state::state_read::{state3};
import package::state::state_write::{put_state3};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY, STATE_SPIN};

// The end of a step of contact dynamics. The pass that imports this binds `params`, `dynamics`, `control`, `body_push`,
// `body_state` and `body_view`.

// Whether body `b` may move: its impulses are finite. Body 0 counts the step.
fn may_move(b: u32) -> bool {
    if (b == 0u) {
        atomicAdd(&control.step, 1u);
        atomicStore(&control.solver, 0u);
    }
    let size = abs(body_push[2u * b].xyz) + abs(body_push[2u * b + 1u].xyz);
    let good = finite(size.x) && finite(size.y) && finite(size.z);
    if (!good) {
        atomicOr(&control.fault_body, FAULT_NON_FINITE);
        atomicMin(&control.fault_index, b);
    }
    return good;
}

// Velocity with the impulses.
fn pushed_velocity(b: u32) -> Wide3 {
    return plus3(state3(STATE_WORDS * b + STATE_VELOCITY), fixed3(body_push[2u * b].xyz));
}

// Spin with the impulses.
fn pushed_spin(b: u32) -> Wide3 {
    return plus3(state3(STATE_WORDS * b + STATE_SPIN), fixed3(body_push[2u * b + 1u].xyz));
}

// The drift from one detection to the next, which is a whole step of the new velocity for any theta (Sanchez et al. 2021,
// eq. 4).
fn drifted(b: u32, velocity: Wide3) -> Wide3 {
    let x = state3(STATE_WORDS * b);
    return Wide3(drift(x.x, velocity.x), drift(x.y, velocity.y), drift(x.z, velocity.z));
}

fn leave_spin(b: u32, wide: Wide3) {
    let spin = rounded3(wide) * DISPLACEMENT_UNIT;
    put_state3(STATE_WORDS * b + STATE_SPIN, wide);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin), body_view[4u * b + 2u].w);
    watch_turn(b, max(abs(spin), abs(body_push[2u * b + 1u].xyz)));
}

fn leave_velocity(b: u32, v: Wide3) {
    put_state3(STATE_WORDS * b + STATE_VELOCITY, v);
    let motion = vec3<u32>(motion_window(v.x), motion_window(v.y), motion_window(v.z));
    body_view[4u * b + 1u] = vec4<u32>(motion, body_view[4u * b + 1u].w);
    watch_speed(b, abs(rounded3(v)) * DISPLACEMENT_UNIT);
}

// Asks for a new neighbour list if the body has moved too far from its anchor.
fn leave_place(b: u32, x: Wide3) {
    put_state3(STATE_WORDS * b, x);
    let here = vec3<u32>(position_window(x.x), position_window(x.y), position_window(x.z));
    body_view[4u * b] = vec4<u32>(here, body_view[4u * b].w);
    ask_list(b, here, dynamics.anchor_max);
    watch_range(b, x.x, x.y, x.z);
}
