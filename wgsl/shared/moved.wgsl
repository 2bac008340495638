import package::shared::control::{STEP, SOLVER, FAULT_BODY, FAULT_INDEX, FAULT_NON_FINITE};
import package::shared::wide::{finite};
import package::shared::wide3::{Wide3, plus3, fixed3, rounded3};
import package::shared::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT};
import package::shared::watch::{ask_list, watch_body, watch_turn};
import package::shared::state_read::{state3};
import package::shared::state_write::{put_state3};
import package::shared::state_row::{STATE_WORDS, STATE_VELOCITY, STATE_SPIN};

// The end of a step of contact dynamics. The pass that imports this binds `params`, `dynamics`, `control`, `body_push`,
// `body_state` and `body_view`.

struct Moved {
    place: Wide3,
    velocity: Wide3,
    spin: Wide3,
}

// Whether body `b` may move: its impulses are finite. Body 0 counts the step.
fn may_move(b: u32) -> bool {
    if (b == 0u) {
        atomicAdd(&control[STEP], 1u);
        atomicStore(&control[SOLVER], 0u);
    }
    let size = abs(body_push[2u * b].xyz) + abs(body_push[2u * b + 1u].xyz);
    let good = finite(size.x) && finite(size.y) && finite(size.z);
    if (!good) {
        atomicOr(&control[FAULT_BODY], FAULT_NON_FINITE);
        atomicMin(&control[FAULT_INDEX], b);
    }
    return good;
}

// The impulses' velocity and spin, and the drift from one detection to the next, which is a whole step of the new velocity
// for any theta (Sanchez et al. 2021, eq. 4).
fn moved(b: u32) -> Moved {
    let s = STATE_WORDS * b;
    let velocity = plus3(state3(s + STATE_VELOCITY), fixed3(body_push[2u * b].xyz));
    let x = state3(s);
    let place = Wide3(drift(x.x, velocity.x), drift(x.y, velocity.y), drift(x.z, velocity.z));
    return Moved(place, velocity, plus3(state3(s + STATE_SPIN), fixed3(body_push[2u * b + 1u].xyz)));
}

// Writes body `b` to state and view, and asks for a new neighbour list if it has left half the skin.
fn leave_moved(b: u32, m: Moved) {
    let s = STATE_WORDS * b;
    put_state3(s, m.place);
    put_state3(s + STATE_VELOCITY, m.velocity);
    put_state3(s + STATE_SPIN, m.spin);
    let here = vec3<u32>(position_window(m.place.x), position_window(m.place.y), position_window(m.place.z));
    let motion = vec3<u32>(motion_window(m.velocity.x), motion_window(m.velocity.y), motion_window(m.velocity.z));
    let spin = rounded3(m.spin) * DISPLACEMENT_UNIT;
    body_view[4u * b] = vec4<u32>(here, body_view[4u * b].w);
    body_view[4u * b + 1u] = vec4<u32>(motion, body_view[4u * b + 1u].w);
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin), body_view[4u * b + 2u].w);
    ask_list(b, here, dynamics.anchor_max);
    watch_body(b, abs(rounded3(m.velocity)) * DISPLACEMENT_UNIT, m.place.x, m.place.y, m.place.z);
    watch_turn(b, max(abs(spin), abs(body_push[2u * b + 1u].xyz)));
}
