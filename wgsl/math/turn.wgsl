import package::math::wide::{add64, sub64, mul_wide, f32_from64};
import package::math::sine::{SINE_SQUARE_MAX, sine_ratio, cosine_drop};

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

// The same rotation by at most half a turn. Steps turn bodies by much less; what is left of a larger angle is off by 1e-6 of it.
fn within_half_turn(w: vec3<f32>) -> vec3<f32> {
    let angle = sqrt(dot(w, w));
    return w * (1.0 - 6.2831853 * round(angle * 0.15915494) / max(angle, 1.0));
}

// What a rotation by the vector w (world frame, rad) adds to an orientation, but for its sign beyond half a turn.
fn turn_step(q: vec4<f32>, w: vec3<f32>) -> vec4<f32> {
    var way = w;
    if (dot(w, w) > 4.0 * SINE_SQUARE_MAX) {
        way = within_half_turn(w);
    }
    let z = 0.25 * dot(way, way); // square of half the angle
    let v = (0.5 * sine_ratio(z)) * way;
    let c = -z * cosine_drop(z);
    return c * q + vec4<f32>(cross(v, q.xyz) + q.w * v, -dot(v, q.xyz));
}

// A quaternion of length 1 but for rounding, brought to it.
fn all_but_unit(q: vec4<f32>) -> vec4<f32> {
    return q * (1.5 - 0.5 * dot(q, q));
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

// Parts of a step in each of which an iteration for the spin of its middle gains a factor of 16: a slender body's spin depends
// on where it has turned to. Beyond 1,024, far above half a turn in a step, iterations gain less.
fn turn_parts(angular: vec3<f32>, moment: vec3<f32>) -> u32 {
    let least = min(min(moment.x, moment.y), moment.z);
    return u32(clamp(ceil(8.0 * sqrt(dot(angular, angular)) * (1.0 / least - 1.0)), 1.0, 1024.0));
}

// Orientation of a free body after a step, by the spin at the middle of each part (implicit midpoint, three fixed-point
// iterations). Moments are over the largest, and so is the angular momentum.
fn turn_freely(start: vec4<i32>, angular: vec3<f32>, moment: vec3<f32>) -> vec4<i32> {
    let parts = turn_parts(angular, moment);
    let share = angular * (1.0 / f32(parts));
    var now = start;
    for (var p = 0u; p < min(parts, 1024u); p++) {
        let q = turn_f32(now);
        var spin = spin_of(q, share, moment);
        for (var k = 0u; k < 3u; k++) {
            spin = spin_of(all_but_unit(q + turn_step(q, 0.5 * spin)), share, moment);
        }
        now = turn_by(now, spin);
    }
    return now;
}

// Spin of a free body with the angular momentum `angular` and these principal moments.
fn spin_of(q: vec4<f32>, angular: vec3<f32>, moment: vec3<f32>) -> vec3<f32> {
    return turned(q, turned_back(q, angular) / moment);
}
