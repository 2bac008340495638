import package::shared::params::{Params};
import package::shared::dynamics::{DynamicsParams, FEATURE, POINTS};
import package::shared::control::{STEP};
import package::shared::wide::{f32_from64};
import package::shared::position::{POSITION_UNIT, MOTION_UNIT, DISPLACEMENT_UNIT};
import package::shared::wall::{WALL_ROWS, wall_normal, wall_motion, wall_stands};
import package::shared::wall_gap::{wall_gap};
import package::shared::turn::{turn_f32, turned};
import package::shared::outline::{outline_count, outline_place, outline_gap, outline_name, outline_put, outline_within, outline_reduce};
import package::shared::shape::{SLOPE, Facing, facing, shape_vector};
import package::shared::dispatch::{linear_id};

// As clip_manifolds, for a polyhedron and a plane: the corners of the face that it rests on.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dynamics: DynamicsParams;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> body_state: array<u32>;
@group(0) @binding(4) var<storage, read> body_turn: array<vec4<i32>>;
@group(0) @binding(5) var<storage, read> shape_row: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> shape_data: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> wall_plane: array<vec4<u32>>;
@group(0) @binding(8) var<storage, read_write> wall_manifold: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> candidate_count: array<u32>;

fn velocity(body: u32, axis: u32) -> f32 {
    let s = 16u * body + 6u + 2u * axis;
    return f32_from64(vec2<u32>(body_state[s], body_state[s + 1u])) * DISPLACEMENT_UNIT;
}

@compute @workgroup_size(64)
fn find_wall_manifolds(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= params.part_count * params.wall_count) {
        return;
    }
    let body = c % params.part_count;
    let plane = WALL_ROWS * (c / params.part_count);
    let radius = bitcast<f32>(shape_row[2u * body + 1u].x);
    let normal = wall_normal(plane);
    // of the centre, less the radius
    let clear = wall_gap(body, radius, plane, control[STEP]);
    let s = 16u * body + 12u;
    let spin = length(bitcast<vec3<f32>>(vec3<u32>(body_state[s], body_state[s + 1u], body_state[s + 2u])));
    let motion = vec3<f32>(bitcast<vec3<i32>>(wall_motion(plane))) * MOTION_UNIT - vec3<f32>(velocity(body, 0u), velocity(body, 1u), velocity(body, 2u));
    let approach = max(dot(motion, normal), 0.0) + spin * radius;
    let reach = max(dynamics.alert * 2.0 * radius + approach, dynamics.reach_max);
    outline_count = 0u;
    if (clear < reach && wall_stands(plane, control[STEP])) {
        let turn = turn_f32(body_turn[body]);
        let face = facing(body, turn, -normal, reach);
        let row = shape_row[2u * body];
        let sides = shape_data[face.face + 1u];
        outline_count = min(sides.y, 24u);
        for (var k = 0u; k < outline_count; k++) {
            let corner = shape_data[sides.x + k].x;
            let place = turned(turn, shape_vector(row.x + corner));
            let gap = clear + radius + dot(place, normal);
            outline_put(k, place - gap * normal, gap, FEATURE | (corner << 10u));
        }
        outline_within(normal, reach, SLOPE, 1.0e-4 * radius);
    }
    let kind = outline_reduce(normal, 1.0e-4 * radius, POINTS);
    let at = (POINTS + 2u) * c;
    wall_manifold[at] = vec4<f32>(normal, f32(kind));
    var names = vec4<u32>(0u);
    for (var k = 0u; k < outline_count; k++) {
        wall_manifold[at + 1u + k] = vec4<f32>(outline_place[k], outline_gap[k]);
        names[k] = outline_name[k];
    }
    wall_manifold[at + 1u + POINTS] = bitcast<vec4<f32>>(names);
    candidate_count[params.pair_capacity + c] = outline_count;
}
