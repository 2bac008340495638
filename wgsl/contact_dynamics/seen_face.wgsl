import package::contact_dynamics::dynamics::{tangents};
import package::contact_dynamics::shape::{FaceSides, SIDES_MAX, face_sides, shape_side, shape_vector};
import package::math::turn::{turned_back};
import package::state::shape::{ShapePart};

var<storage, read> shape_part: array<ShapePart>;

// Directions across a normal, and the normal.
struct Axes {
    u: vec3<f32>,
    v: vec3<f32>,
    up: vec3<f32>,
}

fn axes_about(up: vec3<f32>) -> Axes {
    let across = tangents(up);
    return Axes(across[0], across[1], up);
}

// A face seen along a normal.
struct Face {
    u: vec3<f32>, // directions across the normal, in the axes of the body
    v: vec3<f32>,
    centre: vec2<f32>, // of the body
    sides: FaceSides,
    first_point: u32,
}

fn corner_of(face: Face, side: u32) -> u32 {
    return shape_side(face.sides.first + side).corner;
}

// Place of a corner across the normal.
fn corner_at(face: Face, side: u32) -> vec2<f32> {
    let x = shape_vector(face.first_point + corner_of(face, side));
    return face.centre + vec2<f32>(dot(face.u, x), dot(face.v, x));
}

// Height of a face along the normal `up`. x, y: its slope along u and v; z: its height at the origin.
fn level_of(face: Face, row: u32, turn: vec4<f32>, centre: vec3<f32>, up: vec3<f32>) -> vec3<f32> {
    let up_in_body = turned_back(turn, up);
    let normal = shape_vector(row);
    let along = dot(normal, up_in_body);
    // The divisor is kept away from 0. The heights of a face so steep are wrong.
    let slope = -vec2<f32>(dot(normal, face.u), dot(normal, face.v))
        / select(min(along, -1.0e-3), max(along, 1.0e-3), along > 0.0);
    let corner = shape_vector(face.first_point + corner_of(face, 0u));
    return vec3<f32>(slope, dot(up, centre) + dot(up_in_body, corner) - dot(slope, corner_at(face, 0u)));
}

fn face_of(body: u32, turn: vec4<f32>, centre: vec3<f32>, row: u32, axes: Axes) -> Face {
    let place = vec2<f32>(dot(axes.u, centre), dot(axes.v, centre));
    let sides = face_sides(row);
    let count = min(sides.count, SIDES_MAX);
    let first_point = shape_part[body].first_point;
    return Face(turned_back(turn, axes.u), turned_back(turn, axes.v), place, FaceSides(sides.first, count), first_point);
}
