import package::math::doublet::{low_f32, high_f32, doublet_f32};

// `losses_by_pair` of eight pairs in the slot of the first: lanes add to each other.
struct LossRow {
    along: u64,   // normal, sliding
    turning: u64, // rolling, twisting
}

var<storage, read_write> pair_dissipated: array<LossRow>;

// Adds what pair `p` has lost in this step. All invocations of the workgroup call it, with 0 where nothing was lost.
fn keep_losses(p: u32, l: u32, lost: vec4<f32>) {
    let two = lost + subgroupShuffle(lost, (l & 7u) ^ 1u);
    let four = two + subgroupShuffle(two, (l & 7u) ^ 2u);
    let eight = four + subgroupShuffle(four, (l & 7u) ^ 4u);
    if ((l & 7u) == 0u && any(eight != vec4<f32>(0.0))) {
        let along = pair_dissipated[p].along;
        let turning = pair_dissipated[p].turning;
        pair_dissipated[p].along = doublet_f32(low_f32(along) + eight.x, high_f32(along) + eight.y);
        pair_dissipated[p].turning = doublet_f32(low_f32(turning) + eight.z, high_f32(turning) + eight.w);
    }
}
