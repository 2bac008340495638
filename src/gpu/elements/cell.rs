//! The hash grid of the neighbour search.

crate::element! {
    "state/cell";

    /// A body as the search reads it.
    struct CellEntry {
        /// position (L/64)
        coarse: [i32; 3],
        /// body, and the level of its size in the three highest bits
        body_level: u32,
    }

    /// Bodies of one key.
    struct CellRange {
        /// the first
        first: u32,
        /// behind the last
        end: u32,
    }
}
