import package::state::params::{Params};
import package::state::control::{Control};
import package::state::work::{PairArgs};
import package::math::dispatch::{linear_id};
import package::neighbours::args::{args_over};

// The offsets just built become the present ones, the present ones the previous; writes the arguments over pairs.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read> pair_offset_next: array<u32>;
var<storage, read_write> pair_offset: array<u32>;
var<storage, read_write> pair_offset_prev: array<u32>;
var<storage, read_write> pair_args: array<PairArgs>;

@compute @workgroup_size(64)
fn swap_offsets(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (control.overflow != 0u || b > params.part_count) {
        return;
    }
    pair_offset_prev[b] = pair_offset[b];
    pair_offset[b] = pair_offset_next[b];
    if (b == params.part_count) {
        let pairs = pair_offset_next[b];
        control.pair_count = pairs;
        pair_args[0] = args_over(pairs);
    }
}
