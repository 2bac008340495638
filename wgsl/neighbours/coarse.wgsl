import package::state::body::{BodyState};

var<storage, read> body_state: array<BodyState>;

// The high words of a body's coordinates [L/64].
fn body_coarse(body: u32) -> vec3<i32> {
    return bitcast<vec3<i32>>(vec3<u32>(body_state[body].position.x.y, body_state[body].position.y.y, body_state[body].position.z.y));
}

// The box from `low` to `high` is nearer to a body at `here`, rounded down, than `reach` [L]. Bodies and surfaces lie within
// 2^23 L, so that no difference wraps.
fn box_near(low: vec3<i32>, high: vec3<i32>, here: vec3<i32>, reach: f32) -> bool {
    let steps = 64.01 * reach; // beyond what f32 rounds
    let apart = vec3<f32>(max(max(low - here - 1, here - high), vec3<i32>(0)));
    return dot(apart, apart) < steps * steps;
}
