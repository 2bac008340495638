// The pass that imports this binds `body_state`.

// The high words of a body's coordinates [L/64].
fn body_coarse(body: u32) -> vec3<i32> {
    let s = 16u * body;
    return bitcast<vec3<i32>>(vec3<u32>(body_state[s + 1u], body_state[s + 3u], body_state[s + 5u]));
}

// A coordinate in 2^-14 L, rounded down; beyond 2^16 L it stays there, farther than any surface.
fn place_axis(body: u32, axis: u32) -> i32 {
    let s = 16u * body + 2u * axis;
    let high = bitcast<i32>(body_state[s + 1u]);
    let near = clamp(high, -4194304, 4194303);
    return (near << 8u) | select(0, i32(body_state[s] >> 24u), near == high);
}

// Where boxes of the surface are compared with a body.
fn body_place(body: u32) -> vec3<i32> {
    return vec3<i32>(place_axis(body, 0u), place_axis(body, 1u), place_axis(body, 2u));
}

// The box from `low` to `high` is nearer to `here` than `reach` [2^-14 L].
fn box_near(low: vec3<i32>, high: vec3<i32>, here: vec3<i32>, reach: f32) -> bool {
    let apart = vec3<f32>(max(max(low - here, here - high), vec3<i32>(0)));
    return dot(apart, apart) < reach * reach;
}
