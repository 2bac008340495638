import package::math::dispatch::{linear_id};
import package::math::elementary::{ln, exponential, arctanh, arctan2};
import package::math::sine::{sine_ratio, cosine_drop, circle_point};

// The functions that replace built-in ones, at any arguments, for `breccia verify` alone: no step has this pass.
var<storage, read> argument: array<vec2<f32>>;
var<storage, read_write> value: array<vec4<f32>>;

@compute @workgroup_size(64)
fn evaluate_functions(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k >= arrayLength(&argument)) {
        return;
    }
    let a = argument[k];
    value[2u * k] = vec4<f32>(ln(a.x), exponential(a.x), arctanh(a.x), arctan2(a.y, a.x));
    value[2u * k + 1u] = vec4<f32>(circle_point(a.x), sine_ratio(a.x), cosine_drop(a.x));
}
