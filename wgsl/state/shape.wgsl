// A convex part of a body: where its corners and faces are in `shape_data`.
struct ShapePart {
    first_point: u32,
    point_count: u32,
    first_face: u32,
    face_count: u32,
    @size(16) radius: f32, // [L]
}
