//! A frame that turns: what a step in it needs, and what the bodies take in it.

crate::element! {
    "state/frame";

    /// A step in a turning frame.
    struct FrameRow {
        /// antisymmetric part of T (2^-turn_shift)
        turn: [i32; 3],
        /// its unit
        turn_shift: u32,
        /// first row of C, which multiplies the position, in units of 2^-(by_position_shift + 20)
        by_position_x: [i32; 3],
        /// its unit
        by_position_shift: u32,
        /// second row
        by_position_y: [i32; 3],
        /// of the kicks
        share: f32,
        /// third row
        by_position_z: [i32; 3],
        /// to 16 bytes
        pad0: u32,
        /// columns of what is left of T
        turn_rest: [[f32; 4]; 3],
        /// columns of what is left of C
        by_position_rest: [[f32; 4]; 3],
        /// columns of E^T - 1
        back: [[f32; 4]; 3],
        /// low words of h (2^-58 L/T)
        shift_low: [u32; 3],
        /// to 16 bytes
        pad1: u32,
        /// high words of h
        shift_high: [u32; 3],
        /// to 16 bytes
        pad2: u32,
        /// low words of what the frame's spin loses (2^-58 /T)
        spin_low: [u32; 3],
        /// to 16 bytes
        pad3: u32,
        /// its high words
        spin_high: [u32; 3],
        /// to 16 bytes
        pad4: u32,
    }

    /// What all bodies took in one step.
    struct Reaction {
        /// impulse (2^-impulse_bits M L/T), torque impulse (2^-torque_bits M L2/T)
        sum: [i64; 6],
    }
}
