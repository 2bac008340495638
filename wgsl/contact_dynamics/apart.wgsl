import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide3::{minus3, rounded3};
import package::state::body::{BodyState};

var<storage, read> body_state: array<BodyState>;

// Free velocity of i less that of j, from the exact difference.
fn apart(i: u32, j: u32) -> vec3<f32> {
    return rounded3(minus3(body_state[i].velocity, body_state[j].velocity)) * DISPLACEMENT_UNIT;
}
