import package::shared::wide::{add64, sub64, mul_wide, f32_from64};

// Orientations: unit quaternions of 2^-30, vector part first. Increments are added as integers, so that a slow spin is
// not lost in the rounding of the whole.

const TURN_UNIT: f32 = 9.313225746154785e-10;

fn turn_f32(q: vec4<i32>) -> vec4<f32> {
    return vec4<f32>(q) * TURN_UNIT;
}

fn turned(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

fn turned_back(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return turned(vec4<f32>(-q.xyz, q.w), v);
}

// What a rotation by the vector w (world frame, rad) adds to an orientation.
fn turn_step(q: vec4<f32>, w: vec3<f32>) -> vec4<f32> {
    let square = dot(w, w);
    let angle = sqrt(square);
    let small = square < 1.0e-4;
    // sin(a/2)/a and cos(a/2) - 1, by series where the angle is small
    let s = select(sin(0.5 * angle) / max(angle, 1.0e-30), 0.5 - square * (0.020833334 - 2.6041667e-4 * square), small);
    let quarter = sin(0.25 * angle);
    let c = select(-2.0 * quarter * quarter, -square * (0.125 - 2.6041667e-3 * square), small);
    let v = s * w;
    return c * q + vec4<f32>(cross(v, q.xyz) + q.w * v, -dot(v, q.xyz));
}

fn square64(x: i32) -> vec2<u32> {
    let size = u32(abs(x));
    return mul_wide(size, size);
}

fn round_q30(x: vec4<f32>) -> vec4<i32> {
    return vec4<i32>(round(x * 1073741824.0));
}

// Orientation after such a step, of length 1 again: the excess of the square is an exact integer.
fn turn_by(q: vec4<i32>, w: vec3<f32>) -> vec4<i32> {
    let next = q + round_q30(turn_step(turn_f32(q), w));
    let square = add64(add64(square64(next.x), square64(next.y)), add64(square64(next.z), square64(next.w)));
    let excess = f32_from64(sub64(square, vec2<u32>(0u, 268435456u))) * 8.673617379884035e-19; // 2^60, 2^-60
    return next - round_q30(turn_f32(next) * (0.5 * excess));
}

// Spin of a free body with the angular momentum `angular` and these principal moments.
fn spin_of(q: vec4<f32>, angular: vec3<f32>, moment: vec3<f32>) -> vec3<f32> {
    return turned(q, turned_back(q, angular) / moment);
}
