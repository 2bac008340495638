// What every contact law of soft spheres takes and gives. A law is a module of this folder, chosen by the pipeline, with
//   struct Law     its constants for two materials, all of them f32
//   contact_arm    arm of sphere i, from its centre to the plane of contact
//   contact_force  force, torques, memory and losses of a contact
//   normal_spring  force and stored energy of what has a potential along the normal: spring and cohesion
//   held_energy    what the springs of a contact's memory hold, and is lost when it is cut
//   contact_end    losses of the step in which a contact ended
// All in code units, time step 1.

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
    before: f32,             // overlap of the last step; 0: there was no contact
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
