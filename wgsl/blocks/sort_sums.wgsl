import package::state::digits::{CHUNK_MAX, Digits};
import package::math::dispatch::{linear_id};

// Sums of the histograms of a chunk of tiles, four digits an invocation: the upward half of a reduce-then-scan.
// pass_constants: tiles, tiles a chunk.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> counts: array<Digits>;
var<storage, read_write> sums: array<Digits>;

@compute @workgroup_size(64)
fn sort_sums(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let chunk = linear_id(w, 0u, 1u);
    let first = chunk * pass_constants.y;
    let end = min(first + pass_constants.y, pass_constants.x);
    var sum = vec4<u32>(0u);
    for (var t = first; t < min(end, first + CHUNK_MAX); t++) {
        sum += counts[64u * t + l].four;
    }
    if (first < end) {
        sums[64u * chunk + l] = Digits(sum);
    }
}
