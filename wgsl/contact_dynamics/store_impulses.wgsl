import package::state::contact::{ContactBody, ContactImpulse};
import package::state::manifold::{PairImpulses, PointImpulse, POINTS, WallImpulses};
import package::state::params::{Params};
import package::state::body::{BodyPush};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::math::position::{MOTION_UNIT};
import package::walls::wall::{wall_motion};
import package::walls::wall_velocity::{wall_velocity};
import package::math::dispatch::{linear_id};

// Impulses go back to their pairs and walls, with their features, to warm the next step; with a wall's, the work that
// it did, by the mean of its velocities before and after the step. A row without a contact holds no feature.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> contact_offset: array<u32>;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_impulse: array<ContactImpulse>;
var<storage, read> body_push: array<BodyPush>;
var<storage, read_write> pair_history: array<PairImpulses>;
var<storage, read_write> wall_history: array<WallImpulses>;

@compute @workgroup_size(64)
fn store_impulses(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let candidate = linear_id(w, l, 64u);
    if (candidate >= dynamics.candidate_count) {
        return;
    }
    let first = contact_offset[candidate];
    let last = contact_offset[candidate + 1u];
    let wall = candidate >= params.pair_capacity;
    let k = select(candidate, candidate - params.pair_capacity, wall);
    var sum = vec3<f32>(0.0);
    for (var point = 0u; point < POINTS; point++) {
        var row = PointImpulse(vec3<f32>(0.0), 0u);
        if (first + point < last) {
            row = PointImpulse(contact_impulse[first + point].impulse, contact_body[first + point].feature);
            sum += row.impulse;
        }
        if (wall) {
            wall_history[k].points[point] = row;
        } else {
            pair_history[k].points[point] = row;
        }
    }
    if (wall) {
        let plane = k / params.part_count;
        let before = vec3<f32>(bitcast<vec3<i32>>(wall_motion(plane))) * MOTION_UNIT;
        let after = wall_velocity(plane) + body_push[params.body_count + plane].velocity;
        wall_history[k].work += dot(sum, 0.5 * (before + after));
    }
}
