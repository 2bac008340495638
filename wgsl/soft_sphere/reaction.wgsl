import package::math::wide::{add64, fixed_from_f32};
import package::math::wide96::{add96, mul96, mul96_count, round96};
import package::math::wide3::{Wide3};
import package::state::body::{BodyWeight};

// What a body takes in a step, and what that is for the sum of all: the same integers, so that nothing is lost.

// A change of velocity as whole numbers of 2^-bits L/T, below 2^30, with as many bits as three components in one unit have.
struct Kick {
    count: vec3<i32>,
    bits: u32,
}

fn aligned(a: vec3<f32>) -> Kick {
    let largest = max(abs(a.x), max(abs(a.y), abs(a.z)));
    let exponent = i32((bitcast<u32>(largest) >> 23u) & 255u) - 127;
    let bits = clamp(29 - exponent, 28, 58);
    let count = vec3<u32>(fixed_from_f32(a.x, bits).x, fixed_from_f32(a.y, bits).x, fixed_from_f32(a.z, bits).x);
    return Kick(bitcast<vec3<i32>>(count), u32(bits));
}

// count 2^(58 - bits), of 64 bits.
fn widened(count: i32, bits: u32) -> vec2<u32> {
    let left = 58u - bits;
    let low = bitcast<u32>(count);
    let sign = bitcast<u32>(count >> 31u);
    let high = (sign << left) | (low >> ((32u - left) & 31u));
    return select(vec2<u32>(low << left, high), vec2<u32>(low, sign), left == 0u);
}

// The kick as a displacement per step [2^-58 L].
fn kick_way(kick: Kick) -> Wide3 {
    return Wide3(widened(kick.count.x, kick.bits), widened(kick.count.y, kick.bits), widened(kick.count.z, kick.bits));
}

// a m 2^-bits with m 2^-shift as a body's weight.
fn weighed(a: vec2<u32>, factor: u32, bits: u32) -> vec2<u32> {
    return round96(mul96_count(a, factor), bits);
}

// a b - c d, from [2^-38 L] and the kick's unit to [2^-bits L2/T].
fn cross_part(a: vec2<u32>, b: i32, c: vec2<u32>, d: i32, kick_bits: u32, bits: u32) -> vec2<u32> {
    return round96(add96(mul96(a, b), mul96(c, -d)), kick_bits + 38u - bits);
}

// Of a body at `x` that takes the kick and the change of spin `turning` [2^-58 /T]: the first component of its impulse
// [2^-bits.x M L/T], and that of its torque impulse about the origin [2^-bits.y M L2/T].
fn reaction(kick: Kick, turning: Wide3, x: Wide3, weight: BodyWeight, bits: vec2<u32>) -> array<vec2<u32>, 2> {
    let k = kick.count;
    let arm = cross_part(x.y, k.z, x.z, k.y, kick.bits, bits.y);
    let of_turning = weighed(turning.x, weight.moment, weight.moment_shift + 58u - bits.y);
    return array<vec2<u32>, 2>(
        weighed(widened(k.x, kick.bits), weight.mass, weight.mass_shift + 58u - bits.x),
        add64(weighed(arm, weight.mass, weight.mass_shift), of_turning),
    );
}
