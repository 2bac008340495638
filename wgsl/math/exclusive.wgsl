import package::math::saturating::{plus_saturating};

// Exclusive scan over the 64 invocations of a workgroup: the sum of what those before this one have. All of them call it,
// once. Sums beyond 2^32 - 1 are 2^32 - 1.
var<workgroup> exclusive_own: array<u32, 64>;
var<workgroup> exclusive_eighth: array<u32, 8>; // sums of eight invocations each

// Two barriers and up to 14 reads: six rounds of barriers are expensive on software devices, 63 reads on the others.
fn sum_before(l: u32, own: u32) -> u32 {
    exclusive_own[l] = own;
    workgroupBarrier();
    var before = 0u;
    for (var k = 0u; k < min(l & 7u, 7u); k++) {
        before = plus_saturating(before, exclusive_own[(l & 56u) + k]);
    }
    if ((l & 7u) == 7u) {
        exclusive_eighth[l >> 3u] = plus_saturating(before, own);
    }
    workgroupBarrier();
    for (var k = 0u; k < min(l >> 3u, 7u); k++) {
        before = plus_saturating(before, exclusive_eighth[k]);
    }
    return before;
}
