import package::state::digits::{CHUNK_MAX, Digits};
import package::math::dispatch::{linear_id};
import package::math::exclusive::{sum_before};

// Where the first key of every digit of every tile of a chunk goes: keys of lower digits come before it, then those of its
// own digit in earlier chunks and tiles. Four digits an invocation. The downward half of a reduce-then-scan.
// pass_constants: tiles, tiles a chunk, rows of `sums`: one for each chunk, or for each tile of the only chunk.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> counts: array<Digits>;
var<storage, read> sums: array<Digits>;
var<storage, read_write> offsets: array<Digits>;

@compute @workgroup_size(64)
fn sort_offsets(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let chunk = linear_id(w, 0u, 1u);
    var before = vec4<u32>(0u);
    var all = vec4<u32>(0u);
    for (var r = 0u; r < min(pass_constants.z, CHUNK_MAX); r++) {
        let sum = sums[64u * r + l].four;
        before += select(vec4<u32>(0u), sum, r < chunk);
        all += sum;
    }
    let lower = sum_before(l, all.x + all.y + all.z + all.w);
    before += vec4<u32>(0u, all.x, all.x + all.y, all.x + all.y + all.z) + lower;
    let first = chunk * pass_constants.y;
    for (var t = first; t < min(min(first + pass_constants.y, pass_constants.x), first + CHUNK_MAX); t++) {
        offsets[64u * t + l] = Digits(before);
        before += counts[64u * t + l].four;
    }
}
