import package::shared::gravity::{GravityParams, TreeScale};
import package::shared::dispatch::{linear_id};

// Self-gravity by direct sum: tiles of 64 bodies through workgroup memory, each tile summed on its own. Differences
// are integers. 17 loop turns for 64 bodies: use for N below 190,000.
@group(0) @binding(0) var<uniform> gravity_params: GravityParams;
@group(0) @binding(1) var<storage, read> tree_position: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> tree_scale: array<TreeScale>;
@group(0) @binding(3) var<storage, read_write> body_gravity: array<vec4<f32>>;

var<workgroup> tile: array<vec4<i32>, 64>;

// Acceleration (xyz) and potential (w) of one source, without G; nothing from a body in the same place.
fn attraction(here: vec3<i32>, source: vec4<i32>, unit: f32) -> vec4<f32> {
    let d = vec3<f32>(source.xyz - here) * unit;
    let square = dot(d, d);
    let inverse = select(0.0, inverseSqrt(max(square, 1.0e-30)), square > 0.0);
    let m = bitcast<f32>(source.w) * inverse;
    return vec4<f32>(d * (m * inverse * inverse), -m);
}

@compute @workgroup_size(64)
fn sum_direct(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    let count = gravity_params.body_count;
    let here = tree_position[min(b, count - 1u)].xyz;
    let unit = tree_scale[0].unit;
    var total = vec4<f32>(0.0);
    for (var start = 0u; start < count; start += 64u) {
        let source = start + l;
        workgroupBarrier();
        // Past the end: a massless body.
        tile[l] = select(vec4<i32>(0), tree_position[min(source, count - 1u)], source < count);
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
