import package::math::dispatch::{linear_id};
import package::state::picture::{PixelPatch};
import package::state::view::{View, pixel_ray};
import package::render::facet_hit::{PATCH_MAX, patch_of, patch_pixel, seen_facet, facet_hit};

// The facet that each pixel shows, numbered behind the bodies: as `render_owner`, with its tolerance.
var<uniform> view: View;
var<storage, read> pixel_patch: array<PixelPatch>;
var<storage, read> depth: array<f32>;
var<storage, read_write> owner: array<atomic<u32>>;

@compute @workgroup_size(64)
fn render_facet_owner(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i < view.facet_patch_count) {
        let p = patch_of(pixel_patch[i]);
        let seen = seen_facet(p.facet);
        for (var k = 0u; k < min(p.pixels, PATCH_MAX); k++) {
            let pixel = patch_pixel(p, k);
            let at = pixel.y * view.size + pixel.x;
            let t = facet_hit(pixel_ray(view, pixel), seen);
            if (t > 0.0 && t <= depth[at] * 1.000002) {
                atomicMin(&owner[at], view.body_count + p.facet);
            }
        }
    }
}
