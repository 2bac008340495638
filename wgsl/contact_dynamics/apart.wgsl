import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide::{sub64, f32_from64};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// The pass that imports this binds `body_state`.

// Free velocity of i less that of j, from the exact difference.
fn apart(i: u32, j: u32, axis: u32) -> f32 {
    let a = STATE_WORDS * i + STATE_VELOCITY + 2u * axis;
    let b = STATE_WORDS * j + STATE_VELOCITY + 2u * axis;
    return f32_from64(sub64(vec2<u32>(body_state[a], body_state[a + 1u]), vec2<u32>(body_state[b], body_state[b + 1u]))) * DISPLACEMENT_UNIT;
}
