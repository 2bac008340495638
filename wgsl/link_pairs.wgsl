import package::shared::params::{Params};
import package::shared::control::{OVERFLOW};
import package::shared::dispatch::{linear_id};

// Names the pairs: body i owns those with a higher neighbour, in ascending order; every incidence of a body learns its
// pair and its side. Order depends on indices alone, so sums over contacts do not depend on where the bodies are.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> control: array<u32>;
@group(0) @binding(2) var<storage, read> incident_offset: array<u32>;
@group(0) @binding(3) var<storage, read> incident_body: array<u32>;
@group(0) @binding(4) var<storage, read> pair_offset: array<u32>;
@group(0) @binding(5) var<storage, read_write> pair_body: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> incident_pair: array<u32>;

// Place of `wanted` among the ascending neighbours in [first, last).
fn find_place(first: u32, last: u32, wanted: u32) -> u32 {
    var low = first;
    var high = last;
    while (low < high) {
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
fn link_pairs(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, n, l, 64u);
    if (i >= params.part_count || control[OVERFLOW] != 0u) {
        return;
    }
    var own = pair_offset[i];
    for (var e = incident_offset[i]; e < incident_offset[i + 1u]; e++) {
        let j = incident_body[e];
        if (j > i) {
            pair_body[own] = vec2<u32>(i, j);
            incident_pair[e] = 2u * own;
            own += 1u;
        } else {
            let last = incident_offset[j + 1u];
            let from_end = last - find_place(incident_offset[j], last, i);
            incident_pair[e] = 2u * (pair_offset[j + 1u] - from_end) + 1u;
        }
    }
}
