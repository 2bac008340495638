import package::math::dispatch::{linear_id};

// Moves every key and its payload to the index that the scanned histogram gives its digit, keeping the order of equal
// digits. The rank inside a tile comes from one bit per thread and digit. pass_constants as in sort_count.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> keys_in: array<u32>;
var<storage, read> payload_in: array<u32>;
var<storage, read> offsets: array<u32>;
var<storage, read_write> keys_out: array<u32>;
var<storage, read_write> payload_out: array<u32>;

var<workgroup> place: array<u32, 256>;
// Threads that hold a digit in this round, two words of 32; two rounds in flight save a barrier.
var<workgroup> holders: array<atomic<u32>, 1024>;

@compute @workgroup_size(64)
fn sort_scatter(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let tile = linear_id(w, n, 0u, 1u);
    let words = pass_constants.w;
    let word = pass_constants.y >> 5u;
    let shift = pass_constants.y & 31u;
    for (var d = l; d < 256u; d += 64u) {
        place[d] = offsets[min(d * pass_constants.z + tile, 256u * pass_constants.z - 1u)];
    }
    for (var d = l; d < 1024u; d += 64u) {
        atomicStore(&holders[d], 0u);
    }
    workgroupBarrier();
    let bit = 1u << (l & 31u);
    for (var k = 0u; k < 16u; k++) {
        let i = tile * 1024u + k * 64u + l;
        let live = i < pass_constants.x;
        var digit = 0u;
        if (live) {
            digit = (keys_in[i * words + word] >> shift) & 255u;
        }
        let slot = (k & 1u) * 512u + 2u * digit;
        if (live) {
            atomicOr(&holders[slot + (l >> 5u)], bit);
        }
        workgroupBarrier();
        let low = atomicLoad(&holders[slot]);
        let high = atomicLoad(&holders[slot + 1u]);
        let all = countOneBits(low) + countOneBits(high);
        let before = select(countOneBits(low & (bit - 1u)), countOneBits(low) + countOneBits(high & (bit - 1u)), l >= 32u);
        if (live) {
            let to = place[digit] + before;
            for (var c = 0u; c < min(words, 2u); c++) {
                keys_out[to * words + c] = keys_in[i * words + c];
            }
            payload_out[to] = payload_in[i];
        }
        workgroupBarrier();
        if (live && before + 1u == all) { // the last holder moves the digit on and clears its bits
            place[digit] += all;
            atomicStore(&holders[slot], 0u);
            atomicStore(&holders[slot + 1u], 0u);
        }
    }
}
