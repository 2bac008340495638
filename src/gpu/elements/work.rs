//! Gated dispatches.

crate::element! {
    "state/work";

    /// What opens a dispatch, and how large it then is.
    struct WorkSlot {
        /// bits of gates
        gate: u32,
        /// workgroups
        groups_x: u32,
        /// workgroups
        groups_y: u32,
        /// 0: the workgroups above; 1: over all contacts of the step; from 2 on over those of colour 0 and so on
        counted: u32,
    }

    /// Arguments of an indirect dispatch.
    struct WorkArgs {
        /// workgroups
        x: u32,
        /// workgroups
        y: u32,
        /// workgroups
        z: u32,
    }

    /// The same over pairs.
    struct PairArgs {
        /// workgroups
        x: u32,
        /// workgroups
        y: u32,
        /// workgroups
        z: u32,
        /// to 16 bytes
        pad: u32,
    }
}
