import package::shared::dispatch::{linear_id};
import package::shared::view::{View, NOBODY, pixel_ray, to_view, from_view};
import package::shared::solid::{body_hit};

// Light on what each pixel shows: the body's tint under one sun with a soft shadow, plus ambient light that nearby
// bodies hide, and a dark line where a body ends in front of another. Fixed loops: 16 + 24 + 4 turns, and one a face.
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> shadow_view: View;
@group(0) @binding(2) var<storage, read> sphere: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> tint: array<u32>; // square roots of red, green, blue
@group(0) @binding(4) var<storage, read> depth: array<f32>;
@group(0) @binding(5) var<storage, read> owner: array<u32>;
@group(0) @binding(6) var<storage, read> shadow_depth: array<f32>;
@group(0) @binding(7) var<storage, read> face: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read> plane: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> light: array<u32>; // square roots of red, green, blue; covered

const GOLDEN_ANGLE: f32 = 2.3999632;
const SHADOW_SAMPLES: u32 = 16u;
const OCCLUSION_SAMPLES: u32 = 24u;
const FAR: f32 = 1e30; // an empty pixel's depth is infinite

// Sample k of `count` spread evenly over the unit disc; `turn` differs between the samples of one final pixel.
fn disc(k: u32, count: u32, turn: f32) -> vec2<f32> {
    let angle = GOLDEN_ANGLE * f32(k) + turn;
    return sqrt((f32(k) + 0.5) / f32(count)) * vec2<f32>(cos(angle), sin(angle));
}

fn clamp_pixel(p: vec2<f32>, size: u32) -> vec2<u32> {
    return vec2<u32>(clamp(p, vec2<f32>(0.0), vec2<f32>(f32(size) - 1.0)));
}

// Share of the sun that reaches a point [0, 1].
fn sunlight(point: vec3<f32>, margin: f32, turn: f32) -> f32 {
    let at = to_view(shadow_view, point);
    let scale = 0.5 * f32(shadow_view.size) / shadow_view.half_width;
    let middle = vec2<f32>(at.x, -at.y) * scale + 0.5 * f32(shadow_view.size);
    var lit = 0.0;
    for (var k = 0u; k < SHADOW_SAMPLES; k++) {
        let q = clamp_pixel(middle + scale * shadow_view.blur * disc(k, SHADOW_SAMPLES, turn), shadow_view.size);
        lit += select(0.0, 1.0, shadow_depth[q.y * shadow_view.size + q.x] > at.z - margin);
    }
    return lit / f32(SHADOW_SAMPLES);
}

// Share of the sky that nearby bodies leave open [0, 1], from the depths around the pixel. Its own depth hides nothing:
// it may be rounded differently here and in `render_nearest`, and the direction to it is that difference alone.
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

// Share of the four neighbours, `step` pixels away, that show something clearly behind this point.
fn outline(pixel: vec2<u32>, at: f32, radius: f32, step: f32) -> f32 {
    var behind = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let side = vec2<f32>(f32(k & 1u) * 2.0 - 1.0, f32(k >> 1u) * 2.0 - 1.0) * 0.7071 * step;
        let q = clamp_pixel(vec2<f32>(pixel) + 0.5 + side, view.size);
        behind += select(0.0, 0.25, depth[q.y * view.size + q.x] > at + 0.35 * radius);
    }
    return behind;
}

@compute @workgroup_size(64)
fn render_shade(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, n, l, 64u);
    if (i < view.size * view.size) {
        let pixel = vec2<u32>(i % view.size, i / view.size);
        let body = owner[i];
        var shade = vec4<f32>(0.0);
        if (body != NOBODY) {
            let s = sphere[body];
            let ray = pixel_ray(view, pixel);
            let centre = to_view(view, s.xyz);
            let hit = body_hit(body, ray, centre, s.w);
            let t = hit.depth;
            let point = ray.origin + t * ray.direction;
            let flat = face[body].y > 0u;
            let round = (point - centre) / s.w;
            let normal = select(round, hit.normal, flat);
            let out = from_view(view, normal);
            let turn = 1.5707963 * f32((pixel.x & 1u) + 2u * (pixel.y & 1u)) / 1.7;
            let lambert = max(-dot(out, shadow_view.forward), 0.0);
            // Lifted off the surface, or the body would shade itself through the shadow picture's coarse pixels.
            let texel = 2.0 * shadow_view.half_width / f32(shadow_view.size);
            let above = s.xyz + from_view(view, point - centre) + out * (1.5 * texel);
            let lifted = select(s.xyz + out * (s.w + 1.5 * texel), above, flat);
            let sun = lambert * sunlight(lifted, 1.5 * texel + 0.5 * shadow_view.blur, turn);
            let sky = open_sky(pixel, point, normal, turn);
            let width = s.w / (point.z * view.half_width) * 0.5 * f32(view.size); // radius in pixels
            let line = outline(pixel, t, s.w, clamp(width * 0.08, 1.0, 3.0)) * clamp(width * 0.1, 0.0, 0.75);
            let root = unpack4x8unorm(tint[body]).rgb;
            // A trace of white sky keeps the form of the darkest tints visible.
            let base = root * root * (0.56 * sky * (0.85 + 0.15 * out.z) + 0.58 * sun);
            let lit = (base + 0.007 * sky * (0.6 + 0.4 * out.z) + 0.010 * sun) * (1.0 - line);
            shade = vec4<f32>(sqrt(clamp(lit, vec3<f32>(0.0), vec3<f32>(1.0))), 1.0);
        }
        light[i] = pack4x8unorm(shade);
    }
}
