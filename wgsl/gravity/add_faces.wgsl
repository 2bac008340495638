import package::state::body::{Field};
import package::state::gravity::{GravityParams};
import package::state::face::{AsteroidParams, FacePart};
import package::gravity::gravity::{vector_of, field_of};
import package::state::control::{Control};
import package::math::dispatch::{linear_id};

// The asteroid's acceleration from the sums over slices of its faces: added to the field, or in place of what was there.
var<uniform> gravity_params: GravityParams;
var<uniform> asteroid_params: AsteroidParams;
var<storage, read> face_partial: array<FacePart>;
var<storage, read_write> body_gravity: array<Field>;
var<uniform> pass_constants: vec4<u32>; // x: 1 replaces
var<storage, read> control: Control;

const RUN: u32 = 16u;          // slices that are summed on their own
const SLICES_MAX: u32 = 8192u; // of 2^15 faces each, more faces than an index counts

@compute @workgroup_size(64)
fn add_faces(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let count = gravity_params.body_count;
    if (b >= count) {
        return;
    }
    let slices = asteroid_params.slice_count + control.zero;
    var total = vec3<f32>(0.0);
    for (var first = 0u; first < min(slices, SLICES_MAX); first += RUN) {
        var run = vec3<f32>(0.0);
        for (var slice = first; slice < min(first + RUN, slices); slice++) {
            run += face_partial[slice * count + b].pull;
        }
        total += run;
    }
    let before = select(vector_of(body_gravity[b]), vec4<f32>(0.0), pass_constants.x == 1u);
    body_gravity[b] = field_of(before - vec4<f32>(asteroid_params.pull * total, 0.0));
}
