import package::state::control::{Control};
import package::state::contact::{Residual};
import package::math::dispatch::{linear_id};

// Sums of 64 contacts' residuals each, in their order.
var<storage, read> control: Control;
var<storage, read> contact_residual: array<Residual>;
var<storage, read_write> residual_partial: array<Residual>;

@compute @workgroup_size(64)
fn sum_residual(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let first = 64u * linear_id(w, l, 64u);
    let count = control.contact_count;
    if (first >= count) {
        return;
    }
    let last = min(first + 64u, count) + control.zero;
    var sum = vec2<f32>(0.0);
    for (var c = first; c < min(last, first + 64u); c++) {
        sum += vec2<f32>(contact_residual[c].error, contact_residual[c].size);
    }
    residual_partial[first / 64u] = Residual(sum.x, sum.y);
}
