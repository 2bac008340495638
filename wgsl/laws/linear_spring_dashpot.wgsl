import package::laws::contact::{ContactState, ContactResult, shorten};

// Linear spring-dashpot with sliding, rolling and twisting springs: Song et al. 2024, eq. 1-4 and Tables 1-2.
// Springs are shortened to their limit before the dashpot is added and the sum is limited again: such a contact can
// only lose energy.
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
    cohesion: f32,           // 4 c beta [M/(L T2)]
    normal_floor: f32,       // least normal force: 0, or very negative
}

// (R_i^2 - R_j^2 + d^2) / 2d without cancellation: d = R_i + R_j + gap
fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return radius_i + 0.5 * gap * (1.0 + (radius_j - radius_i) / distance);
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
    let pull = law.cohesion * radius * radius;
    return vec2<f32>(law.stiffness_normal * overlap - pull, (0.5 * law.stiffness_normal * overlap - pull) * overlap);
}

// A contact that has ended forgets its springs; what they held is lost.
fn contact_end(law: Law, s: ContactState) -> vec4<f32> {
    return held_energy(law, s);
}

fn contact_force(law: Law, s: ContactState) -> ContactResult {
    let n = s.normal;
    let root_mass = sqrt(s.mass);
    let approach = dot(s.velocity, n);
    let slip = s.velocity - approach * n + s.arm_i * cross(n, s.spin_i) + s.arm_j * cross(n, s.spin_j);
    let elastic = law.stiffness_normal * s.overlap;
    let push = max(elastic - law.damping_normal * root_mass * approach, law.normal_floor);
    let load = max(push, 0.0);
    var r: ContactResult;

    // Sliding
    let damping = law.damping_sliding * root_mass;
    let limit = law.friction_sliding * load;
    let stretched = s.first.xyz - dot(s.first.xyz, n) * n + slip;
    let sliding = shorten(stretched, limit / law.stiffness_sliding);
    let drag = shorten(law.stiffness_sliding * sliding + damping * slip, limit);

    // Rolling and twisting: stiffness and damping follow from the shape parameter.
    let spin = s.spin_j - s.spin_i;
    let twist_rate = dot(spin, n);
    let uneven = 0.5 * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j);
    let roll_rate = spin - twist_rate * n + uneven * cross(n, slip);
    let size = law.shape_parameter * s.radius;
    let roll_stiffness = law.stiffness_normal * size * size;
    let roll_limit = law.friction_rolling * size * load;
    var moment = vec3<f32>(0.0);
    r.second = vec3<f32>(0.0);
    if (roll_limit > 0.0) {
        r.second = shorten(s.second - dot(s.second, n) * n + roll_rate, roll_limit / roll_stiffness);
        moment = shorten(roll_stiffness * r.second + law.damping_normal * root_mass * size * size * roll_rate, roll_limit);
    }
    let twist_stiffness = 2.0 * law.stiffness_sliding * size * size;
    let twist_limit = law.friction_twisting * size * limit;
    var twist = 0.0;
    var twisting = 0.0;
    if (twist_limit > 0.0) {
        let bound = twist_limit / twist_stiffness;
        twisting = clamp(s.first.w + twist_rate, -bound, bound);
        twist = clamp(twist_stiffness * twisting + 2.0 * damping * size * size * twist_rate, -twist_limit, twist_limit);
    }

    let turn = cross(n, drag);
    r.first = vec4<f32>(sliding, twisting);
    r.force = (law.cohesion * s.radius * s.radius - push) * n + drag;
    r.torque_i = s.arm_i * turn + moment + twist * n;
    r.torque_j = s.arm_j * turn - moment - twist * n;
    r.dissipated = vec4<f32>((elastic - push) * approach, dot(drag, slip), dot(moment, spin), twist * twist_rate)
        + spring_energy(law, s.radius, s.first, s.second)
        - spring_energy(law, s.radius, r.first, r.second);
    return r;
}
