import package::state::cell::{CellRange};
import package::state::params::{Params};
import package::math::dispatch::{linear_id};

// Empties the table of cells.
var<uniform> params: Params;
var<storage, read_write> cell_range: array<CellRange>;

@compute @workgroup_size(64)
fn clear_cells(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c <= params.hash_mask) {
        cell_range[c] = CellRange(0u, 0u);
    }
}
