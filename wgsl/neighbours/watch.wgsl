import package::state::params::{Params};
import package::state::control::{REQUEST_REBUILD, FAULT_OVERSPEED, FAULT_RANGE, FAULT_TURN};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::math::position::{window_difference, out_of_range, WINDOW_UNIT};
import package::math::root::{inverse_root};

// What is watched of a body that has moved.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> body_view: array<BodyView>;

// Square of the displacement of body `b` from its anchor [L2].
fn strayed(b: u32, here: vec3<u32>) -> f32 {
    let moved = vec3<f32>(window_difference(here, body_view[b].anchor)) * WINDOW_UNIT;
    return dot(moved, moved);
}

// Asks for a new list if body `b` has moved farther than `way` [L] from its anchor.
fn ask_list(b: u32, here: vec3<u32>, way: f32) {
    if (strayed(b, here) > way * way) {
        atomicOr(&control.request, REQUEST_REBUILD);
    }
}

// Whether no other body and no surface is near body `b`: it has room. Walls are looked at in every step, wherever they are.
fn alone(b: u32) -> bool {
    // No `&&`: it is a branch on a uniform, for which lavapipe compiles the pass anew at every dispatch.
    return select(0.0, bitcast<f32>(body_view[b].clump_or_room), params.wall_count == 0u) > 0.0;
}

// The same, but a body that has room goes on from a new anchor as long as another step of length `step` [L] fits in the room.
// Twice the rounding error is subtracted at every anchor, so that the room ends too early rather than too late.
fn ask_list_roaming(b: u32, here: vec3<u32>, way: f32, step: f32) {
    let square = strayed(b, here);
    if (square > way * way) {
        let room = bitcast<f32>(body_view[b].clump_or_room);
        let left = room - square * inverse_root(square) - 1.2e-7 * room;
        if (left > 1.1 * step) {
            body_view[b].anchor = here;
            body_view[b].clump_or_room = bitcast<u32>(left);
        } else {
            atomicOr(&control.request, REQUEST_REBUILD);
        }
    }
}

// Reports a body that is too fast; speeds [L/T].
fn watch_speed(b: u32, speeds: vec3<f32>) {
    if (max(speeds.x, max(speeds.y, speeds.z)) > params.motion_max) {
        atomicOr(&control.fault_body, FAULT_OVERSPEED);
        atomicMin(&control.fault_index, b);
    }
}

// Reports a body that is out of range.
fn watch_range(b: u32, x: vec2<u32>, y: vec2<u32>, z: vec2<u32>) {
    if (out_of_range(x) || out_of_range(y) || out_of_range(z)) {
        atomicOr(&control.fault_body, FAULT_RANGE);
        atomicMin(&control.fault_index, b);
    }
}

// Reports a body that turns by more than half a rotation in a step, since the direction of the turn would be ambiguous.
// `spin` [1/T]: the larger of the spin and its change, which 64 bits hold up to 16.
fn watch_turn(b: u32, spin: vec3<f32>) {
    if (dot(spin, spin) > 9.8696044) {
        atomicOr(&control.fault_body, FAULT_TURN);
        atomicMin(&control.fault_index, b);
    }
}
