import package::state::body::{BodyInertia};
import package::state::contact::{RigidLaw};
import package::math::raised::{share_within};

// Parameters of the passes of contact dynamics; mirrored by `gpu::layout::DynamicsParams`. The time unit is the step,
// so an impulse is a force times one and a velocity a displacement.
struct DynamicsParams {
    // A turning frame (contact_dynamics/axes): rows of E^T - 1 in 2^-back_shift, what is left of it, and its rotation
    // vector in a step.
    back_x: vec3<i32>,
    back_shift: u32,
    back_y: vec3<i32>,
    back_z: vec3<i32>,
    back_rest: mat3x3<f32>,
    rotation: vec3<f32>,
    tolerance: f32,          // residual at which a step is solved
    recovery: f32,           // share of a penetration that a step takes back
    recovery_max: f32,       // at most so much of it [L/T]
    velocity_floor: f32,     // residual velocity that never matters [L/T]
    momentum: f32,           // beta of the first iterations
    iterations_max: u32,
    stop_on_budget: u32,     // 1: a step over the budget ends the run
    candidate_count: u32,    // pairs that the buffers hold, then part_count x wall_count
    contact_capacity: u32,
    earlier: i32,            // (1 - theta) in 2^-30: the step's share from an instant to its detection
    anchor_max: f32,         // a body that has moved so far, less its last step, asks for a new list [L]
    alert: f32,              // gap below which a pair is a candidate, over the sum of the radii
    reach_max: f32,          // largest range of cohesion [L]
    momentum_first: u32,     // how many the first iterations are
    look_every: u32,         // iterations between two looks at the residual
    colour_capacity: u32,    // colours that sweeps are recorded for; 0: Jacobi
}

// Names of features are this and up to 23 bits, with a colour's six above them: words that pass through f32 rows as
// ordinary numbers. 0: none.
const FEATURE: u32 = 0x40000000u;
// A gap where there is no contact.
const NOTHING: f32 = 3.0e38;

// The cone of a contact: a normal impulse of at least -cohesion, and friction on what it is above that
// (Sanchez et al. 2021, Table 1 and eq. 18).
fn project_impulse(z: vec3<f32>, normal: vec3<f32>, friction: f32, cohesion: f32) -> vec3<f32> {
    let along = dot(z, normal);
    let push = max(along + cohesion, 0.0);
    let tangent = z - along * normal;
    return (push - cohesion) * normal + tangent * share_within(tangent, friction * push);
}

// Root of the inverse tensor of inertia times a vector.
fn root_times(inertia: BodyInertia, v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        inertia.xx * v.x + inertia.mixed.x * v.y + inertia.mixed.y * v.z,
        inertia.mixed.x * v.x + inertia.yy * v.y + inertia.mixed.z * v.z,
        inertia.mixed.y * v.x + inertia.mixed.z * v.y + inertia.zz * v.z,
    );
}

// Two unit vectors across a unit normal (Duff et al. 2017).
fn tangents(n: vec3<f32>) -> array<vec3<f32>, 2> {
    let sign = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    return array<vec3<f32>, 2>(
        vec3<f32>(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        vec3<f32>(b, sign + n.y * n.y * a, -n.y),
    );
}

// What a step asks of the normal velocity: u_n + bias >= 0. A gap may close just so far; a penetration is taken back
// little by little; a shock comes back with the coefficient of restitution (Sanchez et al. 2021, eq. 10), at once if
// the gap would close within the step. `before`: normal velocity before the step.
fn normal_bias(dynamics: DynamicsParams, gap: f32, before: f32, restitution: f32) -> f32 {
    let stable = select(max(dynamics.recovery * gap, -dynamics.recovery_max), gap, gap > 0.0);
    let shock = restitution > 0.0 && before < 0.0 && gap + before < 0.0;
    return select(stable, min(stable, restitution * before), shock);
}

// Cohesion of a contact [M L/T]: r_0 within its range.
fn cohesion_at(law: RigidLaw, gap: f32) -> f32 {
    return select(0.0, law.cohesion, gap <= law.range);
}
