import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams, POINTS};
import package::shared::frame::{put_frame};
import package::shared::owner::{owner};
import package::shared::wall_apart::{wall_apart};
import package::shared::position::{window_difference, MOTION_UNIT};
import package::shared::wall::{WALL_ROWS, wall_motion};
import package::shared::dispatch::{linear_id};

// As make_manifold_contacts, for planes.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> wall_manifold: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> body_state: array<u32>;
@group(0) @binding(4) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> wall_plane: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> contact_offset: array<u32>;
@group(0) @binding(7) var<storage, read> rigid_law: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> contact_frame: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> contact_body: array<vec4<u32>>;

@compute @workgroup_size(64)
fn make_wall_manifold_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, l, 64u);
    if (k >= params.part_count * params.wall_count) {
        return;
    }
    let at = params.pair_capacity + k;
    let first = contact_offset[at];
    if (first == contact_offset[at + 1u]) {
        return;
    }
    let part = k % params.part_count;
    let body = owner(part);
    let wall = k / params.part_count;
    let plane = WALL_ROWS * wall;
    let turn = body_view[4u * part + 2u];
    let spin = bitcast<vec3<f32>>(turn.xyz);
    let law = rigid_law[turn.w * params.material_count + wall_plane[plane].w];
    let before = vec3<f32>(window_difference(body_view[4u * part + 1u].xyz, wall_motion(plane))) * MOTION_UNIT;
    let free = vec3<f32>(wall_apart(body, plane, 0u), wall_apart(body, plane, 1u), wall_apart(body, plane, 2u));
    let row = (POINTS + 2u) * k;
    let normal = wall_manifold[row].xyz;
    var names = bitcast<vec4<u32>>(wall_manifold[row + 1u + POINTS]);
    for (var c = first; c < contact_offset[at + 1u]; c++) {
        let point = wall_manifold[row + 1u + c - first];
        let turning = cross(spin, point.xyz);
        put_frame(c, normal, law, point.xyz, vec3<f32>(0.0), point.w, before + turning, free + turning);
        contact_body[c] = vec4<u32>(body, params.body_count + wall, at, names[c - first]);
    }
}
