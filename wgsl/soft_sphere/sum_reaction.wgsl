import package::math::wide::{add64};
import package::state::frame::{Reaction};

// Sums of integers: any order gives the same.
var<storage, read_write> frame_reaction: array<Reaction>;

var<workgroup> reaction_room: array<array<vec2<u32>, 6>, 64>;
var<workgroup> reaction_part: array<vec2<u32>, 48>;

// Adds six 64-bit numbers of every thread of the workgroup to the sums of `slot`. All threads call it.
fn sum_reaction(l: u32, slot: u32, own: array<vec2<u32>, 6>) {
    reaction_room[l] = own;
    workgroupBarrier();
    if (l < 48u) {
        var sum = vec2<u32>(0u);
        for (var k = 0u; k < 8u; k++) {
            sum = add64(sum, reaction_room[8u * (l / 6u) + k][l % 6u]);
        }
        reaction_part[l] = sum;
    }
    workgroupBarrier();
    if (l < 6u) {
        var sum = vec2<u32>(0u);
        for (var k = 0u; k < 8u; k++) {
            sum = add64(sum, reaction_part[6u * k + l]);
        }
        let before = atomicAdd(&frame_reaction[slot].sum[l].low, sum.x);
        atomicAdd(&frame_reaction[slot].sum[l].high, sum.y + select(0u, 1u, before + sum.x < before));
    }
}
