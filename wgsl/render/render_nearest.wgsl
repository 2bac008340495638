import package::math::dispatch::{linear_id};
import package::state::picture::{PixelPatch, Sphere};
import package::state::view::{View, pixel_ray, to_view};
import package::math::turns::{turns, TURNS_MAX};
import package::math::solid::{body_hit};

// Depth of the nearest body at each pixel. One invocation a patch: a body's box on the picture is split by the host
// into patches of at most 32 x 32 pixels, fewer for bodies of many faces, so that loops here stay below 65,535 turns in
// all however near a body is.
var<uniform> view: View;
var<storage, read> sphere: array<Sphere>;
var<storage, read> pixel_patch: array<PixelPatch>;
var<storage, read_write> depth: array<atomic<u32>>;

@compute @workgroup_size(64)
fn render_nearest(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i < view.patch_count) {
        let p = pixel_patch[i];
        let first = vec2<u32>(p.corner & 0xffffu, p.corner >> 16u);
        let width = p.sides & 0xffffu;
        let s = sphere[p.shown];
        let centre = to_view(view, s.centre);
        for (var k = 0u; k < width * (p.sides >> 16u) && turns < TURNS_MAX; k++) {
            turns += 2u;
            let pixel = first + vec2<u32>(k % width, k / width);
            let t = body_hit(p.shown, pixel_ray(view, pixel), centre, s.radius).depth;
            if (t > 0.0) {
                // The bits of positive floats are ordered as the floats are.
                atomicMin(&depth[pixel.y * view.size + pixel.x], bitcast<u32>(t));
            }
        }
    }
}
