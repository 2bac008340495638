//! What there is of a body.

crate::element! {
    "state/body";

    /// What acts on a body in a step of a turning frame.
    struct BodyLoad {
        /// acceleration (L/T2)
        kick: [f32; 3],
        /// to 16 bytes
        pad0: u32,
        /// change of spin (1/T2)
        turning: [f32; 3],
        /// to 16 bytes
        pad1: u32,
    }

    /// Inertia of a body as whole numbers.
    struct BodyWeight {
        /// mass (2^-mass_shift M)
        mass: u32,
        /// its unit
        mass_shift: u32,
        /// moment of inertia (2^-moment_shift M L2)
        moment: u32,
        /// its unit
        moment_shift: u32,
    }
}
