import package::state::control::{Control};
import package::contact_dynamics::colours::{COLOUR_BITS};
import package::state::contact::{ContactBody, ContactImpulse};
import package::state::manifold::{PairImpulses, PointImpulse, POINTS, WallImpulses};
import package::state::params::{Params};
import package::math::dispatch::{linear_id};

// Every contact starts from the impulse that it had in the step before: the one of the same feature of its pair. With it comes
// the colour that it had.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read_write> contact_body: array<ContactBody>;
var<storage, read> pair_history: array<PairImpulses>;
var<storage, read> wall_history: array<WallImpulses>;
var<storage, read_write> contact_impulse: array<ContactImpulse>;

fn history(candidate: u32, point: u32) -> PointImpulse {
    var row = PointImpulse(vec3<f32>(0.0), 0u);
    if (candidate < params.pair_capacity) {
        row = pair_history[candidate].points[point];
    } else {
        row = wall_history[candidate - params.pair_capacity].points[point];
    }
    return row;
}

@compute @workgroup_size(64)
fn warm_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    var before = vec3<f32>(0.0);
    var name = body.feature;
    for (var point = 0u; point < POINTS; point++) {
        let row = history(body.candidate, point);
        if ((row.feature & ~COLOUR_BITS) == body.feature) {
            before = row.impulse;
            name = row.feature;
        }
    }
    contact_body[c].feature = name;
    contact_impulse[c] = ContactImpulse(before, 0.0, before, 0.0);
}
