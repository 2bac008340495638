import package::shared::params::{Params};
import package::shared::control::{STEP, ACTIVE, FAULT_CONTACT, FRAME_PLACE, REACTION_PLACE, ZERO};
import package::shared::dispatch::{linear_id};

// What acts on a body in one step of a turning frame, in the order of its neighbours: acceleration and change of spin by other
// bodies, walls and fields. Says besides which row of `frame_row` and which slot of `frame_reaction` the step has.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> body_gravity: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> incident_offset: array<u32>;
@group(0) @binding(5) var<storage, read> incident_pair: array<u32>;
@group(0) @binding(6) var<storage, read> pair_result: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> wall_result: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> body_load: array<vec4<f32>>;

@compute @workgroup_size(64)
fn gather_loads(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count || atomicLoad(&control[ACTIVE]) == 0u || atomicLoad(&control[FAULT_CONTACT]) != 0u) {
        return;
    }
    if (b == 0u) {
        let step = atomicLoad(&control[STEP]);
        let leg = step / params.frame_interval;
        let later = select(0u, 1u, step != leg * params.frame_interval);
        atomicStore(&control[FRAME_PLACE], 2u * (leg % 4u) + later);
        atomicStore(&control[REACTION_PLACE], step % max(params.reaction_slots, 1u));
    }
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    for (var e = incident_offset[b]; e < incident_offset[b + 1u]; e++) {
        let side = incident_pair[e];
        let at = 3u * (side >> 1u);
        let r = pair_result[at];
        if (r.w > 0.0) {
            let second = side & 1u;
            force += select(r.xyz, -r.xyz, second == 1u);
            torque += pair_result[at + 1u + second].xyz;
        }
    }
    let walls = params.wall_count + atomicLoad(&control[ZERO]);
    for (var k = 0u; k < walls; k++) {
        let at = 2u * (b * walls + k);
        let r = wall_result[at];
        if (r.w > 0.0) {
            force += r.xyz;
            torque += wall_result[at + 1u].xyz;
        }
    }
    if (params.surface_law + atomicLoad(&control[ZERO]) > 0u) {
        let at = 2u * (params.body_count * walls + b);
        force += wall_result[at].xyz;
        torque += wall_result[at + 1u].xyz;
    }
    let radius = bitcast<f32>(body_view[4u * b].w);
    let inverse_mass = bitcast<f32>(body_view[4u * b + 1u].w);
    body_load[2u * b] = vec4<f32>(inverse_mass * force + body_gravity[b].xyz + params.uniform_gravity, 0.0);
    body_load[2u * b + 1u] = vec4<f32>((2.5 * inverse_mass / (radius * radius)) * torque, 0.0);
}
