import package::math::raised::{share_within};

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

// `v`, no longer than `limit`.
fn shorten(v: vec3<f32>, limit: f32) -> vec3<f32> {
    return v * share_within(v, limit);
}

// Constant pull of cohesion of two spheres, `cohesion` over the square of their effective radius.
fn cohesive_pull(cohesion: f32, radius: f32) -> f32 {
    return cohesion * radius * radius;
}

// Springs and dashpots of one contact for friction by springs.
struct FrictionSprings {
    stiffness: vec3<f32>,    // sliding, rolling, twisting
    damping_normal: f32,
    coefficients: vec3<f32>, // of friction: sliding, rolling, twisting
    damping_sliding: f32,
    size: f32,               // of the area of contact: shape parameter times effective radius
    kept: f32,               // what springs keep of their length since the last step
    rolling_printed: f32,    // 1 if the slip of uneven arms adds to rolling, as Song et al. print it; else 0
}

// A spring across the normal, turned about it: what turns as a whole carries its springs along. `turn`: cosine and sine of the
// angle, times what is kept of the length.
fn carried(spring: vec3<f32>, n: vec3<f32>, turn: vec2<f32>) -> vec3<f32> {
    return turn.x * (spring - dot(spring, n) * n) + turn.y * cross(n, spring);
}

// Sliding, rolling and twisting under the force `push` along the normal, less `pull`: Song et al. 2024, eq. 1-3 and
// Tables 1-2. Springs are shortened to their limit before the dashpot is added and the sum is limited again, and couples act
// against relative spins: such a contact can only lose energy, but for rolling as it is printed, which slip drives. What is
// lost along the normal, and by springs that change, is left to the law.
fn friction_by_springs(s: ContactState, pull: f32, push: f32, by: FrictionSprings) -> ContactResult {
    let n = s.normal;
    let slip = s.velocity - dot(s.velocity, n) * n + s.arm_i * cross(n, s.spin_i) + s.arm_j * cross(n, s.spin_j);
    let load = max(push, 0.0);
    // by the mean spin of both, with a cosine to the fourth order
    let about = 0.5 * dot(s.spin_i + s.spin_j, n);
    let turn = by.kept * vec2<f32>(1.0 - 0.5 * about * about, about);
    var r: ContactResult;

    let limit = by.coefficients.x * load;
    let stretched = carried(s.first.xyz, n, turn) + slip;
    let sliding = shorten(stretched, limit / by.stiffness.x);
    let drag = shorten(by.stiffness.x * sliding + by.damping_sliding * slip, limit);

    let spin = s.spin_j - s.spin_i;
    let twist_rate = dot(spin, n);
    let uneven = 0.5 * by.rolling_printed * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j);
    let roll_rate = spin - twist_rate * n + uneven * cross(n, slip);
    let roll_limit = by.coefficients.y * by.size * load;
    var moment = vec3<f32>(0.0);
    r.second = vec3<f32>(0.0);
    if (roll_limit > 0.0) {
        let turned = carried(s.second, n, turn) + roll_rate;
        r.second = shorten(turned, roll_limit / by.stiffness.y);
        moment = shorten(by.stiffness.y * r.second + by.damping_normal * by.size * by.size * roll_rate, roll_limit);
    }
    let twist_limit = by.coefficients.z * by.size * limit;
    var twist = 0.0;
    var twisting = 0.0;
    if (twist_limit > 0.0) {
        let bound = twist_limit / by.stiffness.z;
        twisting = clamp(by.kept * s.first.w + twist_rate, -bound, bound);
        let damping = 2.0 * by.damping_sliding * by.size * by.size;
        twist = clamp(by.stiffness.z * twisting + damping * twist_rate, -twist_limit, twist_limit);
    }

    let lever = cross(n, drag);
    r.first = vec4<f32>(sliding, twisting);
    r.force = (pull - push) * n + drag;
    r.torque_i = s.arm_i * lever + moment + twist * n;
    r.torque_j = s.arm_j * lever - moment - twist * n;
    r.dissipated = vec4<f32>(0.0, dot(drag, slip), dot(moment, spin), twist * twist_rate);
    return r;
}

// Distance from the centre of i to the plane of the circle in which the spheres cut, (R_i^2 - R_j^2 + d^2) / 2d, without
// cancellation: d = R_i + R_j + gap.
fn arm_to_cut(radius_i: f32, radius_j: f32, gap: f32, distance: f32) -> f32 {
    return radius_i + 0.5 * gap * (1.0 + (radius_j - radius_i) / distance);
}
