import package::math::dispatch::{linear_id};
import package::math::exclusive::{sum_before};
import package::math::saturating::{plus_saturating};

// Exclusive scan inside every run of 1,024 values, on top of the scanned sums of the runs before it: the downward half
// of a reduce-then-scan. Writes the grand total behind the last value. pass_constants: number of values; 1 if `sums`
// holds the scanned sums, 0 if there is one run only. Sums beyond 2^32 - 1 are 2^32 - 1, so that a total that does not fit
// in a word does not look like one that does.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> input: array<u32>;
var<storage, read> sums: array<u32>;
var<storage, read_write> output: array<u32>;

@compute @workgroup_size(64)
fn scan_runs(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let run = linear_id(w, 0u, 1u);
    let count = pass_constants.x;
    let first = run * 1024u + l * 16u;
    var total = 0u;
    for (var k = first; k < min(first + 16u, count); k++) {
        total = plus_saturating(total, input[k]);
    }
    var sum = sum_before(l, total);
    if (pass_constants.y == 1u && run * 1024u < max(count, 1u)) {
        sum = plus_saturating(sum, sums[run]);
    }
    for (var k = first; k < min(first + 16u, count); k++) {
        output[k] = sum;
        sum = plus_saturating(sum, input[k]);
    }
    let last = max(count, 1u) - 1u;
    if (last >= first && last < first + 16u) {
        output[count] = sum;
    }
}
