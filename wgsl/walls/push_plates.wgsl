import package::contact_dynamics::given::{given};
import package::state::params::{Params};
import package::state::control::{FAULT_PLATE};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyInertia, BodyPush};
import package::walls::wall::{wall_normal};
import package::neighbours::incidence::{PLATE_CONTACTS_MAX};
import package::math::dispatch::{linear_id};

// Velocity that the impulses give a wall of mass, along its normal alone: as push_bodies, a workgroup a wall, whose
// contacts follow each other. The last word is its length along the normal. pass_constants.x = 1: by the guesses, else by the
// impulses.
var<uniform> pass_constants: vec4<u32>;
var<uniform> params: Params;
var<storage, read> contact_offset: array<u32>;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read_write> body_push: array<BodyPush>;
var<storage, read_write> control: ControlAtomic;

var<workgroup> plate_room: array<f32, 64>;

@compute @workgroup_size(64)
fn push_plates(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, 0u, 1u);
    let there = k < params.wall_count;
    let normal = wall_normal(select(0u, k, there));
    let range = params.pair_capacity + select(0u, k * params.part_count, there);
    let last = contact_offset[range + select(0u, params.part_count, there)];
    var sum = 0.0;
    let first = contact_offset[range];
    let own = first + l;
    for (var c = own; c < min(last, own + PLATE_CONTACTS_MAX); c += 64u) {
        sum -= dot(given(c, pass_constants.x == 1u), normal);
    }
    plate_room[l] = sum;
    for (var half = 32u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            plate_room[l] += plate_room[l + half];
        }
    }
    if (l == 0u && there) {
        let body = params.body_count + k;
        let along = body_inertia[body].inverse_mass * plate_room[0];
        body_push[body].velocity = along * normal;
        body_push[body].along = along;
        if (last - first > PLATE_CONTACTS_MAX && body_inertia[body].inverse_mass > 0.0) {
            atomicOr(&control.fault_body, FAULT_PLATE);
            atomicMin(&control.fault_index, k);
        }
    }
}
