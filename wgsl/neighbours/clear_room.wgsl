import package::math::dispatch::{linear_id};

// Empties the table of coarse cells.
var<storage, read_write> room_cell: array<u32>;

@compute @workgroup_size(64)
fn clear_room(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let slot = linear_id(w, l, 64u);
    if (slot < arrayLength(&room_cell)) {
        room_cell[slot] = 0u;
    }
}
