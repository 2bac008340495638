import package::shared::gravity::{GravityParams, TreeScale, Source, attraction};
import package::shared::dispatch::{linear_id};

// Self-gravity by direct sum: tiles of 64 bodies through workgroup memory, each tile summed on its own. Differences
// are integers. 17 loop turns for 64 bodies: use for N below 190,000.
@group(0) @binding(0) var<uniform> gravity_params: GravityParams;
@group(0) @binding(1) var<storage, read> tree_position: array<Source>;
@group(0) @binding(2) var<storage, read> tree_scale: array<TreeScale>;
@group(0) @binding(3) var<storage, read_write> body_gravity: array<vec4<f32>>;

var<workgroup> tile: array<Source, 64>;

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
        tile[l] = tree_position[min(source, count - 1u)];
        tile[l].mass = select(0.0, tile[l].mass, source < count); // past the end: a massless body
        workgroupBarrier();
        var part = vec4<f32>(0.0);
        for (var k = 0u; k < 64u; k += 4u) {
            part += attraction(here, tile[k], unit) + attraction(here, tile[k + 1u], unit);
            part += attraction(here, tile[k + 2u], unit) + attraction(here, tile[k + 3u], unit);
        }
        total += part;
    }
    if (b < count) {
        body_gravity[b] = total * gravity_params.gravity_constant;
    }
}
