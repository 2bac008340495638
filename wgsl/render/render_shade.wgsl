import package::math::dispatch::{linear_id};
import package::state::picture::{BodyPlanes, Sphere};
import package::state::view::{View, pixel_ray, to_view, from_view};
import package::math::solid::{body_hit};
import package::render::light::{sample_turn, clamp_pixel, shadow_texel, sunlight, open_sky, reflected, packed};

// Light on each pixel that shows a body: its tint under sun and sky, and a dark line where a body ends in front of
// another. Pixels of facets are left to `render_facet_shade`.
var<uniform> view: View;
var<uniform> shadow_view: View;
var<storage, read> sphere: array<Sphere>;
var<storage, read> tint: array<u32>; // square roots of red, green, blue
var<storage, read> depth: array<f32>;
var<storage, read> owner: array<u32>;
var<storage, read> face: array<BodyPlanes>;
var<storage, read_write> light: array<u32>; // square roots of red, green, blue; covered

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
fn render_shade(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i < view.size * view.size) {
        let pixel = vec2<u32>(i % view.size, i / view.size);
        let body = owner[i];
        var shade = 0u;
        if (body < view.body_count) {
            let s = sphere[body];
            let ray = pixel_ray(view, pixel);
            let centre = to_view(view, s.centre);
            let hit = body_hit(body, ray, centre, s.radius);
            let t = hit.depth;
            let point = ray.origin + t * ray.direction;
            let flat = face[body].count > 0u;
            let round = (point - centre) / s.radius;
            let normal = select(round, hit.normal, flat);
            let out = from_view(view, normal);
            let turn = sample_turn(pixel);
            let lambert = max(-dot(out, shadow_view.forward), 0.0);
            let lift = 1.5 * shadow_texel();
            let above = s.centre + from_view(view, point - centre) + out * lift;
            let lifted = select(s.centre + out * (s.radius + lift), above, flat);
            let sun = lambert * sunlight(lifted, turn);
            let sky = open_sky(pixel, point, normal, turn);
            let width = s.radius / (point.z * view.half_width) * 0.5 * f32(view.size); // radius in pixels
            let line = outline(pixel, t, s.radius, clamp(width * 0.08, 1.0, 3.0)) * clamp(width * 0.1, 0.0, 0.75);
            shade = packed(reflected(tint[body], out, sky, sun) * (1.0 - line));
        }
        light[i] = shade;
    }
}
