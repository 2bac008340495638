import package::contact_dynamics::farthest_corner::{highest_corner};
import package::contact_dynamics::shape::{SLOPE, corner_face, corner_faces, face_sides, shape_side, shape_vector};
import package::math::turn::{turned_back};
import package::math::turns::{turns, TURNS_MAX};
import package::state::shape::{ShapePart};

// The face by which a body touches a plane.
var<storage, read> shape_part: array<ShapePart>;

// A face turned farther away than this (cosine) cannot be what a plane touches with more than a corner.
const AWAY: f32 = 0.01;

struct Facing {
    face: u32, // row of its data
    cosine: f32,
}

// Corners that touch a plane. `some` are four of them at most.
struct Touching {
    count: u32,
    some: vec4<u32>,
    highest: vec3<f32>,
    local: vec3<f32>, // direction of the plane, in the body's axes
    reach: f32,
}

// Whether a corner touches the plane through the highest one, within reach and to within the slope.
fn touches(part: ShapePart, t: Touching, corner: u32) -> bool {
    let rise = t.highest - shape_vector(part.first_point + corner);
    let height = max(dot(rise, t.local), 0.0);
    return height <= t.reach && height * height * (1.0 + SLOPE * SLOPE) <= SLOPE * SLOPE * dot(rise, rise);
}

fn touching_corners(part: ShapePart, local: vec3<f32>, reach: f32) -> Touching {
    let highest = shape_vector(part.first_point + highest_corner(part, local));
    var t = Touching(0u, vec4<u32>(0xffffffffu), highest, local, reach);
    for (var k = 0u; k < part.point_count && turns < TURNS_MAX; k++) {
        turns += 1u;
        if (touches(part, t, k)) {
            t.count += 1u;
            t.some = vec4<u32>(k, t.some.xyz);
        }
    }
    return t;
}

// How many corners of a face touch the plane.
fn touching_of(part: ShapePart, face: u32, t: Touching) -> u32 {
    let sides = face_sides(face);
    var touching = 0u;
    for (var s = 0u; s < sides.count && turns < TURNS_MAX; s++) {
        turns += 1u;
        let corner = shape_side(sides.first + s).corner;
        var counts = any(vec4<u32>(corner) == t.some);
        if (t.count > 4u) {
            counts = touches(part, t, corner);
        }
        touching += select(0u, 1u, counts);
    }
    return touching;
}

// The face of a body with most corners in the plane that touches it in the direction `towards`, the most parallel of
// those. `turn`: of the body. Only faces around corners in the plane are looked at, some of them more than once.
fn facing(body: u32, turn: vec4<f32>, towards: vec3<f32>, reach: f32) -> Facing {
    let part = shape_part[body];
    let t = touching_corners(part, turned_back(turn, towards), reach);
    let few = t.count <= 4u;
    var some = t.some;
    var best = Facing(part.first_face, -1.0);
    var score = -3.0;
    for (var k = 0u; k < select(part.point_count, t.count, few) && turns < TURNS_MAX; k++) {
        turns += 2u;
        let corner = select(k, some.x, few);
        some = some.yzwx;
        if (few || touches(part, t, corner)) {
            let around = corner_faces(part.first_point + corner);
            for (var m = 0u; m < around.count && turns < TURNS_MAX; m++) {
                turns += 2u;
                let face = corner_face(around, m);
                let cosine = dot(shape_vector(face), t.local);
                let touching = min(touching_of(part, face, t), select(1u, 3u, cosine > AWAY));
                let total = 4.0 * f32(touching) + cosine;
                // of equal ones the first in the list of faces
                if (total > score || (total == score && face < best.face)) {
                    score = total;
                    best = Facing(face, cosine);
                }
            }
        }
    }
    return best;
}
