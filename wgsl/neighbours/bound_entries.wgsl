import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::neighbours::entries::{entry_bits, entry_words};
import package::neighbours::incidence::{NEIGHBOURS_MAX};
import package::math::dispatch::{linear_id};

// Where the list of every body begins among the sorted entries, and how many of its neighbours are of higher index.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> entry_offset: array<u32>;
var<storage, read> entry_key: array<u32>;
var<storage, read_write> incident_offset: array<u32>;
var<storage, read_write> upper_count: array<u32>;

// Entries below (body, other).
fn below(body: u32, other: u32) -> u32 {
    let wanted = entry_words(body, other, entry_bits(params.part_count));
    var low = 0u;
    var high = entry_offset[params.part_count];
    for (var k = 0u; k < 32u && low < high; k++) {
        let middle = (low + high) / 2u;
        let here = vec2<u32>(entry_key[2u * middle], entry_key[2u * middle + 1u]);
        let less = here.y < wanted.y || (here.y == wanted.y && here.x < wanted.x);
        low = select(low, middle + 1u, less);
        high = select(middle, high, less);
    }
    return low;
}

@compute @workgroup_size(64)
fn bound_entries(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b > params.part_count || atomicLoad(&control.overflow) != 0u) {
        return;
    }
    let first = below(b, 0u);
    incident_offset[b] = first;
    if (b < params.part_count) {
        let last = below(b + 1u, 0u);
        upper_count[b] = last - below(b, b + 1u);
        if (last - first > NEIGHBOURS_MAX) {
            atomicOr(&control.fault_body, FAULT_CROWD);
            atomicMin(&control.fault_index, b);
        }
    }
}
