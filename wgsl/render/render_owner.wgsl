import package::math::dispatch::{linear_id};
import package::state::picture::{PixelPatch, Sphere};
import package::state::view::{View, pixel_ray, to_view};
import package::math::turns::{turns, TURNS_MAX};
import package::math::solid::{body_hit};

// The body that each pixel shows: among those at its depth the lowest index, so that two pictures are equal. The
// tolerance covers compilers that round the hit differently here and in `render_nearest`.
var<uniform> view: View;
var<storage, read> sphere: array<Sphere>;
var<storage, read> pixel_patch: array<PixelPatch>;
var<storage, read> depth: array<f32>;
var<storage, read_write> owner: array<atomic<u32>>;

@compute @workgroup_size(64)
fn render_owner(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
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
            let at = pixel.y * view.size + pixel.x;
            let t = body_hit(p.shown, pixel_ray(view, pixel), centre, s.radius).depth;
            if (t > 0.0 && t <= depth[at] * 1.000002) {
                atomicMin(&owner[at], p.shown);
            }
        }
    }
}
