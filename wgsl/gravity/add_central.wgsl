import package::gravity::gravity::{GravityParams, predicted};
import package::math::wide::{sub64, f32_from64};
import package::math::position::{POSITION_UNIT};
import package::math::root::{quotient, root_of};
import package::math::dispatch::{linear_id};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// Adds the field of a fixed point mass or uniform sphere, at the middle of the holding interval.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<u32>;
var<storage, read_write> body_gravity: array<vec4<f32>>;

fn from_centre(body: u32, axis: u32) -> f32 {
    let s = STATE_WORDS * body + 2u * axis;
    let x = predicted(vec2<u32>(body_state[s], body_state[s + 1u]), vec2<u32>(body_state[s + STATE_VELOCITY], body_state[s + STATE_VELOCITY + 1u]), gravity_params.predict_steps);
    let centre = vec2<u32>(gravity_params.central_low[axis], gravity_params.central_high[axis]);
    return f32_from64(sub64(x, centre)) * POSITION_UNIT;
}

@compute @workgroup_size(64)
fn add_central(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= gravity_params.body_count || gravity_params.central_gm == 0.0) {
        return;
    }
    let d = vec3<f32>(from_centre(b, 0u), from_centre(b, 1u), from_centre(b, 2u));
    let radius = gravity_params.central_radius;
    let square = dot(d, d);
    let far_square = max(square, radius * radius);
    let far = root_of(far_square);
    // One quotient by the cube: the cube of an inverse has the same error thrice, all of one sign.
    let field = quotient(gravity_params.central_gm, far * far_square);
    // Inside a uniform sphere: g = -GM r/R3, potential -GM (3 R2 - r2) / 2 R3.
    let depth = select(far_square, 1.5 * far_square - 0.5 * square, square < far_square);
    body_gravity[b] += vec4<f32>(-field * d, -field * depth);
}
