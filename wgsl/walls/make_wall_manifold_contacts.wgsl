import package::state::params::{Params};
import package::state::body::{BodyView};
import package::contact_dynamics::dynamics::{DynamicsParams, POINTS};
import package::contact_dynamics::frame::{put_frame};
import package::contact_dynamics::owner::{owner};
import package::walls::wall_start::{wall_before, wall_free, wall_at_arm};
import package::walls::wall::{WALL_ROWS};
import package::math::dispatch::{linear_id};

// As make_manifold_contacts, for planes.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> wall_manifold: array<vec4<f32>>;
var<storage, read> body_view: array<BodyView>;
var<storage, read> wall_plane: array<vec4<u32>>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> rigid_law: array<vec4<f32>>;
var<storage, read_write> contact_frame: array<vec4<f32>>;
var<storage, read_write> contact_body: array<vec4<u32>>;

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
    let spin = body_view[part].spin;
    let law = rigid_law[body_view[part].material * params.material_count + wall_plane[plane].w];
    let before = wall_before(dynamics, body, plane, body_view[part].velocity);
    let free = wall_free(dynamics, body, plane);
    let row = (POINTS + 2u) * k;
    let normal = wall_manifold[row].xyz;
    var names = bitcast<vec4<u32>>(wall_manifold[row + 1u + POINTS]);
    for (var c = first; c < min(contact_offset[at + 1u], first + POINTS); c++) {
        let point = wall_manifold[row + 1u + c - first];
        let at_arm = wall_at_arm(dynamics, spin, point.xyz);
        put_frame(c, normal, law, point.xyz, vec3<f32>(0.0), point.w, before + at_arm.before, free + at_arm.free);
        contact_body[c] = vec4<u32>(body, params.body_count + wall, at, names[c - first]);
    }
}
