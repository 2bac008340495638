import package::math::wide3::{Wide3};
import package::math::wide96::{add96, mul96, round96};

// A step in a turning frame besides kicks, mirrored by `gpu::layout::FrameRow`: d' = (1 + B) (d + T d + k + C x + h), with
// what is large of T and C as whole numbers of 2^-shift, so that they keep more than f32 of a 64-bit way or place, and the
// rest in f32. Time is counted in steps.
struct FrameRow {
    turn: vec3<i32>,            // antisymmetric part of T: -[turn]x
    turn_shift: u32,
    place_x: vec3<i32>,         // rows of C
    place_shift: u32,           // from a place [2^-38 L] to a way [2^-58 L]
    place_y: vec3<i32>,
    share: f32,                 // of the kicks: a half in the first step
    place_z: vec3<i32>,
    pad4: u32,
    turn_rest: mat3x3<f32>,
    place_rest: mat3x3<f32>,
    back: mat3x3<f32>,          // B
    shift_low: vec3<u32>,       // h [2^-58 L/T]
    pad0: u32,
    shift_high: vec3<u32>,
    pad1: u32,
    spin_low: vec3<u32>,        // what the frame's spin loses [2^-58 /T]
    pad2: u32,
    spin_high: vec3<u32>,
    pad3: u32,
}

// -turn x d, rounded once.
fn turn_way(row: FrameRow, d: Wide3) -> Wide3 {
    let t = row.turn;
    let x = add96(mul96(d.y, t.z), mul96(d.z, -t.y));
    let y = add96(mul96(d.z, t.x), mul96(d.x, -t.z));
    let z = add96(mul96(d.x, t.y), mul96(d.y, -t.x));
    return Wide3(round96(x, row.turn_shift), round96(y, row.turn_shift), round96(z, row.turn_shift));
}

fn row_times(p: Wide3, m: vec3<i32>, places: u32) -> vec2<u32> {
    return round96(add96(add96(mul96(p.x, m.x), mul96(p.y, m.y)), mul96(p.z, m.z)), places);
}

// C times a place.
fn place_way(row: FrameRow, p: Wide3) -> Wide3 {
    let x = row_times(p, row.place_x, row.place_shift);
    let y = row_times(p, row.place_y, row.place_shift);
    let z = row_times(p, row.place_z, row.place_shift);
    return Wide3(x, y, z);
}
