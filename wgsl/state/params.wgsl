// Parameters of every pass; mirrored by `gpu::layout::Params`.
struct Params {
    uniform_gravity: vec3<f32>, // [L/T2]
    skin_half: f32,             // [L]
    body_count: u32,
    wall_count: u32,
    material_count: u32,
    pair_capacity: u32,
    hash_mask: u32,
    level_count: u32,
    overlap_max: f32,           // over the smaller radius
    motion_max: f32,            // largest displacement per step [L]
    level_cell: array<vec4<u32>, 2>,   // cell size of a level [L/64]
    level_radius: array<vec4<f32>, 2>, // largest radius of a level [L]
    gravity_every: u32,
    slot_count: u32,
    part_count: u32,            // bodies, then further parts of clumps
    has_surface: u32,           // 1: bodies may touch a surface, else 0
    surface_capacity: u32,      // facets that all bodies' lists hold together
    surface_material: u32,
    frame_interval: u32,        // steps in which the frame turns steadily; 0: it does not turn
    reaction_slots: u32,        // steps that `frame_reaction` holds; 0: nothing is summed
    impulse_bits: u32,          // unit of its impulses, 2^-bits M L/T
    torque_bits: u32,           // and of its torque impulses, 2^-bits M L2/T
    wide_radius: f32,           // from this radius on a body's facets are shared out over invocations [L]
    wide_count: u32,            // such bodies
    wide_capacity: u32,         // facets that their lists hold together
    wide_runs: u32,             // runs of boxes that are looked at for them
}
