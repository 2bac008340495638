import package::state::body::{BodyView};
import package::state::params::{Params};
import package::neighbours::cells::{level_of, cell_of, hash_cell};
import package::neighbours::coarse::{body_coarse};
import package::math::dispatch::{linear_id};

// Cell key of every body: a hash of its cell at the level of its size. No domain: any cell has a key.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read_write> cell_key: array<u32>;
var<storage, read_write> cell_body: array<u32>;

@compute @workgroup_size(64)
fn hash_cells(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.part_count) {
        return;
    }
    let level = level_of(params, body_view[b].radius);
    cell_key[b] = hash_cell(cell_of(params, body_coarse(b), level), level) & params.hash_mask;
    cell_body[b] = b;
}
