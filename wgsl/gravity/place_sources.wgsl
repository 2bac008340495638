import package::gravity::gravity::{GravityParams, TreeScale, Source, predicted};
import package::math::wide::{sub64, shift_right64};
import package::math::dispatch::{linear_id};
import package::state::state_row::{STATE_WORDS, STATE_VELOCITY};

// Bodies as sources: places about body 0 at the middle of the holding interval, and masses.
var<uniform> gravity_params: GravityParams;
var<storage, read> body_state: array<u32>;
var<storage, read> body_view: array<vec4<u32>>;
var<storage, read> gravity_extent: array<u32>;
var<storage, read_write> tree_position: array<Source>;
var<storage, read_write> tree_scale: array<TreeScale>;

fn coordinate(body: u32, axis: u32) -> vec2<u32> {
    let s = STATE_WORDS * body + 2u * axis;
    return predicted(vec2<u32>(body_state[s], body_state[s + 1u]), vec2<u32>(body_state[s + STATE_VELOCITY], body_state[s + STATE_VELOCITY + 1u]), gravity_params.predict_steps);
}

fn power_of_two(exponent: i32) -> f32 {
    return bitcast<f32>(u32(exponent + 127) << 23u);
}

// Place and rest of one coordinate, 2^shift being the unit: |difference| < 2^(32 + bits), shift = bits + 2, so that the
// place stays within 2^30 of the middle. Of what the place cuts off the rest keeps the upper 24 bits.
struct Split {
    place: i32,
    rest: f32,
}

fn split(body: u32, axis: u32, shift: u32) -> Split {
    let d = sub64(coordinate(body, axis), coordinate(0u, axis));
    let place = bitcast<i32>(shift_right64(shift_right64(d, 2u), shift - 2u).x) + 1073741824;
    let kept = min(shift, 24u);
    let cut = select(d.x, shift_right64(d, shift - kept).x, shift > kept);
    return Split(place, f32(cut & ((1u << kept) - 1u)) * power_of_two(-i32(kept)));
}

@compute @workgroup_size(64)
fn place_sources(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= gravity_params.body_count) {
        return;
    }
    let bits = 32u - countLeadingZeros(gravity_extent[0] + 1u);
    let shift = bits + 2u;
    let mass = 1.0 / bitcast<f32>(body_view[4u * b + 1u].w);
    let x = split(b, 0u, shift);
    let y = split(b, 1u, shift);
    let z = split(b, 2u, shift);
    tree_position[b] = Source(vec3<i32>(x.place, y.place, z.place), mass, vec3<f32>(x.rest, y.rest, z.rest), 0.0);
    if (b == 0u) {
        tree_scale[0] = TreeScale(power_of_two(i32(shift) - 38), shift, 0u, 0u);
    }
}
