import package::math::dispatch::{linear_id};

// Exclusive scan inside every run of 1,024 values, on top of the scanned sums of the runs before it: the downward half
// of a reduce-then-scan. Writes the grand total behind the last value. pass_constants: number of values; 1 if `sums`
// holds the scanned sums, 0 if there is one run only.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> input: array<u32>;
var<storage, read> sums: array<u32>;
var<storage, read_write> output: array<u32>;

// Sums of what each invocation has, and of eight invocations each.
var<workgroup> partial: array<u32, 64>;
var<workgroup> eighth: array<u32, 8>;

@compute @workgroup_size(64)
fn scan_runs(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let run = linear_id(w, n, 0u, 1u);
    let count = pass_constants.x;
    let first = run * 1024u + l * 16u;
    var total = 0u;
    for (var k = first; k < min(first + 16u, count); k++) {
        total += input[k];
    }
    partial[l] = total;
    workgroupBarrier();
    // Two barriers and up to 14 reads: six rounds of barriers are expensive on software devices, 63 reads on the others.
    var before = 0u;
    for (var k = l & 56u; k < min(l, (l & 56u) + 8u); k++) {
        before += partial[k];
    }
    if ((l & 7u) == 7u) {
        eighth[l >> 3u] = before + total;
    }
    workgroupBarrier();
    var sum = before;
    if (pass_constants.y == 1u && run * 1024u < max(count, 1u)) {
        sum += sums[run];
    }
    for (var k = 0u; k < min(l >> 3u, 8u); k++) {
        sum += eighth[k];
    }
    for (var k = first; k < min(first + 16u, count); k++) {
        output[k] = sum;
        sum += input[k];
    }
    let last = max(count, 1u) - 1u;
    if (last >= first && last < first + 16u) {
        output[count] = sum;
    }
}
