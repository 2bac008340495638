import package::state::body::{Field};
import package::state::gravity::{GravityParams, Source, TreeScale};
import package::gravity::gravity::{field_of};
import package::gravity::tile::{sum_tile};
import package::math::dispatch::{linear_id};

// Self-gravity by direct sum: tiles of 64 bodies, each summed on its own. Differences are integers. At most 20 loop turns
// for 64 bodies: `gpu::constants::DIRECT_MAX` keeps within software devices' limit.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_position: array<Source>;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read_write> body_gravity: array<Field>;

const DIRECT_MAX: u32 = 180000u;
const FINE: u32 = 18u; // from this shift on positions alone are coarser than 2^-20 L

@compute @workgroup_size(64)
fn sum_direct(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let count = gravity_params.body_count;
    let here = tree_position[min(b, count - 1u)];
    let unit = tree_scale[0].unit;
    let is_fine = tree_scale[0].shift >= FINE;
    var total = vec4<f32>(0.0);
    for (var start = 0u; start < min(count, DIRECT_MAX); start += 64u) {
        total += sum_tile(l, start, count, here, unit, is_fine);
    }
    if (b < count) {
        body_gravity[b] = field_of(total * gravity_params.gravity_constant);
    }
}
