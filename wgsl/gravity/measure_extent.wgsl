import package::state::gravity::{GravityParams};
import package::gravity::ahead::{ahead};
import package::math::wide::{neg64};
import package::math::wide3::{minus3};
import package::math::dispatch::{linear_id};

// Largest coordinate difference to body 0, in units of L/64: fixes the scale of tree_position. Differences do not
// change when the whole system is shifted.
var<uniform> gravity_params: GravityParams;
var<storage, read_write> gravity_extent: array<atomic<u32>>;

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
    let d = minus3(ahead(b), ahead(0u));
    atomicMax(&gravity_extent[0], max(high_size(d.x), max(high_size(d.y), high_size(d.z))));
}
