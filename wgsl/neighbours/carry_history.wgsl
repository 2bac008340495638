import package::state::control::{Control};
import package::math::dispatch::{linear_id};

// Every pair takes over the history it had in the list before, found by the pair itself. pass_constants: rows of history
// and of results a pair.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> control: Control;
var<storage, read> pair_body: array<vec2<u32>>;
var<storage, read> pair_offset_prev: array<u32>;
var<storage, read> pair_body_prev: array<vec2<u32>>;
var<storage, read> pair_history_prev: array<vec4<f32>>;
var<storage, read_write> pair_history: array<vec4<f32>>;
var<storage, read_write> pair_result: array<vec4<f32>>;

@compute @workgroup_size(64)
fn carry_history(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (control.overflow != 0u || p >= control.pair_count) {
        return;
    }
    let pair = pair_body[p];
    var low = pair_offset_prev[pair.x];
    let last = pair_offset_prev[pair.x + 1u];
    var high = last;
    for (var k = 0u; k < 32u && low < high; k++) {
        let mid = (low + high) / 2u;
        if (pair_body_prev[mid].y < pair.y) {
            low = mid + 1u;
        } else {
            high = mid;
        }
    }
    let known = low < last && pair_body_prev[low].y == pair.y;
    for (var row = 0u; row < min(pass_constants.x, 64u); row++) {
        var value = vec4<f32>(0.0);
        if (known) {
            value = pair_history_prev[pass_constants.x * low + row];
        }
        pair_history[pass_constants.x * p + row] = value;
    }
    if (pass_constants.y > 0u) {
        pair_result[pass_constants.y * p] = vec4<f32>(0.0);
    }
}
