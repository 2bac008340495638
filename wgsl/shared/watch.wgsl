import package::shared::control::{REQUEST, REQUEST_REBUILD, FAULT_BODY, FAULT_INDEX, FAULT_OVERSPEED, FAULT_RANGE};
import package::shared::position::{window_difference, out_of_range, WINDOW_UNIT};

// The pass that imports this binds `params`, `control` with atomics, and `body_view`.

// Square of the way of body `b` from its anchor [L2].
fn strayed(b: u32, here: vec3<u32>) -> f32 {
    let moved = vec3<f32>(window_difference(here, body_view[4u * b + 3u].xyz)) * WINDOW_UNIT;
    return dot(moved, moved);
}

// Asks for a new list if body `b` has moved farther than `way` [L] from its anchor.
fn ask_list(b: u32, here: vec3<u32>, way: f32) {
    if (strayed(b, here) > way * way) {
        atomicOr(&control[REQUEST], REQUEST_REBUILD);
    }
}

// The same, but a body that has room goes on from a new anchor until the room is used up.
fn ask_list_roaming(b: u32, here: vec3<u32>, way: f32) {
    let square = strayed(b, here);
    if (square > way * way) {
        let left = bitcast<f32>(body_view[4u * b + 3u].w) - sqrt(square);
        if (left > 0.0) {
            body_view[4u * b + 3u] = vec4<u32>(here, bitcast<u32>(left));
        } else {
            atomicOr(&control[REQUEST], REQUEST_REBUILD);
        }
    }
}

// Tells of a body that is too fast, speeds [L/T], or out of range.
fn watch_body(b: u32, speeds: vec3<f32>, x: vec2<u32>, y: vec2<u32>, z: vec2<u32>) {
    if (max(speeds.x, max(speeds.y, speeds.z)) > params.motion_max) {
        atomicOr(&control[FAULT_BODY], FAULT_OVERSPEED);
        atomicMin(&control[FAULT_INDEX], b);
    }
    if (out_of_range(x) || out_of_range(y) || out_of_range(z)) {
        atomicOr(&control[FAULT_BODY], FAULT_RANGE);
        atomicMin(&control[FAULT_INDEX], b);
    }
}
