//! Walls, and servos that move them.

crate::element! {
    "state/wall";

    /// A wall: a plane, or a block. Low and high words of 64-bit lengths (2^-38 L) are apart, directions are in 2^-30.
    struct WallState {
        /// a point of the plane, or the middle of the block
        point_low: [u32; 3],
        /// row of the law table
        material: u32,
        /// its high words
        point_high: [u32; 3],
        /// at which the point is there
        step: u32,
        /// (2^-58 L/T)
        velocity_low: [u32; 3],
        /// displacement window before the step, along x
        window_x: u32,
        /// its high words
        velocity_high: [u32; 3],
        /// along y
        window_y: u32,
        /// of the plane; the first axis of a block
        normal: [i32; 3],
        /// along z
        window_z: u32,
        /// the second axis of a block
        axis_x: [i32; 3],
        /// first step in which the wall is gone
        end: u32,
        /// the third axis of a block
        axis_y: [i32; 3],
        /// 1 for a block
        is_block: u32,
        /// halves of a block's edges along its axes
        half_low: [u32; 3],
        /// 1 if the wall stands in a frame of contact dynamics that turns
        turns: u32,
        /// their high words
        half_high: [u32; 3],
        /// to 16 bytes
        pad: u32,
    }

    /// What a servo does to a wall in a step.
    struct PlateDrive {
        /// velocity that its force gives, along the normal (L/T)
        kick: f32,
        /// (L/T)
        speed_max: f32,
    }
}

/// 64-bit numbers from their words.
fn joined(low: [u32; 3], high: [u32; 3]) -> [i64; 3] {
    [0, 1, 2].map(|k| i64::from(low[k]) | (i64::from(high[k]) << 32))
}

/// Low words and high words.
fn parted(x: [i64; 3]) -> [[u32; 3]; 2] {
    [x.map(|x| x as u32), x.map(|x| (x >> 32) as u32)]
}

impl WallState {
    /// Its point (2^-38 L).
    pub fn point(&self) -> [i64; 3] {
        joined(self.point_low, self.point_high)
    }

    /// Its velocity (2^-58 L/T).
    pub fn velocity(&self) -> [i64; 3] {
        joined(self.velocity_low, self.velocity_high)
    }

    /// Halves of its edges (2^-38 L).
    pub fn half(&self) -> [i64; 3] {
        joined(self.half_low, self.half_high)
    }

    /// Moves its point.
    pub fn set_point(&mut self, point: [i64; 3]) {
        [self.point_low, self.point_high] = parted(point);
    }

    /// Changes its velocity, but not the window before the step.
    pub fn set_velocity(&mut self, velocity: [i64; 3]) {
        [self.velocity_low, self.velocity_high] = parted(velocity);
    }

    /// Changes the halves of its edges.
    pub fn set_half(&mut self, half: [i64; 3]) {
        [self.half_low, self.half_high] = parted(half);
    }

    /// Displacement window before the step.
    pub fn window(&self) -> [u32; 3] {
        [self.window_x, self.window_y, self.window_z]
    }

    /// Changes it.
    pub fn set_window(&mut self, window: [u32; 3]) {
        [self.window_x, self.window_y, self.window_z] = window;
    }

    /// The axes of a block, its normal first (2^-30).
    pub fn axes(&self) -> [[i32; 3]; 3] {
        [self.normal, self.axis_x, self.axis_y]
    }
}
