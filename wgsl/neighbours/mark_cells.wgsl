import package::state::body::{BodyView};
import package::state::cell::{CellEntry, CellRange};
import package::state::params::{Params};
import package::neighbours::cells::{level_of, cell_entry_of};
import package::neighbours::coarse::{body_coarse};
import package::math::dispatch::{linear_id};

// Start and end of every key's run in the sorted bodies, and what a search reads of them in one line; their
// neighbours are to be counted anew.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> cell_key: array<u32>;
var<storage, read> cell_body: array<u32>;
var<storage, read_write> cell_entry: array<CellEntry>;
var<storage, read_write> cell_range: array<CellRange>;
var<storage, read_write> neighbour_count: array<u32>;

@compute @workgroup_size(64)
fn mark_cells(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let e = linear_id(w, l, 64u);
    if (e >= params.part_count) {
        return;
    }
    neighbour_count[e] = 0u;
    let key = cell_key[e];
    let body = cell_body[e];
    cell_entry[e] = cell_entry_of(body_coarse(body), body, level_of(params, body_view[body].radius));
    if (e == 0u || cell_key[max(e, 1u) - 1u] != key) {
        cell_range[key].first = e;
    }
    if (e + 1u == params.part_count || cell_key[min(e + 1u, params.part_count - 1u)] != key) {
        cell_range[key].end = e + 1u;
    }
}
