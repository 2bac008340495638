import package::math::wide::{add64, neg64, mul_wide};
import package::math::wide3::{Wide3};

const UNIT_Q30: f32 = 9.313225746154785e-10;

// d q / 2^30 for a signed 64-bit d and a signed q of at most 2^30 (a component of a unit normal).
fn scale_q30(d: vec2<u32>, q: i32) -> vec2<u32> {
    let negative = (d.y >> 31u) == 1u;
    let m = select(d, neg64(d), negative);
    let low = mul_wide(m.x, u32(abs(q)));
    let high = mul_wide(m.y, u32(abs(q)));
    let shifted = vec2<u32>(high.x << 2u, (high.y << 2u) | (high.x >> 30u));
    let r = add64(shifted, vec2<u32>((low.y << 2u) | (low.x >> 30u), low.y >> 30u));
    return select(r, neg64(r), negative != (q < 0));
}

// Height of a point above a plane [2^-38 L], from the exact differences of their coordinates.
fn plane_height(d: Wide3, normal: vec3<i32>) -> vec2<u32> {
    return add64(add64(scale_q30(d.x, normal.x), scale_q30(d.y, normal.y)), scale_q30(d.z, normal.z));
}

// A direction in 2^-30 as a unit vector.
fn direction(q: vec3<i32>) -> vec3<f32> {
    return vec3<f32>(q) * UNIT_Q30;
}
