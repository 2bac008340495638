// Gated dispatches.

// What opens a dispatch, and how large it then is.
struct WorkSlot {
    gate: u32,     // bits of neighbours/gates
    groups_x: u32, // workgroups
    groups_y: u32,
    counted: u32,  // 0: the workgroups above; 1: over all contacts of the step; from 2 on over those of colour 0 and so on
}

// Arguments of an indirect dispatch.
struct WorkArgs {
    x: u32,
    y: u32,
    z: u32,
}

// The same over pairs.
struct PairArgs {
    x: u32,
    y: u32,
    @size(8) z: u32,
}
