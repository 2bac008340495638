import package::state::cell::{CellEntry, CellRange};
import package::state::params::{Params};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::neighbours::cells::{entry_body, entry_level, hash_cell};
import package::neighbours::search::{Seeker, CELLS_MAX, CROWD_MAX, cells_around, cells_in, cells_before_home, cell_after, is_neighbour, is_inside};
import package::neighbours::row::{ROW_MAX, SORTED_MAX, row_place};
import package::math::turns::{cut_short};
import package::math::dispatch::{linear_id};

// Counts the neighbours of every body within the sum of the radii and the skin, and notes the first of them in its row, in
// any order. Two bodies of one level are found by the one that stands first among the sorted ones, which looks at no cell
// before its own, and note each other; of two levels each looks for the other. mark_cells has set the counts to 0.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> cell_entry: array<CellEntry>;
var<storage, read> cell_range: array<CellRange>;
var<storage, read_write> neighbour_count: array<atomic<u32>>;
var<storage, read_write> neighbour_row: array<u32>;

fn note(body: u32, entry: u32, other: u32) {
    let k = atomicAdd(&neighbour_count[body], 1u);
    if (k < ROW_MAX) {
        neighbour_row[row_place(entry, k)] = other;
    }
    // More than one invocation sorts: the host asks for entries.
    if (k >= SORTED_MAX) {
        atomicStore(&control.crowded, 1u);
    }
}

@compute @workgroup_size(64)
fn note_neighbours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let entry = linear_id(w, l, 64u);
    if (entry >= params.part_count) {
        return;
    }
    let here = cell_entry[entry]; // in cell order: neighbouring invocations read the same cells
    let body = entry_body(here);
    let me = Seeker(here.coarse, body, body_view[body].position, body_view[body].radius);
    var cells_left = CELLS_MAX;
    var left = CROWD_MAX;
    for (var level = 0u; level < min(params.level_count, 8u); level++) {
        let near = cells_around(me, level);
        let own = level == entry_level(here);
        let cells = min(cells_in(near) - select(0u, cells_before_home(near), own), cells_left);
        cells_left -= cells;
        var cell = select(near.low, near.home, own);
        for (var k = 0u; k < cells; k++) {
            let range = cell_range[hash_cell(cell, level) & params.hash_mask];
            let first = select(range.first, entry + 1u, own && k == 0u);
            let look = min(range.end - first, left);
            left -= look;
            for (var e = 0u; e < look; e++) {
                let other = cell_entry[first + e];
                if (is_inside(other, cell, near.size, level) && is_neighbour(me, other, near.far)) {
                    note(body, entry, entry_body(other));
                    if (own) {
                        note(entry_body(other), first + e, body);
                    }
                }
            }
            cell = cell_after(near, cell);
        }
    }
    if (cells_left == 0u || left == 0u || cut_short(atomicLoad(&control.zero), CELLS_MAX - cells_left + CROWD_MAX - left)) {
        atomicStore(&control.crowded, 1u);
    }
}
