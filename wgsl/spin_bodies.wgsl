import package::shared::params::{Params};
import package::shared::turn::{turn_f32, turned, turned_back, turn_step, turn_by, spin_of};
import package::shared::dispatch::{linear_id};

// Ends a step for bodies that are no spheres: their angular momentum takes the impulses' torque and is else constant, as
// no torque but that of contacts acts; orientation goes on by the spin at the middle of the way (implicit midpoint, three
// fixed-point iterations). Then spin and inertia as the next step finds them.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> body_push: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body_moment: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> body_turn: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read_write> body_angular: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> body_state: array<u32>;
@group(0) @binding(6) var<storage, read_write> body_view: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> body_inertia: array<vec4<f32>>;

@compute @workgroup_size(64)
fn spin_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let before = body_turn[b];
    let start = turn_f32(before);
    let moment = body_moment[b].xyz;
    let angular = body_angular[b].xyz + turned(start, moment * turned_back(start, body_push[2u * b + 1u].xyz));
    var spin = spin_of(start, angular, moment);
    for (var k = 0u; k < 3u; k++) {
        spin = spin_of(normalize(start + turn_step(start, 0.5 * spin)), angular, moment);
    }
    let after = turn_by(before, spin);
    let q = turn_f32(after);
    let now = bitcast<vec3<u32>>(spin_of(q, angular, moment));
    body_turn[b] = after;
    body_angular[b] = vec4<f32>(angular, 0.0);
    body_state[16u * b + 12u] = now.x;
    body_state[16u * b + 13u] = now.y;
    body_state[16u * b + 14u] = now.z;
    body_view[4u * b + 2u] = vec4<u32>(now, body_view[4u * b + 2u].w);
    // Root of the inverse inertia in the world's frame: sum of r r^T / sqrt(I) over the principal axes r.
    let root = inverseSqrt(moment);
    let x = turned(q, vec3<f32>(1.0, 0.0, 0.0));
    let y = turned(q, vec3<f32>(0.0, 1.0, 0.0));
    let z = turned(q, vec3<f32>(0.0, 0.0, 1.0));
    let diagonal = root.x * x * x + root.y * y * y + root.z * z * z;
    let mixed = root.x * x.xxy * x.yzz + root.y * y.xxy * y.yzz + root.z * z.xxy * z.yzz;
    body_inertia[2u * b] = vec4<f32>(body_inertia[2u * b].x, diagonal);
    body_inertia[2u * b + 1u] = vec4<f32>(mixed, 0.0);
}
