// A wall: a plane, or a block. Lengths are 64-bit numbers of 2^-38 L, low and high words apart; directions are in 2^-30.
struct WallState {
    point_low: vec3<u32>,     // a point of the plane, or the middle of the block
    material: u32,
    point_high: vec3<u32>,
    step: u32,                // at which the point is there
    velocity_low: vec3<u32>,  // 64-bit numbers of 2^-58 L/T
    window_x: u32,            // displacement window before the step, which no kick has changed yet
    velocity_high: vec3<u32>,
    window_y: u32,
    normal: vec3<i32>,
    window_z: u32,
    axis_x: vec3<i32>,        // the other axes of a block
    end: u32,                 // first step in which the wall is gone
    axis_y: vec3<i32>,
    is_block: u32,
    half_low: vec3<u32>,      // halves of a block's edges along normal, axis_x and axis_y
    turns: u32,               // 1 if the wall belongs to a turning frame of contact dynamics
    half_high: vec3<u32>,
}

// What a servo does to a wall in a step.
struct PlateDrive {
    kick: f32,      // velocity that its force gives, along the normal [L/T]
    speed_max: f32, // [L/T]
}
