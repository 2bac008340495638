// What every contact law of soft spheres takes and gives. A law is a module of `wgsl/laws/`, chosen by the pipeline, with
//   contact_arm    arm of sphere i, from its centre to the plane of contact
//   contact_force  force, torques, memory and losses of a contact
//   held_energy    what is lost of all but the normal spring when a contact of this memory is cut
//   contact_end    losses of the step in which a contact ended
// All in code units, time step 1.

struct ContactLaw {
    stiffness_normal: f32,   // force over overlap [M/T2]; of the hysteretic law while loading
    stiffness_unloading: f32, // likewise, of the energy that comes back
    stiffness_sliding: f32,  // [M/T2]
    damping_normal: f32,     // C_N / sqrt(m_ij) [sqrt(M)/T]
    damping_sliding: f32,
    friction_sliding: f32,
    friction_rolling: f32,
    friction_twisting: f32,
    shape_parameter: f32,
    cohesion: f32,           // 4 c beta [M/(L T2)]
    normal_floor: f32,       // least normal force: 0, or very negative
    pad0: f32,
}

struct ContactState {
    normal: vec3<f32>,       // from i to j
    overlap: f32,            // [L], positive while they touch
    velocity: vec3<f32>,     // of j relative to i
    arm_i: f32,
    spin_i: vec3<f32>,
    arm_j: f32,
    spin_j: vec3<f32>,
    mass: f32,               // reduced mass
    first: vec4<f32>,        // what the law left in the contact's memory at the last step; 0: nothing
    second: vec3<f32>,
    radius: f32,             // effective radius
}

struct ContactResult {
    force: vec3<f32>,        // on i
    torque_i: vec3<f32>,
    torque_j: vec3<f32>,
    first: vec4<f32>,        // memory
    second: vec3<f32>,
    dissipated: vec4<f32>,   // normal, sliding, rolling, twisting, in this step
}

fn shorten(v: vec3<f32>, limit: f32) -> vec3<f32> {
    let size = length(v);
    return select(v, v * (limit / max(size, 1.0e-37)), size > limit);
}
