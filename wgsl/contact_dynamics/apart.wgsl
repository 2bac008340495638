import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide::{sub64, f32_from64};
import package::state::body::{BodyState};

var<storage, read> body_state: array<BodyState>;

// Free velocity of i less that of j, from the exact difference.
fn apart(i: u32, j: u32) -> vec3<f32> {
    let x = f32_from64(sub64(body_state[i].velocity.x, body_state[j].velocity.x));
    let y = f32_from64(sub64(body_state[i].velocity.y, body_state[j].velocity.y));
    let z = f32_from64(sub64(body_state[i].velocity.z, body_state[j].velocity.z));
    return vec3<f32>(x, y, z) * DISPLACEMENT_UNIT;
}
