import package::state::body::{BodyState};
import package::state::gravity::{GravityParams};
import package::state::face::{AsteroidParams};
import package::gravity::gravity::{predicted3};
import package::math::wide3::{rounded3};
import package::math::position::{POSITION_UNIT};

var<uniform> gravity_params: GravityParams;
var<uniform> asteroid_params: AsteroidParams;
var<storage, read> body_state: array<BodyState>;

// Where a body is, in radii of the asteroid from its mass centre, at the middle of the holding interval.
fn field_point(body: u32) -> vec3<f32> {
    let here = predicted3(body_state[body].position, body_state[body].velocity, gravity_params.predict_steps);
    return rounded3(here) * POSITION_UNIT * asteroid_params.per_length;
}
