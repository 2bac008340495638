import package::laws::contact::{ContactState, ContactResult, FrictionSprings, arm_to_cut, cohesive_pull, friction_by_springs};

// Linear spring and dashpot along the normal, friction by springs: Song et al. 2024, eq. 1-4 and Tables 1-2.
//
// Restitution: eq. 1 has no clamp, so the dashpot may pull at the end of a contact and the closed form for the damping
// gives the typed restitution. With `normal_floor` = 0 the force never pulls and the host re-tunes the damping.
//
// Memory: sliding spring and twisting angle in the first row, rolling angle in the second.

struct Law {
    stiffness_normal: f32,   // force over overlap [M/T2]
    stiffness_sliding: f32,  // [M/T2]
    damping_normal: f32,     // C_N / sqrt(m_ij) [sqrt(M)/T]
    damping_sliding: f32,
    friction_sliding: f32,
    friction_rolling: f32,
    friction_twisting: f32,
    shape_parameter: f32,
    rolling_printed: f32,
    cohesion: f32,           // 4 c beta [M/(L T2)]
    normal_floor: f32,       // least normal force: 0, or very negative
}

fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return arm_to_cut(radius_i, radius_j, gap, distance);
}

// Energy in the springs: none in the normal one, which ends relaxed; sliding, rolling, twisting. What they hold when the
// contact ends is lost.
fn spring_energy(law: Law, radius: f32, first: vec4<f32>, second: vec3<f32>) -> vec4<f32> {
    let size = law.shape_parameter * radius;
    let turning = size * size * vec2<f32>(law.stiffness_normal, 2.0 * law.stiffness_sliding);
    let squares = vec3<f32>(dot(first.xyz, first.xyz), dot(second, second), first.w * first.w);
    return vec4<f32>(0.0, 0.5 * vec3<f32>(law.stiffness_sliding, turning) * squares);
}

fn held_energy(law: Law, s: ContactState) -> vec4<f32> {
    return spring_energy(law, s.radius, s.first, s.second);
}

fn normal_spring(law: Law, radius: f32, overlap: f32) -> vec2<f32> {
    let pull = cohesive_pull(law.cohesion, radius);
    return vec2<f32>(law.stiffness_normal * overlap - pull, (0.5 * law.stiffness_normal * overlap - pull) * overlap);
}

// A contact that has ended forgets its springs; what they held is lost.
fn contact_end(law: Law, s: ContactState) -> vec4<f32> {
    return held_energy(law, s);
}

fn contact_force(law: Law, s: ContactState) -> ContactResult {
    let root_mass = sqrt(s.mass);
    let approach = dot(s.velocity, s.normal);
    let elastic = law.stiffness_normal * s.overlap;
    let push = max(elastic - law.damping_normal * root_mass * approach, law.normal_floor);

    // Rolling and twisting: stiffness and damping follow from the shape parameter.
    let size = law.shape_parameter * s.radius;
    var by: FrictionSprings;
    by.stiffness = vec3<f32>(
        law.stiffness_sliding,
        law.stiffness_normal * size * size,
        2.0 * law.stiffness_sliding * size * size,
    );
    by.coefficients = vec3<f32>(law.friction_sliding, law.friction_rolling, law.friction_twisting);
    by.damping_normal = law.damping_normal * root_mass;
    by.damping_sliding = law.damping_sliding * root_mass;
    by.size = size;
    by.rolling_printed = law.rolling_printed;
    by.kept = 1.0;
    var r = friction_by_springs(s, cohesive_pull(law.cohesion, s.radius), push, by);
    r.dissipated.x = (elastic - push) * approach;
    r.dissipated = r.dissipated + spring_energy(law, s.radius, s.first, s.second)
        - spring_energy(law, s.radius, r.first, r.second);
    return r;
}
