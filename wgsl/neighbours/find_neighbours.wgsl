import package::state::cell::{CellEntry, CellRange};
import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::neighbours::cells::{entry_body, entry_level, hash_cell};
import package::neighbours::search::{Seeker, CELLS_MAX, CROWD_MAX, cells_around, cells_in, cell_after, is_neighbour, is_inside};
import package::neighbours::row::{ROW_MAX, SORTED_MAX};
import package::math::turns::{turns, cut_short};
import package::neighbours::entries::{entry_bits, entry_words};
import package::math::dispatch::{linear_id};

// Neighbours of a body within the sum of the radii and the skin, where note_neighbours does not do. It writes a list,
// ascending, for bodies with more neighbours than a row holds (pass_constants.y = 0). Or, where bodies have more than one
// invocation sorts, entries of all that are sorted afterwards (1): both of a pair are found by the smaller body if the sizes
// differ much, so that no body looks at very many. That runs twice: it counts (pass_constants.x = 0), then it writes (1).
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> cell_entry: array<CellEntry>;
var<storage, read> cell_range: array<CellRange>;
var<storage, read_write> neighbour_count: array<u32>;
var<storage, read_write> upper_count: array<u32>;
var<storage, read> incident_offset: array<u32>;
var<storage, read_write> incident_body: array<u32>; // or words of entries

const SORT_TURNS: u32 = 6000u; // more than a shell sort of SORTED_MAX takes
const FINER: u32 = 2u;         // levels below its own that a body searches for entries

// Shell sort of a body's neighbours: insertion for the few that a packing has.
fn sort_neighbours(first: u32, count: u32) {
    for (var stride = 13u; stride > 0u; stride /= 3u) {
        for (var k = stride; k < min(count, SORTED_MAX); k++) {
            let value = incident_body[first + k];
            var at = k;
            while (turns < SORT_TURNS && at >= stride && incident_body[first + at - stride] > value) {
                turns += 1u;
                incident_body[first + at] = incident_body[first + at - stride];
                at -= stride;
            }
            incident_body[first + at] = value;
        }
    }
}

// Notes a neighbour at its index in the list, or among the entries.
fn note(index: u32, body: u32, other: u32, entries: bool) {
    if (entries) {
        let words = entry_words(body, other, entry_bits(params.part_count));
        incident_body[2u * index] = words.x;
        incident_body[2u * index + 1u] = words.y;
    } else {
        incident_body[index] = other;
    }
}

@compute @workgroup_size(64)
fn find_neighbours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let entry = linear_id(w, l, 64u);
    let writing = pass_constants.x == 1u;
    let entries = pass_constants.y == 1u;
    if (entry >= params.part_count || (writing && atomicLoad(&control.overflow) != 0u)) {
        return;
    }
    let here = cell_entry[entry]; // in cell order: neighbouring invocations read the same cells
    let body = entry_body(here);
    if (!entries && neighbour_count[body] <= ROW_MAX) {
        return;
    }
    let own_level = entry_level(here);
    let me = Seeker(here.coarse, body, body_view[body].position, body_view[body].radius);
    let first = select(0u, incident_offset[body], writing);
    let levels = select(params.level_count, min(params.level_count, own_level + FINER + 1u), entries);
    var count = 0u;
    var upper = 0u;
    var cells_left = CELLS_MAX;
    var left = CROWD_MAX;
    for (var level = 0u; level < min(levels, 8u); level++) {
        let near = cells_around(me, level);
        let cells = min(cells_in(near), cells_left);
        cells_left -= cells;
        var cell = near.low;
        for (var k = 0u; k < cells; k++) {
            let range = cell_range[hash_cell(cell, level) & params.hash_mask];
            let look = min(range.end - range.first, left);
            left -= look;
            for (var e = 0u; e < look; e++) {
                let other = cell_entry[range.first + e];
                if (range.first + e == entry || !is_inside(other, cell, near.size, level) || !is_neighbour(me, other, near.far)) {
                    continue;
                }
                let j = entry_body(other);
                if (writing) {
                    note(first + count, body, j, entries);
                }
                count += 1u;
                upper += select(0u, 1u, j > body);
                // A body this much larger does not look for small ones: they enter the pair.
                if (entries && level + FINER < own_level) {
                    if (writing) {
                        note(first + count, j, body, entries);
                    }
                    count += 1u;
                }
            }
            cell = cell_after(near, cell);
        }
    }
    if (cells_left == 0u || left == 0u || cut_short(atomicLoad(&control.zero), CELLS_MAX - cells_left + CROWD_MAX - left)) {
        atomicOr(&control.fault_body, FAULT_CROWD);
        atomicMin(&control.fault_index, body);
    }
    if (!writing) {
        neighbour_count[body] = count;
    } else if (!entries) {
        upper_count[body] = upper;
        sort_neighbours(first, count);
    }
}
