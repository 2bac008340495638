import package::state::digits::{Digits};

// Ranks of the keys of a tile of 1,024, among 64 invocations and in 16 rounds: each key goes behind those of its digit that
// came before it. A bit an invocation and digit says who holds what in a round; two rounds in flight save a barrier.
var<storage, read> offsets: array<Digits>;

var<workgroup> next_index: array<u32, 256>;
var<workgroup> holders: array<atomic<u32>, 1024>;

fn begin_tile(tile: u32, l: u32) {
    let row = offsets[64u * tile + l].four;
    let d = 4u * l;
    next_index[d] = row.x;
    next_index[d + 1u] = row.y;
    next_index[d + 2u] = row.z;
    next_index[d + 3u] = row.w;
    for (var k = 0u; k < 16u; k++) {
        atomicStore(&holders[64u * k + l], 0u);
    }
    workgroupBarrier();
}

// Index of this invocation's key of the round. All invocations call it, one round after the other. Those behind the last key
// give any digit: they come after all others of it.
fn place(round: u32, l: u32, digit: u32) -> u32 {
    let slot = (round & 1u) * 512u + 2u * digit;
    let bit = 1u << (l & 31u);
    atomicOr(&holders[slot + (l >> 5u)], bit);
    workgroupBarrier();
    let low = atomicLoad(&holders[slot]);
    let high = atomicLoad(&holders[slot + 1u]);
    let all = countOneBits(low) + countOneBits(high);
    let before = select(countOneBits(low & (bit - 1u)), countOneBits(low) + countOneBits(high & (bit - 1u)), l >= 32u);
    let index = next_index[digit] + before;
    workgroupBarrier();
    if (before + 1u == all) { // the last holder moves the digit on
        next_index[digit] = index + 1u;
    }
    atomicStore(&holders[slot + (l >> 5u)], 0u);
    return index;
}
