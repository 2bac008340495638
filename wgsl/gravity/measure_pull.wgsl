import package::state::body::{Field};
import package::state::gravity::{GravityParams};
import package::math::dispatch::{linear_id};

// The size of self-gravity over G, while the field holds nothing else: the measure of the relative criterion at the next
// evaluation. Over G first: the square of an acceleration in code units may be too small for f32.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_gravity: array<Field>;
var<storage, read_write> body_self_pull: array<f32>;

@compute @workgroup_size(64)
fn measure_pull(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b < gravity_params.body_count) {
        body_self_pull[b] = length(body_gravity[b].acceleration / gravity_params.gravity_constant);
    }
}
