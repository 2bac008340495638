import package::state::body::{BodyView};
import package::state::gravity::{GravityParams, Source, TreeScale};
import package::gravity::ahead::{ahead};
import package::math::wide::{shift_right64};
import package::math::wide3::{minus3};
import package::math::dispatch::{linear_id};

// Bodies as sources: positions about body 0 at the middle of the holding interval, and masses.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_view: array<BodyView>;
var<storage, read> gravity_extent: array<u32>;
var<storage, read_write> tree_position: array<Source>;
var<storage, read_write> tree_scale: array<TreeScale>;

fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23u);
}

// Position and rest of one coordinate's difference, 2^shift being the unit: |difference| < 2^(32 + bits), shift = bits + 2, so that the
// position stays within 2^30 of the middle. The rest keeps, of what the position cuts off, the upper 24 bits.
struct Split {
    position: i32,
    rest: f32,
}

fn split(d: vec2<u32>, shift: u32) -> Split {
    let position = bitcast<i32>(shift_right64(shift_right64(d, 2u), shift - 2u).x) + 1073741824;
    let kept = min(shift, 24u);
    let cut = select(d.x, shift_right64(d, shift - kept).x, shift > kept);
    return Split(position, f32(cut & ((1u << kept) - 1u)) * power_of_two(-i32(kept)));
}

@compute @workgroup_size(64)
fn place_sources(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= gravity_params.body_count) {
        return;
    }
    let bits = 32u - countLeadingZeros(gravity_extent[0] + 1u);
    let shift = bits + 2u;
    let mass = 1.0 / body_view[b].inverse_mass;
    let d = minus3(ahead(b), ahead(0u));
    let x = split(d.x, shift);
    let y = split(d.y, shift);
    let z = split(d.z, shift);
    tree_position[b] = Source(vec3<i32>(x.position, y.position, z.position), mass, vec3<f32>(x.rest, y.rest, z.rest));
    if (b == 0u) {
        tree_scale[0] = TreeScale(power_of_two(i32(shift) - 38), shift, 0u, 0u);
    }
}
