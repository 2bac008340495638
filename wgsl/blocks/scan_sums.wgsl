import package::math::dispatch::{linear_id};
import package::math::saturating::{plus_saturating};

// Sum of every run of 1,024 values: the upward half of a reduce-then-scan. pass_constants.x: number of values.
// A sum beyond 2^32 - 1 is 2^32 - 1.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> input: array<u32>;
var<storage, read_write> sums: array<u32>;

var<workgroup> partial: array<u32, 64>;

@compute @workgroup_size(64)
fn scan_sums(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let run = linear_id(w, 0u, 1u);
    let count = pass_constants.x;
    var total = 0u;
    for (var k = 0u; k < 16u; k++) {
        let i = run * 1024u + k * 64u + l;
        if (i < count) {
            total = plus_saturating(total, input[i]);
        }
    }
    partial[l] = total;
    workgroupBarrier();
    if (l == 0u && run * 1024u < count) {
        var sum = 0u;
        for (var k = 0u; k < 64u; k++) {
            sum = plus_saturating(sum, partial[k]);
        }
        sums[run] = sum;
    }
}
