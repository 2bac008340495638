// 63-bit Morton keys as vec2<u32>(low, high word), x in the highest bit of each triple.

// Puts two zero bits between the neighbouring bits of a 10-bit number.
fn spread10(c: u32) -> u32 {
    var x = c & 0x3ffu;
    x = (x | (x << 16u)) & 0x030000ffu;
    x = (x | (x << 8u)) & 0x0300f00fu;
    x = (x | (x << 4u)) & 0x030c30c3u;
    return (x | (x << 2u)) & 0x09249249u;
}

fn interleave10(c: vec3<u32>) -> u32 {
    return (spread10(c.x) << 2u) | (spread10(c.y) << 1u) | spread10(c.z);
}

// Key of a cell of 21 bits an axis: bits 0..9 give key bits 0..29, bits 10..19 give 30..59, bit 20 gives 60..62.
fn morton63(cell: vec3<u32>) -> vec2<u32> {
    let low = interleave10(cell);
    let middle = interleave10(cell >> vec3<u32>(10u));
    let top = interleave10((cell >> vec3<u32>(20u)) & vec3<u32>(1u));
    return vec2<u32>(low | (middle << 30u), (middle >> 2u) | (top << 28u));
}
