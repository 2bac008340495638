import package::state::manifold::{Manifold, ManifoldPoint, POINTS};
import package::state::params::{Params};
import package::state::control::{Control};
import package::state::body::{BodyState, Orientation};
import package::math::wide3::{rounded3};
import package::state::shape::{ShapePart};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::walls::wall_start::{wall_before};
import package::math::position::{motion_window, DISPLACEMENT_UNIT};
import package::walls::wall::{wall_normal, wall_stands};
import package::walls::wall_gap::{wall_gap};
import package::math::turn::{turn_f32, turned};
import package::contact_dynamics::outline::{outline_add, outline_count, outline_level, outline_name, outline_names, outline_reduce, outline_start};
import package::contact_dynamics::seen_face::{axes_about, corner_at, corner_of, face_of, level_of};
import package::contact_dynamics::facing::{facing};
import package::contact_dynamics::shape::{SIDES_MAX, shape_vector};
import package::math::dispatch::{linear_id};

// As clip_manifolds, for a polyhedron and a plane: the corners of the face that it rests on.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> body_state: array<BodyState>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read_write> wall_manifold: array<Manifold>;
var<storage, read> shape_part: array<ShapePart>;
var<storage, read_write> candidate_count: array<u32>;

@compute @workgroup_size(32)
fn find_wall_manifolds(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 32u);
    if (c >= params.part_count * params.wall_count) {
        return;
    }
    let body = c % params.part_count;
    let plane = c / params.part_count;
    let radius = shape_part[body].radius;
    let normal = wall_normal(plane);
    // of the centre, less the radius
    let clear = wall_gap(body, radius, plane, control.step);
    let spin = length(rounded3(body_state[body].spin) * DISPLACEMENT_UNIT - dynamics.rotation);
    let v = body_state[body].velocity;
    let before = wall_before(dynamics, body, plane, vec3<u32>(motion_window(v.x), motion_window(v.y), motion_window(v.z)));
    let approach = max(-dot(before + params.uniform_gravity, normal), 0.0) + spin * radius;
    let reach = max(dynamics.alert * 2.0 * radius + approach, dynamics.reach_max);
    let turn = turn_f32(body_turn[body].quaternion);
    outline_start(l, vec3<f32>(0.0));
    if (clear < reach && wall_stands(plane, control.step)) {
        let face = facing(body, turn, -normal, reach);
        let seen = face_of(body, turn, vec3<f32>(0.0), face.face, axes_about(normal));
        let centre = vec3<f32>(0.0, 0.0, clear + radius);
        outline_start(l, level_of(seen, face.face, turn, vec3<f32>(0.0), normal) + centre);
        for (var k = 0u; k < min(seen.sides.count, SIDES_MAX); k++) {
            outline_add(corner_at(seen, k), corner_of(seen, k) << 10u, reach, 1.0e-4 * radius);
        }
        outline_level();
    }
    let kind = outline_reduce(1.0e-4 * radius, POINTS);
    wall_manifold[c].normal = normal;
    wall_manifold[c].kind = kind;
    for (var k = 0u; k < min(outline_count, POINTS); k++) {
        // its name says which corner it is
        let corner = (outline_name(k) >> 10u) & 0x3ffu;
        let position = turned(turn, shape_vector(shape_part[body].first_point + corner));
        let gap = clear + radius + dot(position, normal);
        wall_manifold[c].points[k] = ManifoldPoint(position - gap * normal, gap);
    }
    wall_manifold[c].names = outline_names();
    candidate_count[params.pair_capacity + c] = outline_count;
}
