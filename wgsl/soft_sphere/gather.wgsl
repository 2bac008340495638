import package::state::params::{Params};
import package::state::body::{BodyLoad, BodyView, Field};
import package::neighbours::incidence::{NEIGHBOURS_MAX, WALLS_MAX};
import package::state::pair::{PairResult, WallResult};

var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> body_gravity: array<Field>;
var<storage, read> incident_offset: array<u32>;
var<storage, read> incident_pair: array<u32>;
var<storage, read> pair_result: array<PairResult>;
var<storage, read> wall_result: array<WallResult>;

fn vector(words: array<f32, 3>) -> vec3<f32> {
    return vec3<f32>(words[0], words[1], words[2]);
}

// What acts on body `b`: other bodies in the order of the list, walls, the surface, fields. `zero`: the control word.
fn gather_load(b: u32, zero: u32) -> BodyLoad {
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let first = incident_offset[b];
    let last = incident_offset[b + 1u];
    for (var e = 0u; e < min(max(last, first) - first, NEIGHBOURS_MAX); e++) {
        let side = incident_pair[first + e];
        let pair = side >> 1u;
        let second = side & 1u;
        // 0 of pairs that do not touch
        let on_i = vector(pair_result[pair].force);
        force += select(on_i, -on_i, second == 1u);
        torque += vector(pair_result[pair].torque[second]);
    }
    let walls = params.wall_count + zero;
    for (var k = 0u; k < min(walls, WALLS_MAX); k++) {
        let at = b * walls + k;
        if (wall_result[at].overlap > 0.0) {
            force += wall_result[at].force;
            torque += wall_result[at].torque;
        }
    }
    if (params.surface_law + zero > 0u) {
        let at = params.body_count * walls + b;
        force += wall_result[at].force;
        torque += wall_result[at].torque;
    }
    let radius = body_view[b].radius;
    let inverse_mass = body_view[b].inverse_mass;
    let kick = inverse_mass * force + body_gravity[b].acceleration + params.uniform_gravity;
    return BodyLoad(kick, (2.5 * inverse_mass / (radius * radius)) * torque);
}
