import package::state::pair::{Pair};
import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::state::control::{Control};
import package::state::body::{BodyView};
import package::math::position::{window_difference, separation, MOTION_UNIT};
import package::math::dispatch::{linear_id};

// Contacts of every pair of spheres, 0 or 1: those that touch, attract, or may close within the step.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<Pair>;
var<storage, read_write> candidate_count: array<u32>;

@compute @workgroup_size(64)
fn detect_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (p >= params.pair_capacity) {
        return;
    }
    if (p >= control.pair_count) {
        candidate_count[p] = 0u;
        return;
    }
    let pair = pair_body[p];
    let reach = body_view[pair.i].radius + body_view[pair.j].radius;
    let between = separation(window_difference(body_view[pair.j].position, body_view[pair.i].position), vec3<f32>(0.0), reach);
    let toward = window_difference(body_view[pair.i].velocity, body_view[pair.j].velocity);
    let approach = max(dot(vec3<f32>(toward), between.normal) * MOTION_UNIT, 0.0);
    let near = max(dynamics.alert * reach + approach, dynamics.reach_max);
    candidate_count[p] = select(0u, 1u, between.gap < near);
}
