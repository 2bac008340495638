import package::math::morton::{morton63};

// Keys along a Hilbert curve, as vec2<u32>(low, high word): cells with neighbouring keys are neighbours, which those of a
// Morton curve are not where it jumps. Every prefix of a key is a box, as with Morton keys.

// Key of a cell of 21 bits an axis (Skilling 2004: the curve's turns are undone from the highest bit down).
fn hilbert63(cell: vec3<u32>) -> vec2<u32> {
    var x = cell & vec3<u32>(0x1fffffu);
    for (var k = 0u; k < 20u; k++) {
        let bit = 1u << (20u - k);
        let below = bit - 1u;
        x.x ^= select(0u, below, (x.x & bit) != 0u);
        let second = select((x.x ^ x.y) & below, 0u, (x.y & bit) != 0u);
        x = vec3<u32>(x.x ^ select(second, below, (x.y & bit) != 0u), x.y ^ second, x.z);
        let third = select((x.x ^ x.z) & below, 0u, (x.z & bit) != 0u);
        x = vec3<u32>(x.x ^ select(third, below, (x.z & bit) != 0u), x.y, x.z ^ third);
    }
    let y = x.y ^ x.x;
    let z = x.z ^ y;
    // each bit: whether those of z above it are odd in number
    var turned = z >> 1u;
    turned ^= turned >> 1u;
    turned ^= turned >> 2u;
    turned ^= turned >> 4u;
    turned ^= turned >> 8u;
    turned ^= turned >> 16u;
    return morton63(vec3<u32>(x.x, y, z) ^ vec3<u32>(turned));
}
