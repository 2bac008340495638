import package::laws::contact::{ContactState, ContactResult, cohesive_pull, shorten};

// Two stiffnesses, one while spheres approach and a smaller one while they recede: Guidos et al. 2024, eq. 3-9. What the
// smaller one gives back is the energy stored; the surplus of the larger one is lost as it is spent, never later, so
// that no turning back and forth gains energy. Cohesion (Song et al. 2024, eq. 4) pulls as long as the contact lasts and
// loses nothing. Sliding and rolling friction have no springs: they oppose the motion of the instant, and stop at most STOP
// of it in a step, so that they end a motion and do not turn it round.
//
// Memory: in the first row the surplus force, 0, 0 and the overlap of the last step.

const STOP: f32 = 0.125;

struct Law {
    stiffness_normal: f32,    // force over overlap while loading [M/T2]
    stiffness_unloading: f32, // the same of the energy that comes back
    friction_sliding: f32,
    friction_rolling: f32,
    cohesion: f32,            // 4 c beta [M/(L T2)]
}

// R_i d / (R_i + R_j), d = R_i + R_j + gap
fn contact_arm(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return radius_i + gap * radius_i / (radius_i + radius_j);
}

// The normal spring is the only one.
fn held_energy(law: Law, s: ContactState) -> vec4<f32> {
    return vec4<f32>(0.0);
}

// What unloading gives back, less cohesion.
fn normal_spring(law: Law, radius: f32, overlap: f32) -> vec2<f32> {
    let pull = cohesive_pull(law.cohesion, radius);
    let elastic = law.stiffness_unloading * overlap;
    return vec2<f32>(elastic - pull, (0.5 * elastic - pull) * overlap);
}

// The work of the last force on the rebound, by the trapezium rule, and the stored energy.
fn contact_end(law: Law, s: ContactState) -> vec4<f32> {
    let surplus = 0.5 * s.first.x * (s.overlap - s.first.w);
    let pull = 0.5 * cohesive_pull(law.cohesion, s.radius) * (s.overlap + s.first.w);
    return vec4<f32>(surplus + 0.5 * law.stiffness_unloading * s.first.w * s.overlap - pull, 0.0, 0.0, 0.0);
}

fn contact_force(law: Law, s: ContactState) -> ContactResult {
    let n = s.normal;
    let approach = dot(s.velocity, n);
    let slip = s.velocity - approach * n + s.arm_i * cross(n, s.spin_i) + s.arm_j * cross(n, s.spin_j);
    var r: ContactResult;

    // Normal: loading or unloading by the overlap now and at the last step, by the velocity if it has just begun.
    let began = s.first.w <= 0.0;
    let way = select(s.overlap - s.first.w, -approach, began);
    let elastic = law.stiffness_unloading * s.overlap;
    let surplus = select(0.0, (law.stiffness_normal - law.stiffness_unloading) * s.overlap, way >= 0.0);
    let load = elastic + surplus;
    // The displacement before the first overlap: the trapezium gives it half the force, and the overlap half the pull.
    let pull = cohesive_pull(law.cohesion, s.radius);
    let outside = way - s.overlap;
    let before = select(0.0, 0.5 * ((elastic - pull) * outside + pull * s.overlap), began && outside >= 0.0);
    r.first = vec4<f32>(surplus, 0.0, 0.0, s.overlap);

    // Sliding: of the slip between solid spheres a force changes 7/2 of itself over the reduced mass.
    let drag = shorten(STOP * 2.0 / 7.0 * s.mass * slip, law.friction_sliding * load);

    // Rolling: equal and opposite torques with the smaller arm; reduced mass and radius bound the inertia from below.
    let spin = s.spin_j - s.spin_i;
    let roll_rate = spin - dot(spin, n) * n;
    let roll_limit = law.friction_rolling * load * min(s.arm_i, s.arm_j);
    let moment = shorten(STOP * 0.4 * s.mass * s.radius * s.radius * roll_rate, roll_limit);

    let turn = cross(n, drag);
    r.force = drag + (pull - load) * n;
    r.torque_i = s.arm_i * turn + moment;
    r.torque_j = s.arm_j * turn - moment;
    r.dissipated = vec4<f32>(0.5 * (s.first.x + surplus) * way + before, dot(drag, slip), dot(moment, spin), 0.0);
    return r;
}
