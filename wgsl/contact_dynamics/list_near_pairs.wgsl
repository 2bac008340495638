import package::state::manifold::{PairPlane};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::contact_dynamics::dynamics::{DynamicsParams, NOTHING};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::math::position::{window_difference, WINDOW_UNIT, MOTION_UNIT};
import package::math::dispatch::{linear_id};

// Lists the pairs of polyhedra whose spheres come within reach in the step. Half of the pairs of a neighbour list do not,
// and if an invocation of find_planes had one of these, it would wait for those that search. The order of the entries is
// that of the device: no result depends on it.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> pair_body: array<Pair>;
var<storage, read_write> pair_plane: array<PairPlane>;
var<storage, read_write> candidate_count: array<u32>;

@compute @workgroup_size(64)
fn list_near_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (p >= params.pair_capacity) {
        return;
    }
    // clip_manifolds counts points of pairs within reach alone
    candidate_count[p] = 0u;
    pair_plane[p].within = 0u;
    pair_plane[p].gap = NOTHING;
    if (p < atomicLoad(&control.pair_count)) {
        let pair = pair_body[p];
        let radius_i = body_view[pair.i].radius;
        let radius_j = body_view[pair.j].radius;
        let size = radius_i + radius_j;
        let apart = vec3<f32>(window_difference(body_view[pair.i].position, body_view[pair.j].position)) * WINDOW_UNIT;
        let toward = vec3<f32>(window_difference(body_view[pair.j].velocity, body_view[pair.i].velocity)) * MOTION_UNIT;
        let spin_i = length(body_view[pair.i].spin);
        let spin_j = length(body_view[pair.j].spin);
        let approach = length(toward) + spin_i * radius_i + spin_j * radius_j;
        let reach = max(dynamics.alert * size + approach, dynamics.reach_max);
        pair_plane[p].reach = reach;
        if (length(apart) - size < reach) {
            pair_plane[atomicAdd(&control.near_count, 1u)].near = p;
        }
    }
}
