import package::state::face::{AsteroidParams};
import package::gravity::ahead::{ahead_of_relative};
import package::math::wide3::{rounded3};
import package::math::position::{POSITION_UNIT};

var<uniform> asteroid_params: AsteroidParams;

// Where a body is, in radii of the asteroid from its mass centre, at the middle of the holding interval.
fn field_point(body: u32) -> vec3<f32> {
    return rounded3(ahead_of_relative(body)) * POSITION_UNIT * asteroid_params.per_length;
}
