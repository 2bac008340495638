import package::shared::wide::{add64, mul64, shift_right64};

// What the gravity passes are told; mirrored by `solver::layout::GravityParams`.
struct GravityParams {
    gravity_constant: f32,   // [L3/(M T2)]
    predict_steps: u32,      // steps of the holding interval less one; the field is taken at its middle
    body_count: u32,
    central_gm: f32,         // [L3/T2]; 0: no central body
    central_low: vec3<u32>,
    pad0: u32,
    central_high: vec3<u32>,
    pad1: u32,
    pad: vec4<u32>,
}

struct TreeScale {
    unit: f32,               // length of one unit of tree_position [L]
    shift: u32,
    pad0: u32,
    pad1: u32,
}

// Coordinate at the middle of the holding interval: x + v (k - 1) / 2.
fn predicted(position: vec2<u32>, velocity: vec2<u32>, steps: u32) -> vec2<u32> {
    return add64(position, shift_right64(mul64(velocity, steps), 21u));
}
