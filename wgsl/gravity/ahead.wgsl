import package::state::body::{BodyState};
import package::state::gravity::{GravityParams};
import package::gravity::gravity::{predicted3};
import package::math::wide3::{Wide3};

// Where bodies are in the middle of the interval over which a field is held.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<BodyState>;

fn ahead(body: u32) -> Wide3 {
    return predicted3(body_state[body].position, body_state[body].velocity, gravity_params.predict_steps);
}
