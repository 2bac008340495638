import package::gravity::gravity::{GravityParams, predicted};
import package::math::wide::{sub64, neg64};
import package::math::dispatch::{linear_id};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// Largest coordinate difference to body 0, in units of L/64: fixes the scale of tree_position. Differences do not
// change when the whole system is shifted.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<u32>;
var<storage, read_write> gravity_extent: array<atomic<u32>>;

fn coordinate(body: u32, axis: u32) -> vec2<u32> {
    let s = STATE_WORDS * body + 2u * axis;
    return predicted(vec2<u32>(body_state[s], body_state[s + 1u]), vec2<u32>(body_state[s + STATE_VELOCITY], body_state[s + STATE_VELOCITY + 1u]), gravity_params.predict_steps);
}

@compute @workgroup_size(64)
fn measure_extent(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= gravity_params.body_count) {
        return;
    }
    var largest = 0u;
    for (var axis = 0u; axis < 3u; axis++) {
        let d = sub64(coordinate(b, axis), coordinate(0u, axis));
        largest = max(largest, select(d, neg64(d), (d.y >> 31u) == 1u).y);
    }
    atomicMax(&gravity_extent[0], largest);
}
