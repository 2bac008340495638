import package::shared::gravity::{GravityParams, TreeScale, predicted};
import package::shared::wide::{sub64, shift_right64};
import package::shared::dispatch::{linear_id};

// Positions for gravity: 31-bit integers about body 0 at the middle of the holding interval, and the mass.
@group(0) @binding(0) var<uniform> gravity_params: GravityParams;
@group(0) @binding(1) var<storage, read> body_state: array<u32>;
@group(0) @binding(2) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> gravity_extent: array<u32>;
@group(0) @binding(4) var<storage, read_write> tree_position: array<vec4<i32>>;
@group(0) @binding(5) var<storage, read_write> tree_scale: array<TreeScale>;

fn coordinate(body: u32, axis: u32) -> vec2<u32> {
    let s = 16u * body + 2u * axis;
    return predicted(vec2<u32>(body_state[s], body_state[s + 1u]), vec2<u32>(body_state[s + 6u], body_state[s + 7u]), gravity_params.predict_steps);
}

// |difference| < 2^(32 + bits); shifted, it stays below 2^30.
fn place(body: u32, axis: u32, shift: u32) -> i32 {
    let d = sub64(coordinate(body, axis), coordinate(0u, axis));
    return bitcast<i32>(shift_right64(shift_right64(d, 2u), shift - 2u).x) + 1073741824;
}

@compute @workgroup_size(64)
fn place_sources(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= gravity_params.body_count) {
        return;
    }
    let bits = 32u - countLeadingZeros(gravity_extent[0] + 1u);
    let shift = bits + 2u;
    let mass = 1.0 / bitcast<f32>(body_view[4u * b + 1u].w);
    tree_position[b] = vec4<i32>(place(b, 0u, shift), place(b, 1u, shift), place(b, 2u, shift), bitcast<i32>(mass));
    if (b == 0u) {
        tree_scale[0] = TreeScale(exp2(f32(shift) - 38.0), shift, 0u, 0u);
    }
}
