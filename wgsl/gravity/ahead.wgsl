import package::state::body::{BodyState};
import package::state::gravity::{GravityParams};
import package::gravity::gravity::{predicted3};
import package::math::turning::{turn_way};
import package::math::wide::{add64};
import package::math::wide3::{Wide3, next_axis3};

// From `carry` times a position to a velocity: 2^-30 and 2^-38 L to 2^-58 L/T.
const CARRY_SHIFT = 10u;

// Where bodies are in the middle of the interval over which a field is held. The field is held in the axes of the state: where
// these turn and velocities are those of inertial space, what the axes carry along does not count.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<BodyState>;

// Where velocities are always relative to the axes, as on an asteroid.
fn ahead_of_relative(body: u32) -> Wide3 {
    return predicted3(body_state[body].position, body_state[body].velocity, gravity_params.predict_steps);
}

fn ahead(body: u32) -> Wide3 {
    let position = body_state[body].position;
    var velocity = body_state[body].velocity;
    if (any(gravity_params.carry != vec3<i32>(0))) {
        velocity = relative_velocity(velocity, position);
    }
    return predicted3(position, velocity, gravity_params.predict_steps);
}

// One axis after the other, by one text.
fn relative_velocity(v: Wide3, p: Wide3) -> Wide3 {
    var relative = v;
    var d = p;
    var carry = gravity_params.carry;
    for (var axis = 0u; axis < 3u; axis++) {
        relative = next_axis3(Wide3(add64(relative.x, turn_way(carry, CARRY_SHIFT, d)), relative.y, relative.z));
        d = next_axis3(d);
        carry = carry.yzx;
    }
    return relative;
}
