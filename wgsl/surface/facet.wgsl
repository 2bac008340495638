import package::state::body::{BodyState};
import package::math::wide::{sub64, add64, f32_from64};
import package::math::wide3::{wide3_of, minus3, rounded3};
import package::math::position::{POSITION_UNIT, radius64};
import package::math::plane::{plane_height, direction};
import package::state::facet::{SurfaceFace};

// Where a body is over a face of the surface. A buffer of faces holds a window of them, since devices bind 128 MiB at
// least: a pass runs once for each window, whose number is pass_constants.y.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> body_state: array<BodyState>;
var<storage, read> surface_face: array<SurfaceFace>;

const FACES: u32 = 1198372u; // of a window

struct Facet {
    normal: vec3<f32>,
    above: f32,        // radius less the centre's height over the plane [L], from exact differences
    sides: vec3<f32>,  // distances of the foot from the sides, inside positive [L]
    start: vec3<f32>,  // where the sides start and end along their lines, from the foot [L]
    end: vec3<f32>,
    inward: array<vec3<f32>, 3>,
}

// Where a face is in its window; beyond the end of the buffer if another window has it.
fn window_row(face: u32) -> u32 {
    return face - FACES * pass_constants.y;
}

fn in_window(face: u32) -> bool {
    return window_row(face) < arrayLength(&surface_face);
}

fn facet_of(face: u32, body: u32, radius: f32) -> Facet {
    let row = window_row(face);
    let corner = wide3_of(surface_face[row].corner_low, surface_face[row].corner_high);
    let d = minus3(body_state[body].position, corner);
    let near = sub64(radius64(radius), plane_height(d, surface_face[row].normal));
    let away = rounded3(d) * POSITION_UNIT;
    var f: Facet;
    f.normal = direction(surface_face[row].normal);
    f.above = f32_from64(near) * POSITION_UNIT - dot(surface_face[row].rest, away);
    let second = add64(plane_height(d, surface_face[row].inward_y), vec2<u32>(surface_face[row].over_low, surface_face[row].over_high));
    f.sides = vec3<f32>(
        f32_from64(plane_height(d, surface_face[row].inward_x)),
        f32_from64(second),
        f32_from64(plane_height(d, surface_face[row].inward_z)),
    ) * POSITION_UNIT;
    let cot = vec3<f32>(surface_face[row].cotangent_x, surface_face[row].cotangent_y, surface_face[row].cotangent_z);
    let csc = sqrt(vec3<f32>(1.0) + cot * cot);
    // A corner lies where both its sides do: no position along a side depends on a corner far away.
    f.start = -(f.sides.zxy * csc + f.sides * cot);
    f.end = f.sides.yzx * csc.yzx + f.sides * cot.yzx;
    f.inward = array<vec3<f32>, 3>(
        direction(surface_face[row].inward_x),
        direction(surface_face[row].inward_y),
        direction(surface_face[row].inward_z),
    );
    return f;
}

struct Feature {
    overlap: f32,        // radius less the distance of the facet's closest point [L]
    towards: vec3<f32>,  // unit, from that point to the centre
}

// The nearer of the closest point so far and that of a side: the way from there to the foot, and its square. Only a side
// that the foot is beyond has one.
fn beyond_side(best: vec4<f32>, f: Facet, inward: vec3<f32>, side: f32, start: f32, end: f32) -> vec4<f32> {
    let t = clamp(0.0, start, max(start, end));
    let square = side * side + t * t;
    let across = side * inward - t * cross(inward, f.normal);
    return select(best, vec4<f32>(across, square), side < 0.0 && square < best.w);
}

// Closest point of a facet: the foot of the centre if it lies inside, else of the sides.
fn facet_feature(f: Facet, radius: f32) -> Feature {
    var best = vec4<f32>(0.0, 0.0, 0.0, 3.0e38);
    best = beyond_side(best, f, f.inward[0], f.sides.x, f.start.x, f.end.x);
    best = beyond_side(best, f, f.inward[1], f.sides.y, f.start.y, f.end.y);
    best = beyond_side(best, f, f.inward[2], f.sides.z, f.start.z, f.end.z);
    let outside = min(f.sides.x, min(f.sides.y, f.sides.z)) < 0.0;
    let square = select(0.0, best.w, outside);
    let height = radius - f.above;
    let distance = max(sqrt(height * height + square), 1.0e-12);
    // R - d without cancellation
    let overlap = (f.above * (radius + height) - square) / (radius + distance);
    return Feature(overlap, (height * f.normal + best.xyz) / distance);
}

// A face of this window is so near to a body that the list of half the skin `skin_half` has it.
fn facet_listed(face: u32, body: u32, radius: f32, skin_half: f32) -> bool {
    return in_window(face) && facet_feature(facet_of(face, body, radius), radius).overlap > -1.0001 * skin_half;
}
