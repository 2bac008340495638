import package::contact_dynamics::farthest_corner::{highest_corner};
import package::contact_dynamics::plane_search::{Bodies, CLIMB_ON, DONE, NEAR_FACES, Search, climb_from_here, faces_from_here};
import package::contact_dynamics::shape::{CornerFaces, FACE_ROWS, SNAP, corner_face, corner_faces, shape_vector};
import package::math::turn::{turn_f32, turned, turned_back};
import package::math::turns::{turns, TURNS_MAX};
import package::state::body::{Orientation};
import package::state::shape::{ShapePart};

// The walk over the planes of faces, of all of them or of those around the corners found.
var<storage, read> body_turn: array<Orientation>;
var<storage, read> shape_part: array<ShapePart>;

// Normals that differ by less are the same.
const SAME: f32 = 1.0e-6;

// Faces of a body that are to be tried: all, or those around its farthest corner in a direction.
fn faces_along(body: u32, direction: vec3<f32>, near: bool) -> CornerFaces {
    let part = shape_part[body];
    var faces = CornerFaces(part.first_face, part.face_count);
    if (near) {
        let local = turned_back(turn_f32(body_turn[body].quaternion), direction);
        faces = corner_faces(part.first_point + highest_corner(part, local));
    }
    return faces;
}

// The next plane of a face that is to be tried: the outward normal of a face of j, the inward one of a face of i.
fn next_face(before: Search, b: Bodies) -> Search {
    var s = before;
    let near = s.task == NEAR_FACES;
    let of_j = faces_along(b.pair.j, s.held, near);
    let of_i = faces_along(b.pair.i, -s.held, near);
    s.trying = false;
    for (; s.next < of_j.count + of_i.count && !s.trying && turns < TURNS_MAX; s.next++) {
        turns += 1u;
        let own = s.next >= of_j.count;
        let k = s.next - select(0u, of_j.count, own);
        let faces = CornerFaces(select(of_j.first, of_i.first, own), 0u);
        var row = faces.first + FACE_ROWS * k;
        if (near) {
            row = corner_face(faces, k);
        }
        let outward = turned(turn_f32(body_turn[select(b.pair.j, b.pair.i, own)].quaternion), shape_vector(row));
        s.normal = select(outward, -outward, own);
        let off = s.normal - s.held;
        let square = dot(off, off);
        s.trying = !near || (square > SAME * SAME && square <= 2.0 * SNAP);
    }
    if (!s.trying) {
        if (near) {
            s.task = DONE;
        } else if (s.found.gap > s.before) {
            s = climb_from_here(s, CLIMB_ON);
        } else {
            s = faces_from_here(s, NEAR_FACES);
        }
    }
    return s;
}
