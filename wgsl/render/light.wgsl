import package::state::view::{View, pixel_ray, to_view};
import package::math::sine::{circle_point};

// Light on a point of a picture: one sun with a soft shadow, and a sky that nearby things hide. Fixed loops: 16 + 24 turns.
var<uniform> view: View;
var<uniform> shadow_view: View;
var<storage, read> depth: array<f32>;
var<storage, read> shadow_depth: array<f32>;

const GOLDEN_ANGLE: f32 = 2.3999632;
const SHADOW_SAMPLES: u32 = 16u;
const OCCLUSION_SAMPLES: u32 = 24u;
const FAR: f32 = 1e30; // an empty pixel's depth is infinite

// Sample k of `count` spread evenly over the unit disc; `turn` differs between the samples of one final pixel.
fn disc(k: u32, count: u32, turn: f32) -> vec2<f32> {
    return sqrt((f32(k) + 0.5) / f32(count)) * circle_point(GOLDEN_ANGLE * f32(k) + turn);
}

fn sample_turn(pixel: vec2<u32>) -> f32 {
    return 1.5707963 * f32((pixel.x & 1u) + 2u * (pixel.y & 1u)) / 1.7;
}

fn clamp_pixel(p: vec2<f32>, size: u32) -> vec2<u32> {
    return vec2<u32>(clamp(p, vec2<f32>(0.0), vec2<f32>(f32(size) - 1.0)));
}

// Side of a pixel of the sun's picture.
fn shadow_texel() -> f32 {
    return 2.0 * shadow_view.half_width / f32(shadow_view.size);
}

// Share of the sun that reaches a point [0, 1]. Points are lifted off their surface, or it would shade itself through
// the coarse pixels of the sun's picture. Ground beyond that picture lies in the sun.
fn sunlight(point: vec3<f32>, turn: f32) -> f32 {
    let margin = 1.5 * shadow_texel() + 0.5 * shadow_view.blur;
    let at = to_view(shadow_view, point);
    let scale = 0.5 * f32(shadow_view.size) / shadow_view.half_width;
    let middle = vec2<f32>(at.x, -at.y) * scale + 0.5 * f32(shadow_view.size);
    var lit = 0.0;
    for (var k = 0u; k < SHADOW_SAMPLES; k++) {
        let spot = middle + scale * shadow_view.blur * disc(k, SHADOW_SAMPLES, turn);
        let outside = any(spot < vec2<f32>(0.0)) || any(spot >= vec2<f32>(f32(shadow_view.size)));
        let q = clamp_pixel(spot, shadow_view.size);
        lit += select(0.0, 1.0, outside || shadow_depth[q.y * shadow_view.size + q.x] > at.z - margin);
    }
    return lit / f32(SHADOW_SAMPLES);
}

// Share of the sky that nearby things leave open [0, 1], from the depths around the pixel. Its own depth hides nothing:
// it may be rounded differently here and where it was found, and the direction to it is that difference alone.
fn open_sky(pixel: vec2<u32>, point: vec3<f32>, normal: vec3<f32>, turn: f32) -> f32 {
    let reach = clamp(2.0 * view.grain / (point.z * view.half_width) * 0.5 * f32(view.size), 3.0, 160.0);
    var hidden = 0.0;
    for (var k = 0u; k < OCCLUSION_SAMPLES; k++) {
        let q = clamp_pixel(vec2<f32>(pixel) + 0.5 + reach * disc(k, OCCLUSION_SAMPLES, turn), view.size);
        let t = depth[q.y * view.size + q.x];
        let ray = pixel_ray(view, q);
        let v = ray.origin + min(t, FAR) * ray.direction - point;
        let far = length(v) / view.grain;
        let rise = dot(normal, v) / max(length(v), 1e-12) - 0.12;
        hidden += select(0.0, max(rise, 0.0) / (1.0 + 0.25 * far * far), t < FAR && far < 6.0 && any(q != pixel));
    }
    return clamp(1.0 - 2.2 * hidden / f32(OCCLUSION_SAMPLES), 0.0, 1.0);
}

// What a tint sends back: square roots of red, green, blue, and how much light and shade count. A trace of white keeps the form
// of the darkest visible.
fn reflected(tint: u32, out: vec3<f32>, sky: f32, sun: f32) -> vec3<f32> {
    let root = unpack4x8unorm(tint);
    let shaded = 0.56 * sky * (0.85 + 0.15 * out.z) + 0.58 * sun;
    let base = root.rgb * root.rgb * (1.0 + root.a * (shaded - 1.0));
    return base + 0.007 * sky * (0.6 + 0.4 * out.z) + 0.010 * sun;
}

fn packed(light: vec3<f32>) -> u32 {
    return pack4x8unorm(vec4<f32>(sqrt(clamp(light, vec3<f32>(0.0), vec3<f32>(1.0))), 1.0));
}
