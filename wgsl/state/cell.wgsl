// The hash grid of the neighbour search.

// A body as the search reads it, in the order of the cells.
struct CellEntry {
    coarse: vec3<i32>, // [L/64]
    body_level: u32,   // body, and the level of its size in the three bits above 2^29
}

// Bodies of one key: the first, and the one behind the last.
struct CellRange {
    first: u32,
    end: u32,
}
