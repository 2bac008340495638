import package::math::wide::{add64, sub64, fixed_from_f32, f32_from64};

// A vector of 64-bit integers. Passes that keep little else in registers read and write its axes one by one in buffers:
// compilers hold all of a vector that is loaded as a whole. `integrate_bodies` needs 54 registers of an NVIDIA GPU so, and
// 71 with whole vectors.
struct Wide3 {
    x: vec2<u32>,
    y: vec2<u32>,
    z: vec2<u32>,
}

// From the low and the high words of its axes.
fn wide3_of(low: vec3<u32>, high: vec3<u32>) -> Wide3 {
    return Wide3(vec2<u32>(low.x, high.x), vec2<u32>(low.y, high.y), vec2<u32>(low.z, high.z));
}

fn plus3(a: Wide3, b: Wide3) -> Wide3 {
    return Wide3(add64(a.x, b.x), add64(a.y, b.y), add64(a.z, b.z));
}

fn minus3(a: Wide3, b: Wide3) -> Wide3 {
    return Wide3(sub64(a.x, b.x), sub64(a.y, b.y), sub64(a.z, b.z));
}

// The axes one further on: a loop that turns its vectors so does for each axis what it does for x, with no index.
fn next_axis3(v: Wide3) -> Wide3 {
    return Wide3(v.y, v.z, v.x);
}

// v in units of 2^-58.
fn fixed3(v: vec3<f32>) -> Wide3 {
    return Wide3(fixed_from_f32(v.x, 58), fixed_from_f32(v.y, 58), fixed_from_f32(v.z, 58));
}

fn rounded3(v: Wide3) -> vec3<f32> {
    return vec3<f32>(f32_from64(v.x), f32_from64(v.y), f32_from64(v.z));
}
