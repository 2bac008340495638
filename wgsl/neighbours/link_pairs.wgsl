import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::math::dispatch::{linear_id};

// Names the pairs: body i owns those with a higher neighbour, in ascending order; every incidence of a body learns its
// pair and its side. Order depends on indices alone, so sums over contacts do not depend on where the bodies are.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> incident_offset: array<u32>;
var<storage, read> incident_body: array<u32>;
var<storage, read> pair_offset: array<u32>;
var<storage, read_write> pair_body: array<Pair>;
var<storage, read_write> incident_pair: array<u32>;

// Index of `wanted` among the ascending neighbours in [first, last).
fn find_index(first: u32, last: u32, wanted: u32) -> u32 {
    var low = first;
    var high = last;
    turns += 1u;
    while (low < high && turns < TURNS_MAX) {
        turns += 1u;
        let mid = (low + high) / 2u;
        if (incident_body[mid] < wanted) {
            low = mid + 1u;
        } else {
            high = mid;
        }
    }
    return low;
}

@compute @workgroup_size(64)
fn link_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i >= params.part_count || atomicLoad(&control.overflow) != 0u) {
        return;
    }
    var own = pair_offset[i];
    let last = incident_offset[i + 1u];
    let count = last - incident_offset[i];
    for (var e = incident_offset[i]; e < last && turns < TURNS_MAX; e++) {
        turns += 1u;
        let j = incident_body[e];
        let upper = j > i;
        let first = incident_offset[j];
        let end = incident_offset[j + 1u];
        // Who has fewer neighbours looks for itself in the other's list: a boulder in none of its grains'.
        if (count < end - first || (count == end - first && upper)) {
            let index = find_index(first, end, i);
            let pair = select(pair_offset[j + 1u] - (end - index), own, upper);
            pair_body[pair] = Pair(min(i, j), max(i, j));
            incident_pair[e] = 2u * pair + select(1u, 0u, upper);
            incident_pair[index] = 2u * pair + select(0u, 1u, upper);
        }
        own += select(0u, 1u, upper);
    }
    if (turns >= TURNS_MAX || cut_short(atomicLoad(&control.zero), turns)) {
        atomicOr(&control.fault_body, FAULT_CROWD);
        atomicMin(&control.fault_index, i);
    }
}
