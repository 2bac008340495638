// The pass that imports this binds `body_view`.

// Rows behind the bodies have places, orientations and spins; what moves in a step are bodies.
// The body that a row is a part of: itself, unless it is a further part of a clump.
fn owner(row: u32) -> u32 {
    let clump = body_view[4u * row + 3u].w;
    return select(row, clump - 1u, clump != 0u);
}
