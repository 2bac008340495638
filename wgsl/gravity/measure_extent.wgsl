import package::state::body::{BodyState};
import package::state::gravity::{GravityParams};
import package::gravity::gravity::{predicted};
import package::math::wide::{neg64};
import package::math::wide3::{Wide3, minus3};
import package::math::dispatch::{linear_id};

// Largest coordinate difference to body 0, in units of L/64: fixes the scale of tree_position. Differences do not
// change when the whole system is shifted.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<BodyState>;
var<storage, read_write> gravity_extent: array<atomic<u32>>;

fn predicted_position(body: u32) -> Wide3 {
    let steps = gravity_params.predict_steps;
    return Wide3(
        predicted(body_state[body].position.x, body_state[body].velocity.x, steps),
        predicted(body_state[body].position.y, body_state[body].velocity.y, steps),
        predicted(body_state[body].position.z, body_state[body].velocity.z, steps),
    );
}

// The high word of a size.
fn high_size(d: vec2<u32>) -> u32 {
    return select(d, neg64(d), (d.y >> 31u) == 1u).y;
}

@compute @workgroup_size(64)
fn measure_extent(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= gravity_params.body_count) {
        return;
    }
    let d = minus3(predicted_position(b), predicted_position(0u));
    atomicMax(&gravity_extent[0], max(high_size(d.x), max(high_size(d.y), high_size(d.z))));
}
