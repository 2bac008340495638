import package::math::dispatch::{linear_id};
import package::state::picture::{Facet, Vertex};
import package::state::view::{View, NOBODY, pixel_ray, to_view, from_view};
import package::render::light::{sample_turn, shadow_texel, sunlight, open_sky, reflected, packed};

// Light on each pixel that shows a facet; the others have theirs from `render_shade`. The position is that of the depth found
// before: a facet seen edge on would give none.
var<uniform> view: View;
var<uniform> shadow_view: View;
var<storage, read> vertex: array<Vertex>;
var<storage, read> facet: array<Facet>;
var<storage, read> depth: array<f32>;
var<storage, read> owner: array<u32>;
var<storage, read_write> light: array<u32>;

@compute @workgroup_size(64)
fn render_facet_shade(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i < view.size * view.size) {
        let own = owner[i];
        if (own >= view.body_count && own != NOBODY) {
            let pixel = vec2<u32>(i % view.size, i / view.size);
            let f = facet[own - view.body_count];
            let a = vertex[f.corners.x].position;
            let out = normalize(cross(vertex[f.corners.y].position - a, vertex[f.corners.z].position - a));
            let ray = pixel_ray(view, pixel);
            let point = ray.origin + depth[i] * ray.direction;
            let turn = sample_turn(pixel);
            let lambert = max(-dot(out, shadow_view.forward), 0.0);
            let lifted = view.eye + from_view(view, point) + out * (1.5 * shadow_texel());
            let sun = lambert * sunlight(lifted, turn);
            let sky = open_sky(pixel, point, to_view(view, view.eye + out), turn);
            light[i] = packed(reflected(f.tint, out, sky, sun));
        }
    }
}
