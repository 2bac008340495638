import package::math::wide::{add64, shift_right64, mul_wide};
import package::math::root::{inverse_root};

// Positions: 64-bit fixed point, 2^-38 L. Velocities: displacement per step, 2^-58 L. This module is the only one that
// turns them into differences.

const WINDOW_UNIT: f32 = 9.313225746154785e-10; // 2^-30 L: one unit of a position window (bits 8 to 39)
const MOTION_UNIT: f32 = 7.275957614183426e-12; // 2^-37 L: one unit of a displacement window (bits 21 to 52)
const DISPLACEMENT_UNIT: f32 = 3.469446951953614e-18; // 2^-58 L
const POSITION_UNIT: f32 = 3.637978807091713e-12; // 2^-38 L
const RADIUS_UNITS: f32 = 16777216.0; // in L: radii are whole numbers of 2^-24 L
const WINDOW_SHIFT: u32 = 8u;
const MOTION_SHIFT: u32 = 21u;

fn position_window(x: vec2<u32>) -> u32 {
    return (x.y << (32u - WINDOW_SHIFT)) | (x.x >> WINDOW_SHIFT);
}

fn motion_window(v: vec2<u32>) -> u32 {
    return (v.y << (32u - MOTION_SHIFT)) | (v.x >> MOTION_SHIFT);
}

// x + v 2^-20, rounded up if the fraction of v 2^-20 and 2^-32 `rounding` make one.
fn drift(x: vec2<u32>, v: vec2<u32>, rounding: u32) -> vec2<u32> {
    return add64(x, shift_right64(add64(v, vec2<u32>(rounding >> 12u, 0u)), 20u));
}

// A radius in units of positions, exactly.
fn radius64(radius: f32) -> vec2<u32> {
    let size = u32(radius * RADIUS_UNITS);
    return vec2<u32>(size << 14u, size >> 18u);
}

// The material of a body, and the bits of its position that a window leaves out.
fn with_tail(material_and_tail: u32, x: u32, y: u32, z: u32) -> u32 {
    return (material_and_tail & 0xffu) | ((x & 0xffu) << 8u) | ((y & 0xffu) << 16u) | (z << 24u);
}

fn material_of(material_and_tail: u32) -> u32 {
    return material_and_tail & 0xffu;
}

// What the difference of two windows leaves out [L].
fn tail_difference(to: u32, start: u32) -> vec3<f32> {
    let places = vec3<u32>(8u, 16u, 24u);
    let tails = ((vec3<u32>(to) >> places) & vec3<u32>(255u)) - ((vec3<u32>(start) >> places) & vec3<u32>(255u));
    return vec3<f32>(bitcast<vec3<i32>>(tails)) * POSITION_UNIT;
}

// Beyond 2^23 L.
fn out_of_range(x: vec2<u32>) -> bool {
    let high = bitcast<i32>(x.y);
    return high > 536870912 || high < -536870912;
}

// Difference of two windows in window units; exact while the bodies are closer than 2 L.
fn window_difference(to: vec3<u32>, start: vec3<u32>) -> vec3<i32> {
    return bitcast<vec3<i32>>(to - start);
}

struct Separation {
    distance: f32, // [L]
    gap: f32,      // distance less the sum of the radii [L]
    normal: vec3<f32>,
}

// Distance and gap from an exact difference, of windows and of what they leave out. |d| - R formed in f32 would be uncertain by a
// tenth of a resting overlap, so d is split into a coarse part of 2^-14 L, whose square is an exact integer, and a fine rest.
fn separation(d: vec3<i32>, tail: vec3<f32>, radius_sum: f32) -> Separation {
    let v = vec3<f32>(d) * WINDOW_UNIT;
    let length_square = max(dot(v, v), 1.0e-24);
    let inverse = inverse_root(length_square);
    let distance = length_square * inverse;
    let coarse = (d + vec3<i32>(32768)) >> vec3<u32>(16u);
    let fine = vec3<f32>(d - (coarse << vec3<u32>(16u))) * WINDOW_UNIT + tail;
    let sum = u32(radius_sum * RADIUS_UNITS);
    let square = mul_wide(sum, sum);        // [2^-48 L2]
    let whole = i32((square.y << 12u) | (square.x >> 20u)); // [2^-28 L2]
    let rest = f32(square.x & 0xfffffu) * 9.5367431640625e-7;
    let q = coarse.x * coarse.x + coarse.y * coarse.y + coarse.z * coarse.z;
    let head = (f32(q - whole) - rest) * 3.725290298461914e-9; // 2^-28
    let cross = dot(vec3<f32>(coarse), fine) * 1.220703125e-4;  // 2 * 2^-14
    let gap = (head + cross + dot(fine, fine)) / (distance + radius_sum);
    return Separation(distance, gap, inverse * v);
}
