//! Convex parts of bodies.

crate::element! {
    "state/shape";

    /// Where a part's corners and faces are in `shape_data`.
    struct ShapePart {
        /// the first corner
        first_point: u32,
        /// how many
        point_count: u32,
        /// the first face
        first_face: u32,
        /// how many
        face_count: u32,
        /// (L)
        radius: f32,
        /// the first row of corners by direction
        first_cell: u32,
        /// cells of directions along an edge of their cube
        cells_across: u32,
        /// to 32 bytes
        pad: u32,
    }
}
