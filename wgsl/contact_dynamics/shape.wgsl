import package::math::turn::{turned_back};
import package::math::turns::{turns, TURNS_MAX};

import package::state::shape::{ShapePart};

// Polyhedra as the passes see them. `shape_data` holds the corners, faces and sides of all shapes, in rows of 16 bytes:
// a corner; a face, two rows (outward normal and offset; first side, how many); a side of a face (corner, edge).
var<storage, read> shape_part: array<ShapePart>;
var<storage, read> shape_data: array<vec4<u32>>;

const FACE_ROWS: u32 = 2u;
// Sides of a face at most.
const SIDES_MAX: u32 = 12u;
// A face turned farther away than this (cosine) cannot be what a plane touches with more than a corner.
const AWAY: f32 = 0.01;
// Beyond this slope to the lowest point no other counts (rad).
const SLOPE: f32 = 0.1;

// A point or a normal.
fn shape_vector(row: u32) -> vec3<f32> {
    return bitcast<vec3<f32>>(shape_data[row].xyz);
}

// Sides of a face: the first, how many.
struct FaceSides {
    first: u32,
    count: u32,
}

fn face_sides(face: u32) -> FaceSides {
    let row = shape_data[face + 1u];
    return FaceSides(row.x, row.y);
}

// A side of a face: where it starts, and which edge it is.
struct ShapeSide {
    corner: u32,
    edge: u32,
}

fn shape_side(row: u32) -> ShapeSide {
    let words = shape_data[row];
    return ShapeSide(words.x, words.y);
}

struct Facing {
    face: u32,   // row of its data
    touching: u32, // corners in the plane, up to 3
    cosine: f32,
}

// The face of a body with most corners in the plane that touches it in the direction `towards`, the most parallel of
// those. `turn`: of the body.
fn facing(body: u32, turn: vec4<f32>, towards: vec3<f32>, reach: f32) -> Facing {
    let part = shape_part[body];
    let local = turned_back(turn, towards);
    var highest = -3.0e38;
    var lowest = vec3<f32>(0.0);
    for (var k = part.first_point; k < part.first_point + part.point_count && turns < TURNS_MAX; k++) {
        turns += 1u;
        let height = dot(shape_vector(k), local);
        if (height > highest) {
            highest = height;
            lowest = shape_vector(k);
        }
    }
    var best = Facing(part.first_face, 0u, -1.0);
    var score = -3.0;
    for (var f = 0u; f < part.face_count && turns < TURNS_MAX; f++) {
        turns += 2u;
        let face = part.first_face + FACE_ROWS * f;
        let sides = face_sides(face);
        let cosine = dot(shape_vector(face), local);
        var touching = 0u;
        for (var s = 0u; s < sides.count && turns < TURNS_MAX; s++) {
            turns += 1u;
            let corner = shape_vector(part.first_point + shape_side(sides.first + s).corner);
            let rise = lowest - corner;
            let height = dot(rise, local);
            let across = rise - height * local;
            touching += select(0u, 1u, height <= reach && height <= SLOPE * length(across));
        }
        touching = min(touching, select(1u, 3u, cosine > AWAY));
        if (4.0 * f32(touching) + cosine > score && touching > 0u) {
            score = 4.0 * f32(touching) + cosine;
            best = Facing(face, touching, cosine);
        }
    }
    return best;
}
