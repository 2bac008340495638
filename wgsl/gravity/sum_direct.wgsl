import package::state::body::{Field};
import package::state::gravity::{GravityParams, Source, TreeScale};
import package::gravity::gravity::{pull, field_of};
import package::math::dispatch::{linear_id};

// Self-gravity by direct sum: tiles of 64 bodies through workgroup memory, each tile summed on its own. Differences
// are integers. At most 20 loop turns for 64 bodies: `engine::gpu::limits::DIRECT_MAX` keeps within software devices' limit.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_position: array<Source>;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read_write> body_gravity: array<Field>;

var<workgroup> tile_position: array<vec4<i32>, 64>; // and the mass
var<workgroup> tile_rest: array<vec4<f32>, 64>;

const DIRECT_MAX: u32 = 180000u;
const FINE: u32 = 18u; // from this shift on positions alone are coarser than 2^-20 L

fn coarse(here: vec3<i32>, k: u32, unit: f32) -> vec4<f32> {
    let source = tile_position[k];
    return pull(vec3<f32>(source.xyz - here) * unit, bitcast<f32>(source.w));
}

fn fine(here: Source, k: u32, unit: f32) -> vec4<f32> {
    let source = tile_position[k];
    let d = vec3<f32>(source.xyz - here.position) + (tile_rest[k].xyz - here.rest);
    return pull(d * unit, bitcast<f32>(source.w));
}

@compute @workgroup_size(64)
fn sum_direct(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let count = gravity_params.body_count;
    let here = tree_position[min(b, count - 1u)];
    let unit = tree_scale[0].unit;
    // One of the two loops below is empty: software devices load what both sides of a branch need.
    let split = select(64u, 0u, tree_scale[0].shift >= FINE);
    var total = vec4<f32>(0.0);
    for (var start = 0u; start < min(count, DIRECT_MAX); start += 64u) {
        let source = start + l;
        workgroupBarrier();
        let body = tree_position[min(source, count - 1u)];
        let mass = select(0.0, body.mass, source < count); // past the end: a massless body
        tile_position[l] = vec4<i32>(body.position, bitcast<i32>(mass));
        tile_rest[l] = vec4<f32>(body.rest, 0.0);
        workgroupBarrier();
        var part = vec4<f32>(0.0);
        for (var k = 0u; k < min(split, 64u); k += 8u) {
            part += coarse(here.position, k, unit) + coarse(here.position, k + 1u, unit);
            part += coarse(here.position, k + 2u, unit) + coarse(here.position, k + 3u, unit);
            part += coarse(here.position, k + 4u, unit) + coarse(here.position, k + 5u, unit);
            part += coarse(here.position, k + 6u, unit) + coarse(here.position, k + 7u, unit);
        }
        for (var k = split; k < 64u; k += 8u) {
            part += fine(here, k, unit) + fine(here, k + 1u, unit);
            part += fine(here, k + 2u, unit) + fine(here, k + 3u, unit);
            part += fine(here, k + 4u, unit) + fine(here, k + 5u, unit);
            part += fine(here, k + 6u, unit) + fine(here, k + 7u, unit);
        }
        total += part;
    }
    if (b < count) {
        body_gravity[b] = field_of(total * gravity_params.gravity_constant);
    }
}
