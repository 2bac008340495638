import package::math::wide::{add64};
import package::state::frame::{Reaction};

// Sums of integers: any order gives the same. A step has several, which the host adds up, since atomics on one word wait for
// each other: workgroups add to them by turns.
var<storage, read_write> frame_reaction: array<Reaction>;

const REACTION_PARTS: u32 = 8u;

var<workgroup> reaction_room: array<array<vec2<u32>, 6>, 64>; // what the invocations have for it
var<workgroup> reaction_part: array<vec2<u32>, 48>;

// Adds what all invocations of the workgroup have to sum `at`. All of them call it.
fn sum_reaction(l: u32, at: u32) {
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
        let before = atomicAdd(&frame_reaction[at].sum[l].low, sum.x);
        atomicAdd(&frame_reaction[at].sum[l].high, sum.y + select(0u, 1u, before + sum.x < before));
    }
}
