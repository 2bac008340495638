import package::state::control::{Control};
import package::history::{PairHistory};
import package::state::pair::{Pair};
import package::math::dispatch::{linear_id};

// Puts the present list and its history aside.
var<storage, read> control: Control;
var<storage, read> pair_body: array<Pair>;
var<storage, read> pair_history: array<PairHistory>;
var<storage, read_write> pair_body_prev: array<Pair>;
var<storage, read_write> pair_history_prev: array<PairHistory>;

@compute @workgroup_size(64)
fn save_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 64u);
    if (control.overflow != 0u || p >= control.pair_count) {
        return;
    }
    pair_body_prev[p] = pair_body[p];
    pair_history_prev[p] = pair_history[p];
}
