//! Pairs of bodies that are near each other, and what soft contacts keep and give.

crate::element! {
    "state/pair";

    /// Two bodies, the lower index first.
    struct Pair {
        /// the first
        i: u32,
        /// the second
        j: u32,
    }

    /// What the contact law keeps of a pair from step to step.
    struct PairMemory {
        /// as the law says
        first: [f32; 4],
        /// as the law says
        second: [f32; 3],
        /// of the last step (L); 0: the bodies did not touch
        overlap: f32,
    }

    /// The same of a body and a wall.
    struct WallMemory {
        /// as the law says
        first: [f32; 4],
        /// as the law says
        second: [f32; 3],
        /// done by the wall (M L2/T2)
        work: f32,
    }

    /// What acts on the bodies of a pair.
    struct PairResult {
        /// on i (M L/T2)
        force: [f32; 3],
        /// on i and on j (M L2/T2)
        torque: [[f32; 3]; 2],
    }

    /// What acts on a body at a wall, or at the surface.
    struct WallResult {
        /// on the body (M L/T2)
        force: [f32; 3],
        /// (L); 0: nothing acts
        overlap: f32,
        /// on the body (M L2/T2)
        torque: [f32; 3],
        /// to 16 bytes
        pad: u32,
    }

    /// Energy that contacts have taken.
    struct Dissipation {
        /// normal, sliding, rolling, twisting (M L2/T2)
        energy: [f32; 4],
    }
}
