// 64-bit two's complement integers in two words, x = low, y = high. Integer arithmetic is exact on every device.

fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn neg64(a: vec2<u32>) -> vec2<u32> {
    return add64(~a, vec2<u32>(1u, 0u));
}

fn sub64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// Arithmetic shift right by 1 to 31 bits, rounding down.
fn shift_right64(a: vec2<u32>, bits: u32) -> vec2<u32> {
    return vec2<u32>((a.y << (32u - bits)) | (a.x >> bits), u32(bitcast<i32>(a.y) >> bits));
}

// Product of two unsigned words.
fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let mid = a1 * b0 + ((a0 * b0) >> 16u);
    let mid2 = a0 * b1 + (mid & 0xffffu);
    return vec2<u32>((mid2 << 16u) | ((a0 * b0) & 0xffffu), a1 * b1 + (mid >> 16u) + (mid2 >> 16u));
}

// Nearest f32 to a signed 64-bit integer, to about one part in 2^23.
fn f32_from64(a: vec2<u32>) -> f32 {
    let negative = (a.y >> 31u) == 1u;
    let m = select(a, neg64(a), negative);
    let f = f32(m.y) * 4294967296.0 + f32(m.x);
    return select(f, -f, negative);
}

// round(x 2^shift) as a signed 64-bit integer.
fn fixed_from_f32(x: f32, shift: i32) -> vec2<u32> {
    return fixed_rounded(x, shift, 0x80000000u);
}

// x 2^shift as a signed 64-bit integer, its size rounded up if its fraction and 2^-32 `rounding` make one; from the bits of x:
// no float arithmetic. |x| 2^shift < 2^62; less than 2^-8, zero and subnormals give 0. It has one exit: on llvmpipe a helper
// that returns early in some lanes turns into a loop that runs until the device's limit of 65,535 turns.
fn fixed_rounded(x: f32, shift: i32, rounding: u32) -> vec2<u32> {
    let bits = bitcast<u32>(x);
    let biased = i32((bits >> 23u) & 255u);
    let m = (bits & 0x7fffffu) | 0x800000u;
    let e = select(clamp(biased - 150 + shift, -32, 38), -32, biased == 0);
    let up = u32(max(e, 0));
    let down = u32(clamp(-e, 1, 31));
    let left = vec2<u32>(select(0u, m << (up & 31u), up < 32u), select(m >> ((32u - up) & 31u), m << (up & 31u), up >= 32u));
    let right = vec2<u32>((m + (rounding >> (32u - down))) >> down, 0u);
    let r = select(right, select(left, vec2<u32>(m, 0u), e == 0), e >= 0);
    let size = select(r, vec2<u32>(0u, 0u), e == -32);
    return select(size, neg64(size), (bits >> 31u) == 1u);
}

// Finite, tested on the bits: compilers may assume that NaN and infinity do not occur. The bound is 2^127, inside the finite
// numbers, since a test for all exponent bits is one that a compiler may know for a test of infinity, and fold.
fn finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f000000u;
}
