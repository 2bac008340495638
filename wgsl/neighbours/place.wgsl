import package::state::state_row::{STATE_WORDS};

// The pass that imports this binds `body_state`.

// The high words of a body's coordinates [L/64].
fn body_coarse(body: u32) -> vec3<i32> {
    let s = STATE_WORDS * body;
    return bitcast<vec3<i32>>(vec3<u32>(body_state[s + 1u], body_state[s + 3u], body_state[s + 5u]));
}

// The box from `low` to `high` is nearer to a body at `here`, rounded down, than `reach` [L/64]. Bodies and surfaces lie within
// 2^23 L, so that no difference wraps.
fn box_near(low: vec3<i32>, high: vec3<i32>, here: vec3<i32>, reach: f32) -> bool {
    let apart = vec3<f32>(max(max(low - here - 1, here - high), vec3<i32>(0)));
    return dot(apart, apart) < reach * reach;
}
