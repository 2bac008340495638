import package::math::wide::{add64, sub64, mul_wide};

// 96-bit two's complement integers in three words, lowest first: products of a 64-bit number with a 32-bit factor, summed
// before they are rounded once.

fn add96(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let x = a.x + b.x;
    let carry = select(0u, 1u, x < a.x);
    let y = a.y + b.y;
    let z = y + carry;
    let over = select(0u, 1u, y < a.y) + select(0u, 1u, z < y);
    return vec3<u32>(x, z, a.z + b.z + over);
}

// Exact product of a signed number with a count, modulo 2^96.
fn mul96_count(a: vec2<u32>, count: u32) -> vec3<u32> {
    let low = mul_wide(a.x, count);
    let high = add64(mul_wide(a.y, count), vec2<u32>(low.y, 0u));
    // What the sign takes off: count 2^64 where a is negative.
    return vec3<u32>(low.x, high.x, high.y - select(0u, count, (a.y >> 31u) == 1u));
}

// Exact product, modulo 2^96.
fn mul96(a: vec2<u32>, factor: i32) -> vec3<u32> {
    // A negative factor is a count 2^32 too large.
    let product = mul96_count(a, bitcast<u32>(factor));
    return vec3<u32>(product.x, sub64(product.yz, select(vec2<u32>(0u), a, factor < 0)));
}

// round(a 2^-shift) as a 64-bit integer, halves up; shift 1 to 95.
fn round96(a: vec3<u32>, shift: u32) -> vec2<u32> {
    let half = shift - 1u;
    let bit = 1u << (half & 31u);
    let word = half >> 5u;
    let one = vec3<u32>(select(0u, bit, word == 0u), select(0u, bit, word == 1u), select(0u, bit, word == 2u));
    let r = add96(a, one);
    let sign = bitcast<u32>(bitcast<i32>(r.z) >> 31u);
    let words = shift >> 5u;
    let moved = select(select(vec3<u32>(r.z, sign, sign), vec3<u32>(r.yz, sign), words == 1u), r, words == 0u);
    let bits = shift & 31u;
    let left = (32u - bits) & 31u;
    let shifted = vec2<u32>((moved.x >> bits) | (moved.y << left), (moved.y >> bits) | (moved.z << left));
    return select(shifted, moved.xy, bits == 0u);
}
