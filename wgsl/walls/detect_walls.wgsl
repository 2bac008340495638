import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::state::control::{Control};
import package::state::body::{BodyView};
import package::walls::wall_start::{wall_before};
import package::walls::wall::{wall_stands};
import package::walls::wall_touch::{wall_touch};
import package::math::dispatch::{linear_id};

// Contacts of every wall with every body, 0 or 1; as detect_pairs, behind the pairs.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> body_view: array<BodyView>;
var<storage, read_write> candidate_count: array<u32>;

@compute @workgroup_size(64)
fn detect_walls(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= params.body_count * params.wall_count) {
        return;
    }
    let body = c % params.body_count;
    let plane = c / params.body_count;
    let radius = body_view[body].radius;
    let touch = wall_touch(body, radius, plane, control.step);
    let before = wall_before(dynamics, body, plane, body_view[body].velocity);
    let approach = max(-dot(before + params.uniform_gravity, touch.normal), 0.0);
    let near = max(dynamics.alert * 2.0 * radius + approach, dynamics.reach_max);
    candidate_count[params.pair_capacity + c] = select(0u, 1u, touch.gap < near && wall_stands(plane, control.step));
}
