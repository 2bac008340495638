import package::shared::gravity::{GravityParams, TreeScale, Source, attraction};
import package::shared::dispatch::{linear_id};

// Self-gravity by direct sum: tiles of 64 bodies through workgroup memory, each tile summed on its own. Differences
// are integers. 17 loop turns for 64 bodies: use for N below 190,000.
@group(0) @binding(0) var<uniform> gravity_params: GravityParams;
@group(0) @binding(1) var<storage, read> tree_position: array<Source>;
@group(0) @binding(2) var<storage, read> tree_scale: array<TreeScale>;
@group(0) @binding(3) var<storage, read_write> body_gravity: array<vec4<f32>>;

var<workgroup> tile_place: array<vec4<i32>, 64>;
var<workgroup> tile_rest: array<vec4<f32>, 64>;

fn pull(here: Source, k: u32, unit: f32) -> vec4<f32> {
    let rest = tile_rest[k];
    return attraction(here, Source(tile_place[k].xyz, rest.w, rest.xyz, 0.0), unit);
}

@compute @workgroup_size(64)
fn sum_direct(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    let count = gravity_params.body_count;
    let here = tree_position[min(b, count - 1u)];
    let unit = tree_scale[0].unit;
    var total = vec4<f32>(0.0);
    for (var start = 0u; start < count; start += 64u) {
        let source = start + l;
        workgroupBarrier();
        let body = tree_position[min(source, count - 1u)];
        tile_place[l] = vec4<i32>(body.place, 0);
        tile_rest[l] = vec4<f32>(body.rest, select(0.0, body.mass, source < count)); // past the end: a massless body
        workgroupBarrier();
        var part = vec4<f32>(0.0);
        for (var k = 0u; k < 64u; k += 4u) {
            part += pull(here, k, unit) + pull(here, k + 1u, unit);
            part += pull(here, k + 2u, unit) + pull(here, k + 3u, unit);
        }
        total += part;
    }
    if (b < count) {
        body_gravity[b] = total * gravity_params.gravity_constant;
    }
}
