import package::contact_dynamics::dynamics::{DynamicsParams, normal_bias, cohesion_at};
import package::state::contact::{ContactFrame, ContactSide, RigidLaw};

// Where a contact is, and what is known of it before the step.
struct Meeting {
    normal: vec3<f32>, // from j to i
    gap: f32,          // [L]
    arm_i: vec3<f32>,  // [L]
    arm_j: vec3<f32>,
    before: vec3<f32>, // relative velocity before the step [L/T]
    free: vec3<f32>,   // relative velocity without impulses [L/T]
}

// The frame of a contact of these materials: it adds the bias along the normal.
fn frame_of(dynamics: DynamicsParams, law: RigidLaw, m: Meeting) -> ContactFrame {
    let bias = normal_bias(dynamics, m.gap, dot(m.before, m.normal), law.restitution);
    let sides = array<ContactSide, 2>(ContactSide(m.arm_i, cohesion_at(law, m.gap)), ContactSide(m.arm_j, bias));
    return ContactFrame(m.normal, law.friction, sides, m.free + bias * m.normal, m.gap, m.before);
}
