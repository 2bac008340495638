// Linear spring-dashpot with sliding, rolling and twisting springs: Song et al. 2024, eq. 1-4 and Tables 1-2.
// All in code units, time step 1. Springs are shortened to their limit before the dashpot is added and the sum is
// limited again: such a contact can only lose energy.
//
// Restitution: eq. 1 has no clamp, so the dashpot may pull at the end of a contact and the closed form for the damping
// gives the typed restitution. With `normal_floor` = 0 the force never pulls and the host re-tunes the damping.

struct ContactLaw {
    stiffness_normal: f32,   // [M/T2]
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
    pad1: f32,
}

struct ContactState {
    normal: vec3<f32>,       // from i to j
    overlap: f32,            // [L], positive
    velocity: vec3<f32>,     // of j relative to i
    arm_i: f32,
    spin_i: vec3<f32>,
    arm_j: f32,
    spin_j: vec3<f32>,
    mass: f32,               // reduced mass
    sliding: vec3<f32>,      // springs
    radius: f32,             // effective radius
    rolling: vec3<f32>,
    twisting: f32,
}

struct ContactResult {
    force: vec3<f32>,        // on i
    torque_i: vec3<f32>,
    torque_j: vec3<f32>,
    sliding: vec3<f32>,
    rolling: vec3<f32>,
    twisting: f32,
    dissipated: vec4<f32>,   // normal, sliding, rolling, twisting, in this step
}

fn shorten(v: vec3<f32>, limit: f32) -> vec3<f32> {
    let size = length(v);
    return select(v, v * (limit / max(size, 1.0e-37)), size > limit);
}

// Energy in the springs: none in the normal one, which ends relaxed; sliding, rolling, twisting. What they hold when the
// contact ends is lost.
fn spring_energy(law: ContactLaw, radius: f32, sliding: vec3<f32>, rolling: vec3<f32>, twisting: f32) -> vec4<f32> {
    let size = law.shape_parameter * radius;
    let turning = size * size * vec2<f32>(law.stiffness_normal, 2.0 * law.stiffness_sliding);
    let squares = vec3<f32>(dot(sliding, sliding), dot(rolling, rolling), twisting * twisting);
    return vec4<f32>(0.0, 0.5 * vec3<f32>(law.stiffness_sliding, turning) * squares);
}

fn contact_force(law: ContactLaw, s: ContactState) -> ContactResult {
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
    r.sliding = s.sliding - dot(s.sliding, n) * n + slip;
    r.sliding = shorten(r.sliding, limit / law.stiffness_sliding);
    let drag = shorten(law.stiffness_sliding * r.sliding + damping * slip, limit);

    // Rolling and twisting: stiffness and damping follow from the shape parameter.
    let spin = s.spin_j - s.spin_i;
    let twist_rate = dot(spin, n);
    let uneven = 0.5 * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j);
    let roll_rate = spin - twist_rate * n + uneven * cross(n, slip);
    let size = law.shape_parameter * s.radius;
    let roll_stiffness = law.stiffness_normal * size * size;
    let roll_limit = law.friction_rolling * size * load;
    var moment = vec3<f32>(0.0);
    r.rolling = vec3<f32>(0.0);
    if (roll_limit > 0.0) {
        r.rolling = shorten(s.rolling - dot(s.rolling, n) * n + roll_rate, roll_limit / roll_stiffness);
        moment = shorten(roll_stiffness * r.rolling + law.damping_normal * root_mass * size * size * roll_rate, roll_limit);
    }
    let twist_stiffness = 2.0 * law.stiffness_sliding * size * size;
    let twist_limit = law.friction_twisting * size * limit;
    var twist = 0.0;
    r.twisting = 0.0;
    if (twist_limit > 0.0) {
        let bound = twist_limit / twist_stiffness;
        r.twisting = clamp(s.twisting + twist_rate, -bound, bound);
        twist = clamp(twist_stiffness * r.twisting + 2.0 * damping * size * size * twist_rate, -twist_limit, twist_limit);
    }

    let turn = cross(n, drag);
    r.force = (law.cohesion * s.radius * s.radius - push) * n + drag;
    r.torque_i = s.arm_i * turn + moment + twist * n;
    r.torque_j = s.arm_j * turn - moment - twist * n;
    r.dissipated = vec4<f32>((elastic - push) * approach, dot(drag, slip), dot(moment, spin), twist * twist_rate)
        + spring_energy(law, s.radius, s.sliding, s.rolling, s.twisting)
        - spring_energy(law, s.radius, r.sliding, r.rolling, r.twisting);
    return r;
}
