import package::math::dispatch::{linear_id};
import package::state::view::{View};
import package::math::elementary::{ln, exponential};

// Four samples to one pixel of the picture: mean light of the covered ones as sRGB, and their share as alpha.
var<uniform> view: View;
var<storage, read> light: array<u32>;
var<storage, read_write> picture: array<u32>;

fn srgb(c: f32) -> f32 {
    let curve = 1.055 * exponential(ln(max(c, 1e-6)) / 2.4) - 0.055;
    return select(curve, 12.92 * c, c <= 0.0031308);
}

@compute @workgroup_size(64)
fn render_resolve(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    let side = view.size / 2u;
    if (i < side * side) {
        let first = (i / side) * 2u * view.size + (i % side) * 2u;
        var sum = vec4<f32>(0.0);
        for (var k = 0u; k < 4u; k++) {
            let sample = unpack4x8unorm(light[first + (k >> 1u) * view.size + (k & 1u)]);
            sum += vec4<f32>(sample.rgb * sample.rgb, sample.a);
        }
        let mean = sum.rgb / max(sum.a, 1.0);
        picture[i] = pack4x8unorm(vec4<f32>(srgb(mean.r), srgb(mean.g), srgb(mean.b), 0.25 * sum.a));
    }
}
