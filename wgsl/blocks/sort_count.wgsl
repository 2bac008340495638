import package::state::digits::{Digits};
import package::math::dispatch::{linear_id};

// Histogram of one 8-bit digit over every tile of 1,024 keys, tile by tile; four digits an invocation at the end.
// pass_constants: number of keys, shift, tiles, words a key (1, or 2 for 64-bit keys).
var<uniform> pass_constants: vec4<u32>;
var<storage, read> keys_in: array<u32>;
var<storage, read_write> counts: array<Digits>;

var<workgroup> histogram: array<atomic<u32>, 256>;

@compute @workgroup_size(64)
fn sort_count(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let tile = linear_id(w, 0u, 1u);
    let words = pass_constants.w;
    let word = pass_constants.y >> 5u;
    let shift = pass_constants.y & 31u;
    for (var k = 0u; k < 4u; k++) {
        atomicStore(&histogram[64u * k + l], 0u);
    }
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) {
        let i = tile * 1024u + k * 64u + l;
        if (i < pass_constants.x) {
            atomicAdd(&histogram[(keys_in[i * words + word] >> shift) & 255u], 1u);
        }
    }
    workgroupBarrier();
    let d = 4u * l;
    let row = vec4<u32>(atomicLoad(&histogram[d]), atomicLoad(&histogram[d + 1u]), atomicLoad(&histogram[d + 2u]), atomicLoad(&histogram[d + 3u]));
    if (tile < pass_constants.z) {
        counts[64u * tile + l] = Digits(row);
    }
}
