import package::math::wide3::{Wide3};

// The three axes from word `at` of `body_state`, which the pass that imports this binds.
fn state3(at: u32) -> Wide3 {
    let x = vec2<u32>(body_state[at], body_state[at + 1u]);
    let y = vec2<u32>(body_state[at + 2u], body_state[at + 3u]);
    return Wide3(x, y, vec2<u32>(body_state[at + 4u], body_state[at + 5u]));
}
