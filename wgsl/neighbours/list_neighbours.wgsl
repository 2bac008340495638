import package::state::cell::{CellEntry};
import package::state::params::{Params};
import package::state::control::{Control};
import package::neighbours::cells::{entry_body};
import package::neighbours::row::{ROW_MAX, row_place};
import package::math::dispatch::{linear_id};

// Lists the neighbours of every body that its row holds, ascending, and counts those of higher index. The place of each is
// the number of smaller ones, so nothing is moved. find_neighbours does the same for bodies with more.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read> cell_entry: array<CellEntry>;
var<storage, read> neighbour_row: array<u32>;
var<storage, read> incident_offset: array<u32>;
var<storage, read_write> upper_count: array<u32>;
var<storage, read_write> incident_body: array<u32>;

const NONE: u32 = 0xffffffffu;

// Four words of a row from the k-th on, those behind the last larger than any body.
fn row_words(entry: u32, k: u32, count: u32) -> vec4<u32> {
    if (k >= count) {
        return vec4<u32>(NONE);
    }
    let places = vec4<u32>(k, k + 1u, k + 2u, k + 3u);
    let words = vec4<u32>(
        neighbour_row[row_place(entry, places.x)],
        neighbour_row[row_place(entry, places.y)],
        neighbour_row[row_place(entry, places.z)],
        neighbour_row[row_place(entry, places.w)],
    );
    return select(vec4<u32>(NONE), words, places < vec4<u32>(count));
}

struct Row {
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
    d: vec4<u32>,
}

// Neighbours of lower index than `other`.
fn below(row: Row, other: u32) -> u32 {
    let zero = vec4<u32>(0u);
    let one = vec4<u32>(1u);
    let wanted = vec4<u32>(other);
    let less = select(zero, one, row.a < wanted) + select(zero, one, row.b < wanted)
        + select(zero, one, row.c < wanted) + select(zero, one, row.d < wanted);
    return less.x + less.y + less.z + less.w;
}

@compute @workgroup_size(64)
fn list_neighbours(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let entry = linear_id(w, l, 64u);
    if (entry >= params.part_count || control.overflow != 0u) {
        return;
    }
    let body = entry_body(cell_entry[entry]);
    let first = incident_offset[body];
    let count = incident_offset[body + 1u] - first;
    if (count > ROW_MAX) {
        return;
    }
    let row = Row(row_words(entry, 0u, count), row_words(entry, 4u, count), row_words(entry, 8u, count), row_words(entry, 12u, count));
    for (var k = 0u; k < min(count, ROW_MAX); k++) {
        let other = neighbour_row[row_place(entry, k)];
        incident_body[first + below(row, other)] = other;
    }
    upper_count[body] = count - below(row, body);
}
