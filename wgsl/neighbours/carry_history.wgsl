import package::state::control::{Control};
import package::history::{PairHistory};
import package::state::pair::{Pair, PairResult};
import package::math::dispatch::{linear_id};

// Every pair takes over the history it had in the list before, found by the pair itself. pass_constants.x: 1 if there are
// results, which then hold nothing.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> control: Control;
var<storage, read> pair_body: array<Pair>;
var<storage, read> pair_offset_prev: array<u32>;
var<storage, read> pair_body_prev: array<Pair>;
var<storage, read> pair_history_prev: array<PairHistory>;
var<storage, read_write> pair_history: array<PairHistory>;
var<storage, read_write> pair_result: array<PairResult>;

@compute @workgroup_size(64)
fn carry_history(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (control.overflow != 0u || p >= control.pair_count) {
        return;
    }
    let pair = pair_body[p];
    var low = pair_offset_prev[pair.i];
    let last = pair_offset_prev[pair.i + 1u];
    var high = last;
    for (var k = 0u; k < 32u && low < high; k++) {
        let mid = (low + high) / 2u;
        if (pair_body_prev[mid].j < pair.j) {
            low = mid + 1u;
        } else {
            high = mid;
        }
    }
    let known = low < last && pair_body_prev[low].j == pair.j;
    if (known) {
        pair_history[p] = pair_history_prev[low];
    } else {
        pair_history[p] = PairHistory();
    }
    if (pass_constants.x == 1u) {
        pair_result[p] = PairResult();
    }
}
