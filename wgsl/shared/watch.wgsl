import package::shared::control::{REQUEST, REQUEST_REBUILD, FAULT_BODY, FAULT_INDEX, FAULT_OVERSPEED, FAULT_RANGE};
import package::shared::position::{window_difference, out_of_range, WINDOW_UNIT, DISPLACEMENT_UNIT};

// The pass that imports this binds `params`, `control` with atomics, and `body_view`.

// Asks for a new list if body `b` has moved farther than `way` [L] from its anchor, and tells of one that is too fast or
// out of range; speeds [2^-58 L/T].
fn watch_body(b: u32, here: vec3<u32>, way: f32, speeds: vec3<f32>, x: vec2<u32>, y: vec2<u32>, z: vec2<u32>) {
    let moved = vec3<f32>(window_difference(here, body_view[4u * b + 3u].xyz)) * WINDOW_UNIT;
    if (dot(moved, moved) > way * way) {
        atomicOr(&control[REQUEST], REQUEST_REBUILD);
    }
    if (max(speeds.x, max(speeds.y, speeds.z)) * DISPLACEMENT_UNIT > params.motion_max) {
        atomicOr(&control[FAULT_BODY], FAULT_OVERSPEED);
        atomicMin(&control[FAULT_INDEX], b);
    }
    if (out_of_range(x) || out_of_range(y) || out_of_range(z)) {
        atomicOr(&control[FAULT_BODY], FAULT_RANGE);
        atomicMin(&control[FAULT_INDEX], b);
    }
}
