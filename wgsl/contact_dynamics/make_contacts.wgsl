import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams, FEATURE};
import package::contact_dynamics::frame::{put_frame};
import package::contact_dynamics::apart::{apart};
import package::math::position::{window_difference, separation, MOTION_UNIT};
import package::math::dispatch::{linear_id};

// Frame, arms, bias and free relative velocity of the contacts of spheres. The arms meet in the middle of the gap, so
// that together they are the distance: angular momentum is kept.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<vec2<u32>>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<vec4<f32>>;
var<storage, read_write> contact_frame: array<vec4<f32>>;
var<storage, read_write> contact_body: array<vec4<u32>>;

@compute @workgroup_size(64)
fn make_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (p >= params.pair_capacity || contact_offset[p] == contact_offset[p + 1u]) {
        return;
    }
    let c = contact_offset[p];
    let i = pair_body[p].x;
    let j = pair_body[p].y;
    let one = body_view[i];
    let other = body_view[j];
    let between = separation(window_difference(one.position, other.position), one.radius + other.radius);
    let law = rigid_law[one.material * params.material_count + other.material];
    let arm_i = -(one.radius + 0.5 * between.gap) * between.normal;
    let arm_j = (other.radius + 0.5 * between.gap) * between.normal;
    let spin = cross(one.spin, arm_i) - cross(other.spin, arm_j);
    let before = vec3<f32>(window_difference(one.velocity, other.velocity)) * MOTION_UNIT + spin;
    let free = apart(i, j) + spin;
    put_frame(c, between.normal, law, arm_i, arm_j, between.gap, before, free);
    contact_body[c] = vec4<u32>(i, j, p, FEATURE);
}
