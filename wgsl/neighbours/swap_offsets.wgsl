import package::state::params::{Params};
import package::state::control::{Control};
import package::state::work::{PairArgs};
import package::math::dispatch::{linear_id};

// The offsets just built become the present ones, the present ones the previous; writes the arguments over pairs.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read> pair_offset_next: array<u32>;
var<storage, read_write> pair_offset: array<u32>;
var<storage, read_write> pair_offset_prev: array<u32>;
var<storage, read_write> pair_args: array<PairArgs>;

@compute @workgroup_size(64)
fn swap_offsets(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (control.overflow != 0u || b > params.part_count) {
        return;
    }
    pair_offset_prev[b] = pair_offset[b];
    pair_offset[b] = pair_offset_next[b];
    if (b == params.part_count) {
        let pairs = pair_offset_next[b];
        let groups = max((pairs + 63u) / 64u, 1u); // one at least: apply_contacts also opens the step
        let x = min(groups, 65535u);
        control.pair_count = pairs;
        pair_args[0] = PairArgs(x, (groups + x - 1u) / x, 1u);
    }
}
