import package::state::params::{Params};
import package::state::body::{BodyLoad, BodyView, Field};
import package::neighbours::incidence::{NEIGHBOURS_MAX, WALLS_MAX};
import package::state::pair::{WallResult};
import package::soft_sphere::side_load::{side_load};

var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> body_gravity: array<Field>;
var<storage, read> incident_offset: array<u32>;
var<storage, read> incident_pair: array<u32>;
var<storage, read> wall_result: array<WallResult>;

// What acts on body `b`: other bodies in the order of the list, walls, the surface, fields. `zero`: the control word.
fn gather_load(b: u32, zero: u32) -> BodyLoad {
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let first = incident_offset[b];
    let last = incident_offset[b + 1u];
    for (var e = 0u; e < min(max(last, first) - first, NEIGHBOURS_MAX); e++) {
        let load = side_load(incident_pair[first + e]);
        force += load.force;
        torque += load.torque;
    }
    let walls = params.wall_count + zero;
    for (var k = 0u; k < min(walls, WALLS_MAX); k++) {
        let at = b * walls + k;
        if (wall_result[at].overlap > 0.0) {
            force += wall_result[at].force;
            torque += wall_result[at].torque;
        }
    }
    if (params.has_surface + zero > 0u) {
        let at = params.body_count * walls + b;
        force += wall_result[at].force;
        torque += wall_result[at].torque;
    }
    let radius = body_view[b].radius;
    let inverse_mass = body_view[b].inverse_mass;
    let kick = inverse_mass * force + body_gravity[b].acceleration + params.uniform_gravity;
    return BodyLoad(kick, (2.5 * inverse_mass / (radius * radius)) * torque);
}
