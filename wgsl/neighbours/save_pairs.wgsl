import package::state::control::{Control};
import package::math::dispatch::{linear_id};

// Puts the present list and its history aside; pass_constants.x: rows of history a pair.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> control: Control;
var<storage, read> pair_body: array<vec2<u32>>;
var<storage, read> pair_history: array<vec4<f32>>;
var<storage, read_write> pair_body_prev: array<vec2<u32>>;
var<storage, read_write> pair_history_prev: array<vec4<f32>>;

@compute @workgroup_size(64)
fn save_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (control.overflow != 0u || p >= control.pair_count) {
        return;
    }
    pair_body_prev[p] = pair_body[p];
    for (var row = 0u; row < min(pass_constants.x, 64u); row++) {
        let at = pass_constants.x * p + row;
        pair_history_prev[at] = pair_history[at];
    }
}
