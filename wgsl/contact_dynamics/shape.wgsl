// Polyhedra as the passes see them. `shape_data` holds the corners, faces and sides of all shapes, in rows of 16 bytes:
// a corner (place, row of the faces around it); a face, two rows (outward normal and offset; first side, how many); a side
// of a face (corner, edge). A shape has as many sides as faces around its corners, so rows of sides hold these too, corner
// by corner: the row of a face, and with the first of a corner how many these are. Behind them is a row for each cell of
// directions (geometry::direction_cells): the corners that can be the highest along them, two a word.
var<storage, read> shape_data: array<vec4<u32>>;

const FACE_ROWS: u32 = 2u;
// Sides of a face at most.
const SIDES_MAX: u32 = 12u;
// Beyond this slope to the lowest point no other counts (rad).
const SLOPE: f32 = 0.1;
// 1 - cos between a normal and a face's from which on it is the face's: that one is exact to rounding, where a climb is not.
const SNAP: f32 = 2.0e-6;

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

// Faces around a corner: the row that names the first, how many.
struct CornerFaces {
    first: u32,
    count: u32,
}

fn corner_faces(corner: u32) -> CornerFaces {
    let first = shape_data[corner].w;
    return CornerFaces(first, shape_data[first].w);
}

fn corner_face(faces: CornerFaces, k: u32) -> u32 {
    return shape_data[faces.first + k].z;
}
