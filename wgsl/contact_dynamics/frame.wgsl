import package::contact_dynamics::dynamics::{FRAME_ROWS, normal_bias, cohesion_at};

// The pass that imports this binds `dynamics` and `contact_frame`.

// Rows of contact `c`: normal and arms, law of its materials, gap, and the relative velocities at it before the step and
// free. The bias along the normal is made of them.
fn put_frame(c: u32, normal: vec3<f32>, law: vec4<f32>, arm_i: vec3<f32>, arm_j: vec3<f32>, gap: f32, before: vec3<f32>, free: vec3<f32>) {
    let bias = normal_bias(dynamics, gap, dot(before, normal), law.y);
    contact_frame[FRAME_ROWS * c] = vec4<f32>(normal, law.x);
    contact_frame[FRAME_ROWS * c + 1u] = vec4<f32>(arm_i, cohesion_at(law, gap));
    contact_frame[FRAME_ROWS * c + 2u] = vec4<f32>(arm_j, bias);
    contact_frame[FRAME_ROWS * c + 3u] = vec4<f32>(free + bias * normal, gap);
    contact_frame[FRAME_ROWS * c + 4u] = vec4<f32>(before, 0.0);
}
