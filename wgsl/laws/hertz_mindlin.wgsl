import package::laws::contact::{ContactState, ContactResult, shorten};

// Elastic spheres: Hertz's normal force, Mindlin's sliding stiffness, damping that keeps the restitution at every speed
// (Tsuji et al. 1992); rolling and twisting springs as in laws/linear_spring_dashpot. All stiffnesses are those of a
// material times the radius of the contact area, sqrt(R overlap).
//
// While the area grows springs keep their force, while it shrinks they keep their length: of the two each is the one
// that loses energy, so that no change of overlap feeds a spring.
//
// Memory: sliding spring and twisting angle in the first row, rolling angle in the second.

struct Law {
    modulus_normal: f32,     // 4/3 E* [M/(L T2)]
    modulus_sliding: f32,    // 8 G*
    damping_normal: f32,     // C_N over the root of reduced mass times stiffness
    damping_sliding: f32,
    friction_sliding: f32,
    friction_rolling: f32,
    friction_twisting: f32,
    shape_parameter: f32,
}

// (R_i^2 - R_j^2 + d^2) / 2d without cancellation: d = R_i + R_j + gap
fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return radius_i + 0.5 * gap * (1.0 + (radius_j - radius_i) / distance);
}

// Energy in the springs: none in the normal one, which ends relaxed; sliding, rolling, twisting.
fn spring_energy(law: Law, radius: f32, overlap: f32, first: vec4<f32>, second: vec3<f32>) -> vec4<f32> {
    let size = law.shape_parameter * radius;
    let turning = size * size * vec2<f32>(law.modulus_normal, 2.0 * law.modulus_sliding);
    let squares = vec3<f32>(dot(first.xyz, first.xyz), dot(second, second), first.w * first.w);
    return vec4<f32>(0.0, 0.5 * sqrt(radius * overlap) * vec3<f32>(law.modulus_sliding, turning) * squares);
}

fn held_energy(law: Law, s: ContactState) -> vec4<f32> {
    return spring_energy(law, s.radius, s.before, s.first, s.second);
}

fn normal_spring(law: Law, radius: f32, overlap: f32) -> vec2<f32> {
    let force = law.modulus_normal * sqrt(radius * overlap) * overlap;
    return vec2<f32>(force, 0.4 * force * overlap);
}

// A contact that has ended forgets its springs; what they held is lost.
fn contact_end(law: Law, s: ContactState) -> vec4<f32> {
    return held_energy(law, s);
}

fn contact_force(law: Law, s: ContactState) -> ContactResult {
    let n = s.normal;
    let area = sqrt(s.radius * s.overlap);
    let stiffness = law.modulus_normal * area;
    let sliding_stiffness = law.modulus_sliding * area;
    let damping_normal = law.damping_normal * sqrt(s.mass * stiffness);
    let damping = law.damping_sliding * sqrt(s.mass * sliding_stiffness);
    let kept = min(1.0, sqrt(s.before / s.overlap));
    let approach = dot(s.velocity, n);
    let slip = s.velocity - approach * n + s.arm_i * cross(n, s.spin_i) + s.arm_j * cross(n, s.spin_j);
    let elastic = stiffness * s.overlap;
    let push = elastic - damping_normal * approach;
    let load = max(push, 0.0);
    var r: ContactResult;

    // Sliding
    let limit = law.friction_sliding * load;
    let stretched = kept * (s.first.xyz - dot(s.first.xyz, n) * n) + slip;
    let sliding = shorten(stretched, limit / sliding_stiffness);
    let drag = shorten(sliding_stiffness * sliding + damping * slip, limit);

    // Rolling and twisting: stiffness and damping follow from the shape parameter.
    let spin = s.spin_j - s.spin_i;
    let twist_rate = dot(spin, n);
    let uneven = 0.5 * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j);
    let roll_rate = spin - twist_rate * n + uneven * cross(n, slip);
    let size = law.shape_parameter * s.radius;
    let roll_stiffness = stiffness * size * size;
    let roll_limit = law.friction_rolling * size * load;
    var moment = vec3<f32>(0.0);
    r.second = vec3<f32>(0.0);
    if (roll_limit > 0.0) {
        r.second = shorten(kept * (s.second - dot(s.second, n) * n) + roll_rate, roll_limit / roll_stiffness);
        moment = shorten(roll_stiffness * r.second + damping_normal * size * size * roll_rate, roll_limit);
    }
    let twist_stiffness = 2.0 * sliding_stiffness * size * size;
    let twist_limit = law.friction_twisting * size * limit;
    var twist = 0.0;
    var twisting = 0.0;
    if (twist_limit > 0.0) {
        let bound = twist_limit / twist_stiffness;
        twisting = clamp(kept * s.first.w + twist_rate, -bound, bound);
        twist = clamp(twist_stiffness * twisting + 2.0 * damping * size * size * twist_rate, -twist_limit, twist_limit);
    }

    let turn = cross(n, drag);
    r.first = vec4<f32>(sliding, twisting);
    r.force = drag - push * n;
    r.torque_i = s.arm_i * turn + moment + twist * n;
    r.torque_j = s.arm_j * turn - moment - twist * n;
    r.dissipated = vec4<f32>((elastic - push) * approach, dot(drag, slip), dot(moment, spin), twist * twist_rate)
        + spring_energy(law, s.radius, s.before, s.first, s.second)
        - spring_energy(law, s.radius, s.overlap, r.first, r.second);
    return r;
}
