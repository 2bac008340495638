import package::gravity::gravity::{predicted};
import package::math::wide::{f32_from64};
import package::math::position::{POSITION_UNIT};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// The pass that imports this binds `body_state`, `gravity_params` and `asteroid_params`.

fn field_coordinate(body: u32, axis: u32) -> f32 {
    let s = STATE_WORDS * body + 2u * axis;
    let x = predicted(vec2<u32>(body_state[s], body_state[s + 1u]), vec2<u32>(body_state[s + STATE_VELOCITY], body_state[s + STATE_VELOCITY + 1u]), gravity_params.predict_steps);
    return f32_from64(x) * POSITION_UNIT;
}

// Place of a body in radii of the asteroid from its mass centre, at the middle of the holding interval.
fn field_point(body: u32) -> vec3<f32> {
    return vec3<f32>(field_coordinate(body, 0u), field_coordinate(body, 1u), field_coordinate(body, 2u)) * asteroid_params.per_length;
}
