import package::math::doublet::{low, high, doublet, doublet_f32};

// `keep_result` two words at a time. A result has nine: the last of an even pair and the first of the odd one behind it are in
// one word of 64 bits, which the even one writes.
var<storage, read_write> pair_result: array<u64>;

// What is kept until `end_results`.
var<private> met: bool;
var<private> force_kept: vec3<f32>;
var<private> torque_i_kept: vec3<f32>;
var<private> torque_j_kept: vec3<f32>;

fn keep_result(p: u32, force: vec3<f32>, torque_i: vec3<f32>, torque_j: vec3<f32>) {
    met = true;
    force_kept = force;
    torque_i_kept = torque_i;
    torque_j_kept = torque_j;
}

fn end_results(p: u32, l: u32) {
    let beside = (l & 7u) ^ 1u;
    let met_beside = subgroupShuffle(u32(met), beside) == 1u;
    let first_beside = subgroupShuffle(force_kept.x, beside);
    let odd = (l & 1u) == 1u;
    let a = vec4<f32>(force_kept, torque_i_kept.x);
    let b = vec4<f32>(torque_i_kept.yz, torque_j_kept.xy);
    // of an odd pair from its second word on
    let first = select(a, vec4<f32>(a.yzw, b.x), odd);
    let second = select(b, vec4<f32>(b.yzw, torque_j_kept.z), odd);
    let at = (9u * p + 1u) / 2u;
    if met {
        pair_result[at] = doublet_f32(first.x, first.y);
        pair_result[at + 1u] = doublet_f32(first.z, first.w);
        pair_result[at + 2u] = doublet_f32(second.x, second.y);
        pair_result[at + 3u] = doublet_f32(second.z, second.w);
    }
    if (!odd & (met | met_beside)) {
        var both = doublet_f32(torque_j_kept.z, first_beside);
        if (met != met_beside) {
            let old = pair_result[at + 4u];
            both = doublet(select(low(old), low(both), met), select(high(old), high(both), met_beside));
        }
        pair_result[at + 4u] = both;
    }
}
