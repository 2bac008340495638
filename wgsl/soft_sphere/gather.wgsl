import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyLoad};
import package::neighbours::incidence::{NEIGHBOURS_MAX, WALLS_MAX};

// The pass that imports this binds `params`, `control` with atomics, `body_view`, `body_gravity`, `incident_offset`,
// `incident_pair`, `pair_result` and `wall_result`.

// What acts on body `b`: other bodies in the order of the list, walls, the surface, fields.
fn gather_load(b: u32) -> BodyLoad {
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let first = incident_offset[b];
    let last = incident_offset[b + 1u];
    for (var e = 0u; e < min(max(last, first) - first, NEIGHBOURS_MAX); e++) {
        let side = incident_pair[first + e];
        let at = 3u * (side >> 1u);
        let r = pair_result[at];
        if (r.w > 0.0) {
            let second = side & 1u;
            force += select(r.xyz, -r.xyz, second == 1u);
            torque += pair_result[at + 1u + second].xyz;
        }
    }
    let walls = params.wall_count + atomicLoad(&control.zero);
    for (var k = 0u; k < min(walls, WALLS_MAX); k++) {
        let at = 2u * (b * walls + k);
        let r = wall_result[at];
        if (r.w > 0.0) {
            force += r.xyz;
            torque += wall_result[at + 1u].xyz;
        }
    }
    if (params.surface_law + atomicLoad(&control.zero) > 0u) {
        let at = 2u * (params.body_count * walls + b);
        force += wall_result[at].xyz;
        torque += wall_result[at + 1u].xyz;
    }
    let radius = bitcast<f32>(body_view[4u * b].w);
    let inverse_mass = bitcast<f32>(body_view[4u * b + 1u].w);
    let kick = inverse_mass * force + body_gravity[b].xyz + params.uniform_gravity;
    return BodyLoad(kick, (2.5 * inverse_mass / (radius * radius)) * torque);
}
