// A convex part of a body: where its corners and faces are in `shape_data`.
struct ShapePart {
    first_point: u32,
    point_count: u32,
    first_face: u32,
    face_count: u32,
    radius: f32,       // [L]
    first_cell: u32,   // row of the first cell of directions
    @size(8) cells_across: u32, // along an edge of their cube
}
