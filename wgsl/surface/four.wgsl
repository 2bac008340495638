// Four values, one a slot, in registers: compilers of GPUs put an array into memory if they do not know the index.
struct Four {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
}

fn four_at(four: Four, k: u32) -> vec4<f32> {
    return select(select(four.a, four.b, k == 1u), select(four.c, four.d, k == 3u), k > 1u);
}

// Four values with `value` in slot k.
fn four_with(four: Four, k: u32, value: vec4<f32>) -> Four {
    return Four(
        select(four.a, value, k == 0u),
        select(four.b, value, k == 1u),
        select(four.c, value, k == 2u),
        select(four.d, value, k == 3u),
    );
}

// Products of the directions in the slots with a direction.
fn four_dot(four: Four, v: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(dot(four.a.xyz, v), dot(four.b.xyz, v), dot(four.c.xyz, v), dot(four.d.xyz, v));
}

// A bit a slot.
fn four_bits(is: vec4<bool>) -> u32 {
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), is);
    return bits.x | bits.y | bits.z | bits.w;
}
