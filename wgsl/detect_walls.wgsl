import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams};
import package::shared::control::{STEP};
import package::shared::wall_start::{wall_before};
import package::shared::wall::{WALL_ROWS, wall_stands};
import package::shared::wall_touch::{wall_touch};
import package::shared::dispatch::{linear_id};

// Contacts of every wall with every body, 0 or 1; as detect_pairs, behind the pairs.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> body_state: array<u32>;
@group(0) @binding(4) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> wall_plane: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> candidate_count: array<u32>;

@compute @workgroup_size(64)
fn detect_walls(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= params.body_count * params.wall_count) {
        return;
    }
    let body = c % params.body_count;
    let plane = WALL_ROWS * (c / params.body_count);
    let radius = bitcast<f32>(body_view[4u * body].w);
    let touch = wall_touch(body, radius, plane, control[STEP]);
    let before = wall_before(dynamics, body, plane, body_view[4u * body + 1u].xyz);
    let approach = max(-dot(before, touch.normal), 0.0);
    let near = max(dynamics.alert * 2.0 * radius + approach, dynamics.reach_max);
    candidate_count[params.pair_capacity + c] = select(0u, 1u, touch.gap < near && wall_stands(plane, control[STEP]));
}
