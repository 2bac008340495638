import package::state::params::{Params};
import package::math::dispatch::{linear_id};

// Marks the entries behind the last one as holding nothing: they stay last when all are sorted.
var<uniform> params: Params;
var<storage, read> entry_offset: array<u32>;
var<storage, read_write> entry_key: array<u32>;
var<storage, read_write> entry_load: array<u32>; // a sort moves something along

@compute @workgroup_size(64)
fn clear_entries(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k < 2u * params.pair_capacity) {
        entry_load[k] = k;
        if (k >= entry_offset[params.part_count]) {
            entry_key[2u * k] = 0xffffffffu;
            entry_key[2u * k + 1u] = 0xffffffffu;
        }
    }
}
