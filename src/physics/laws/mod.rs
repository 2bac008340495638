//! Contact laws of soft spheres in f64: what they take and give, and the linear spring-dashpot with sliding, rolling and
//! twisting (Song et al. 2024, eq. 1-4, Tables 1-2), the yardstick for `wgsl/laws/linear_spring_dashpot.wgsl`. Its springs
//! are shortened to their limit before the dashpot is added, and the sum is limited again. The other law stands in
//! `hysteretic.rs`.

pub mod hysteretic;

use super::closure::{ContactLaw, adhesion_n};
use crate::model::scenario::{NormalTension, SoftLaw};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// What a contact remembers from step to step: springs, or of the hysteretic law overlap and surplus.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
pub struct Springs {
    /// delta_S (m)
    pub sliding: DVec3,
    /// delta_R (rad)
    pub rolling: DVec3,
    /// delta_T along the normal (rad)
    pub twisting: f64,
    /// of the last step (m); 0: there was no contact
    pub overlap: f64,
    /// force beyond what unloading gives back (N)
    pub surplus: f64,
}

/// Two touching spheres. A wall is a sphere j without spin whose mass and lever arm are beyond measure.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContactState {
    /// unit, from i to j
    pub normal: DVec3,
    /// (m), positive
    pub overlap: f64,
    /// of j relative to i (m/s)
    pub velocity: DVec3,
    /// (rad/s)
    pub spin_i: DVec3,
    /// (rad/s)
    pub spin_j: DVec3,
    /// l_i (m)
    pub arm_i: f64,
    /// l_j (m)
    pub arm_j: f64,
    /// reduced mass (kg)
    pub mass: f64,
    /// effective radius R_e (m)
    pub radius: f64,
    /// springs after the step before
    pub springs: Springs,
}

/// What a contact does during one step.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
pub struct ContactResult {
    /// on i; on j the opposite (N)
    pub force: DVec3,
    /// on i about its centre (N m)
    pub torque_i: DVec3,
    /// on j about its centre (N m)
    pub torque_j: DVec3,
    /// springs after this step
    pub springs: Springs,
    /// energy lost in this step: normal, sliding, rolling, twisting (J)
    pub dissipated: [f64; 4],
}

/// `v`, no longer than `limit`.
pub(crate) fn shorten(v: DVec3, limit: f64) -> DVec3 {
    let size = v.length();
    if size > limit { v * (limit / size) } else { v }
}

/// Part of `v` in the plane across `n`.
pub(crate) fn across(v: DVec3, n: DVec3) -> DVec3 {
    v - v.dot(n) * n
}

/// Stiffnesses of rolling and twisting (N m/rad) at the effective radius `radius` (m): Table 2.
fn turning_stiffness(law: &ContactLaw, radius: f64) -> (f64, f64) {
    let size2 = (law.shape_parameter * radius).powi(2);
    (law.stiffness_normal * size2, 2.0 * law.stiffness_sliding * size2)
}

/// Lever arm of the sphere of radius `radius_i` (m) towards one of `radius_j` at `distance` (m) between centres: to the
/// plane of the circle in which they cut, or by radii.
pub fn contact_arm(law: &ContactLaw, radius_i: f64, radius_j: f64, distance: f64) -> f64 {
    match law.kind {
        SoftLaw::LinearSpringDashpot => {
            (radius_i * radius_i - radius_j * radius_j + distance * distance) / (2.0 * distance)
        }
        SoftLaw::Hysteretic => hysteretic::arm(radius_i, radius_j, distance),
    }
}

/// Force, torques, memory and losses of one contact over a step of `dt` (s).
pub fn contact_force(law: &ContactLaw, s: &ContactState, dt: f64) -> ContactResult {
    match law.kind {
        SoftLaw::LinearSpringDashpot => spring_dashpot(law, s, dt),
        SoftLaw::Hysteretic => hysteretic::contact_force(law, s, dt),
    }
}

/// What a contact loses (J) in the step in which it ended: normal, sliding, rolling, twisting. `last`: what it remembered,
/// `overlap` (m): now, below 0.
pub fn end_losses(law: &ContactLaw, radius: f64, last: &Springs, overlap: f64) -> [f64; 4] {
    match law.kind {
        SoftLaw::LinearSpringDashpot => {
            let [sliding, rolling, twisting] = spring_energies(law, radius, last);
            [0.0, sliding, rolling, twisting]
        }
        SoftLaw::Hysteretic => hysteretic::end_losses(law, last, overlap),
    }
}

fn spring_dashpot(law: &ContactLaw, s: &ContactState, dt: f64) -> ContactResult {
    let n = s.normal;
    let root_mass = s.mass.sqrt();
    let approach = s.velocity.dot(n);
    let slip = across(s.velocity, n) + s.arm_i * n.cross(s.spin_i) + s.arm_j * n.cross(s.spin_j);

    // Normal (eq. 1)
    let elastic = law.stiffness_normal * s.overlap;
    let damped = elastic - law.damping_normal * root_mass * approach;
    let push = if law.tension == NormalTension::None { damped.max(0.0) } else { damped };
    let load = push.max(0.0);

    // Sliding (eq. 1)
    let damping = law.damping_sliding * root_mass;
    let limit = law.friction_sliding * load;
    let sliding = shorten(across(s.springs.sliding, n) + slip * dt, limit / law.stiffness_sliding);
    let drag = shorten(law.stiffness_sliding * sliding + damping * slip, limit);

    // Rolling (eq. 3): w_R = (l_i + l_j)/(l_i l_j) n x u_R, with u_R of Table 1 put in
    let size = law.shape_parameter * s.radius;
    let (roll_stiffness, twist_stiffness) = turning_stiffness(law, s.radius);
    let spin = s.spin_j - s.spin_i;
    let roll_rate = across(spin, n) + 0.5 * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j) * n.cross(slip);
    let roll_limit = law.friction_rolling * size * load;
    let (mut rolling, mut moment) = (DVec3::ZERO, DVec3::ZERO);
    if roll_limit > 0.0 {
        rolling = shorten(across(s.springs.rolling, n) + roll_rate * dt, roll_limit / roll_stiffness);
        let damping = law.damping_normal * root_mass * size * size;
        moment = shorten(roll_stiffness * rolling + damping * roll_rate, roll_limit);
    }

    // Twisting (eq. 2)
    let twist_rate = spin.dot(n);
    let twist_limit = law.friction_twisting * size * limit;
    let (mut twisting, mut twist) = (0.0, 0.0);
    if twist_limit > 0.0 {
        let bound = twist_limit / twist_stiffness;
        twisting = (s.springs.twisting + twist_rate * dt).clamp(-bound, bound);
        let damping = 2.0 * damping * size * size;
        twist = (twist_stiffness * twisting + damping * twist_rate).clamp(-twist_limit, twist_limit);
    }

    let springs = Springs { sliding, rolling, twisting, ..Springs::default() };
    let (before, after) = (spring_energies(law, s.radius, &s.springs), spring_energies(law, s.radius, &springs));
    let gain = |k: usize| after[k] - before[k];
    // Cohesion (eq. 4) pulls as long as the contact lasts and loses nothing.
    let cohesion = adhesion_n(law.cohesion_pa, law.shape_parameter, s.radius);
    let lever = n.cross(drag);
    ContactResult {
        force: (cohesion - push) * n + drag,
        torque_i: s.arm_i * lever + moment + twist * n,
        torque_j: s.arm_j * lever - moment - twist * n,
        springs,
        dissipated: [
            (elastic - push) * approach * dt,
            drag.dot(slip) * dt - gain(0),
            moment.dot(spin) * dt - gain(1),
            twist * twist_rate * dt - gain(2),
        ],
    }
}

/// Energy in the sliding, rolling and twisting springs (J): what a contact that ends loses.
pub fn spring_energies(law: &ContactLaw, radius: f64, s: &Springs) -> [f64; 3] {
    let (roll, twist) = turning_stiffness(law, radius);
    [
        0.5 * law.stiffness_sliding * s.sliding.length_squared(),
        0.5 * roll * s.rolling.length_squared(),
        0.5 * twist * s.twisting * s.twisting,
    ]
}

/// Energy that the normal spring of a contact gives back, less the work of cohesion (J).
pub fn normal_energy(law: &ContactLaw, radius: f64, overlap: f64) -> f64 {
    let cohesion = adhesion_n(law.cohesion_pa, law.shape_parameter, radius);
    0.5 * law.stiffness_unloading * overlap * overlap - cohesion * overlap
}

/// Energy stored in a contact: normal, sliding, rolling and twisting springs, less the work of cohesion (J).
pub fn elastic_energy(law: &ContactLaw, radius: f64, overlap: f64, springs: &Springs) -> f64 {
    normal_energy(law, radius, overlap) + spring_energies(law, radius, springs).iter().sum::<f64>()
}
