// A frame that turns: what a step in it needs, and what the bodies take in it; mirrored by `gpu::elements::frame`.

// A step in a turning frame besides kicks: d' = (1 + B) (d + T d + k + C x + h), with what is large of T and C as whole
// numbers of 2^-shift, so that they keep more than f32 of a 64-bit displacement or position, and the rest in f32. Time is counted in steps.
struct FrameRow {
    turn: vec3<i32>,            // antisymmetric part of T: -[turn]x
    turn_shift: u32,
    by_position_x: vec3<i32>,   // rows of C, which multiplies the position
    by_position_shift: u32,     // from a position [2^-38 L] to a displacement [2^-58 L]
    by_position_y: vec3<i32>,
    share: f32,                 // of the kicks: a half in the first step
    by_position_z: vec3<i32>,
    turn_rest: mat3x3<f32>,
    by_position_rest: mat3x3<f32>,
    back: mat3x3<f32>,          // B
    shift_low: vec3<u32>,       // h [2^-58 L/T]
    shift_high: vec3<u32>,
    spin_low: vec3<u32>,        // what the frame's spin loses [2^-58 /T]
    spin_high: vec3<u32>,
}

// A 64-bit sum that many invocations add to: the carry of every addition to the low word is added to the high one.
struct Sum64 {
    low: atomic<u32>,
    high: atomic<u32>,
}

// What all bodies took in one step.
struct Reaction {
    sum: array<Sum64, 6>, // impulse [2^-impulse_bits M L/T], torque impulse [2^-torque_bits M L2/T]
}
