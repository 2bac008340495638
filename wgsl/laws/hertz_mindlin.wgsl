import package::laws::contact::{ContactState, ContactResult, FrictionSprings, arm_to_cut, friction_by_springs};

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
    rolling_printed: f32,
}

fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return arm_to_cut(radius_i, radius_j, gap, distance);
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
    let area = sqrt(s.radius * s.overlap);
    let stiffness = law.modulus_normal * area;
    let sliding_stiffness = law.modulus_sliding * area;
    let approach = dot(s.velocity, s.normal);
    let elastic = stiffness * s.overlap;

    // Rolling and twisting: stiffness and damping follow from the shape parameter.
    let size = law.shape_parameter * s.radius;
    var by: FrictionSprings;
    by.stiffness = vec3<f32>(sliding_stiffness, stiffness * size * size, 2.0 * sliding_stiffness * size * size);
    by.coefficients = vec3<f32>(law.friction_sliding, law.friction_rolling, law.friction_twisting);
    by.damping_normal = law.damping_normal * sqrt(s.mass * stiffness);
    by.damping_sliding = law.damping_sliding * sqrt(s.mass * sliding_stiffness);
    by.size = size;
    by.rolling_printed = law.rolling_printed;
    by.kept = min(1.0, sqrt(s.before / s.overlap));
    let push = elastic - by.damping_normal * approach;
    var r = friction_by_springs(s, 0.0, push, by);
    r.dissipated.x = (elastic - push) * approach;
    r.dissipated = r.dissipated + spring_energy(law, s.radius, s.before, s.first, s.second)
        - spring_energy(law, s.radius, s.overlap, r.first, r.second);
    return r;
}
