import package::state::params::{Params};

// The neighbours of a body as the search comes upon them, before there is a place for them in the list.
var<uniform> params: Params;

const ROW_MAX: u32 = 16u;     // neighbours that a row holds
const SORTED_MAX: u32 = 128u; // neighbours that one invocation sorts in the list

// Index of the k-th neighbour of the body at index `entry` of the sorted ones: rows lie across, so that invocations side
// by side read words side by side.
fn row_place(entry: u32, k: u32) -> u32 {
    return k * params.part_count + entry;
}
