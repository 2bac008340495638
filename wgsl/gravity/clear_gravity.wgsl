import package::state::body::{Field};
import package::state::gravity::{GravityParams};
import package::math::dispatch::{linear_id};

// No self-gravity: the field starts from nothing.
var<uniform> gravity_params: GravityParams;
var<storage, read_write> body_gravity: array<Field>;

@compute @workgroup_size(64)
fn clear_gravity(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b < gravity_params.body_count) {
        body_gravity[b] = Field(vec3<f32>(0.0), 0.0);
    }
}
