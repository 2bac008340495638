import package::math::turn::{turned_back};
import package::math::turns::{turns, TURNS_MAX};

// Polyhedra as the passes see them. The pass that imports this binds `shape_row` and `shape_data`. Two rows a body:
// first corner point, how many, first face, how many; radius bits. Data: points; faces, two rows each (outward normal,
// offset; first side, how many); sides of faces (corner point, edge).

const FACE_ROWS: u32 = 2u;
// Beyond this slope to the lowest point no other counts (rad).
const SLOPE: f32 = 0.1;

// A point or a normal.
fn shape_vector(row: u32) -> vec3<f32> {
    return bitcast<vec3<f32>>(shape_data[row].xyz);
}

struct Facing {
    face: u32,   // row of its data
    touching: u32, // corners in the plane, up to 3
    cosine: f32,
}

// The face of a body with most corners in the plane that touches it in the direction `towards`, the most parallel of
// those. `turn`: of the body.
fn facing(body: u32, turn: vec4<f32>, towards: vec3<f32>, reach: f32) -> Facing {
    let row = shape_row[2u * body];
    let local = turned_back(turn, towards);
    var highest = -3.0e38;
    var lowest = vec3<f32>(0.0);
    for (var k = row.x; k < row.x + row.y && turns < TURNS_MAX; k++) {
        turns += 1u;
        let height = dot(shape_vector(k), local);
        if (height > highest) {
            highest = height;
            lowest = shape_vector(k);
        }
    }
    var best = Facing(row.z, 0u, -1.0);
    var score = -3.0;
    for (var f = 0u; f < row.w && turns < TURNS_MAX; f++) {
        turns += 2u;
        let face = row.z + FACE_ROWS * f;
        let sides = shape_data[face + 1u];
        let cosine = dot(shape_vector(face), local);
        var touching = 0u;
        for (var s = 0u; s < sides.y && turns < TURNS_MAX; s++) {
            turns += 1u;
            let corner = shape_vector(row.x + shape_data[sides.x + s].x);
            let rise = lowest - corner;
            let height = dot(rise, local);
            let across = rise - height * local;
            touching += select(0u, 1u, height <= reach && height <= SLOPE * length(across));
        }
        touching = min(touching, 3u);
        if (4.0 * f32(touching) + cosine > score && touching > 0u) {
            score = 4.0 * f32(touching) + cosine;
            best = Facing(face, touching, cosine);
        }
    }
    return best;
}
