import package::state::body::{BodyView};

// Rows behind the bodies have positions, orientations and spins; what moves in a step are bodies.
var<storage, read> body_view: array<BodyView>;

// The body that a row is a part of: itself, unless it is a further part of a clump.
fn owner(row: u32) -> u32 {
    let clump = body_view[row].clump_or_room;
    return select(row, clump - 1u, clump != 0u);
}
