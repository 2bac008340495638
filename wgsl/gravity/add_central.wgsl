import package::state::body::{Field};
import package::state::gravity::{GravityParams};
import package::gravity::ahead::{ahead};
import package::math::wide3::{wide3_of, minus3, rounded3};
import package::math::position::{POSITION_UNIT};
import package::math::root::{quotient, root_of};
import package::math::dispatch::{linear_id};

// Adds the field of a fixed point mass or uniform sphere, at the middle of the holding interval.
var<uniform> gravity_params: GravityParams;
var<storage, read_write> body_gravity: array<Field>;

fn from_centre(body: u32) -> vec3<f32> {
    let centre = wide3_of(gravity_params.central_low, gravity_params.central_high);
    return rounded3(minus3(ahead(body), centre)) * POSITION_UNIT;
}

@compute @workgroup_size(64)
fn add_central(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= gravity_params.body_count || gravity_params.central_gm == 0.0) {
        return;
    }
    let d = from_centre(b);
    let radius = gravity_params.central_radius;
    let square = dot(d, d);
    let far_square = max(square, radius * radius);
    let far = root_of(far_square);
    // One quotient by the cube: the cube of an inverse has the same error thrice, all of one sign. A point gives nothing in its
    // place.
    let away = far_square > 0.0;
    let field = quotient(select(0.0, gravity_params.central_gm, away), select(1.0, far * far_square, away));
    // Inside a uniform sphere: g = -GM r/R3, potential -GM (3 R2 - r2) / 2 R3.
    let depth = select(far_square, 1.5 * far_square - 0.5 * square, square < far_square);
    body_gravity[b].acceleration += -field * d;
    body_gravity[b].potential += -field * depth;
}
