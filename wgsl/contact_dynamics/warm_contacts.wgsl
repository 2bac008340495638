import package::state::control::{Control};
import package::contact_dynamics::dynamics::{POINTS};
import package::contact_dynamics::colours::{COLOUR_BITS};
import package::state::params::{Params};
import package::math::dispatch::{linear_id};

// Every contact starts from the impulse that it had in the step before: the one of the same feature of its pair. With it comes
// the colour that it had.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read_write> contact_body: array<vec4<u32>>;
var<storage, read> pair_history: array<vec4<f32>>;
var<storage, read> wall_history: array<vec4<f32>>;
var<storage, read_write> contact_impulse: array<vec4<f32>>;
var<storage, read_write> contact_guess: array<vec4<f32>>;

fn history(candidate: u32, point: u32) -> vec4<f32> {
    var row = vec4<f32>(0.0);
    if (candidate < params.pair_capacity) {
        row = pair_history[(POINTS + 1u) * candidate + point];
    } else {
        row = wall_history[(POINTS + 1u) * (candidate - params.pair_capacity) + point];
    }
    return row;
}

@compute @workgroup_size(64)
fn warm_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    var before = vec3<f32>(0.0);
    var name = body.w;
    for (var point = 0u; point < POINTS; point++) {
        let row = history(body.z, point);
        if ((bitcast<u32>(row.w) & ~COLOUR_BITS) == body.w) {
            before = row.xyz;
            name = bitcast<u32>(row.w);
        }
    }
    contact_body[c] = vec4<u32>(body.xyz, name);
    contact_impulse[c] = vec4<f32>(before, 0.0);
    contact_guess[c] = vec4<f32>(before, 0.0);
}
