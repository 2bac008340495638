//! What contact laws take and give in f64.

use crate::base::units::Units;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::fmt::Debug;

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
    /// overlap of the last step, if the law keeps it (m)
    pub overlap: f64,
    /// force beyond what unloading gives back (N)
    pub surplus: f64,
}

impl Springs {
    /// The same in SI, of springs in code units.
    pub fn in_si(&self, units: &Units) -> Springs {
        Springs {
            sliding: self.sliding * units.length_m,
            overlap: self.overlap * units.length_m,
            surplus: self.surplus / units.force(),
            ..*self
        }
    }

    /// Springs of a law that keeps the sliding spring and the twisting angle in the first row of a contact's memory on the
    /// GPU, the rolling angle in the second.
    pub(in crate::physics::laws) fn stretched(first: [f32; 4], second: [f32; 3]) -> Springs {
        let [x, y, z, twisting] = first.map(f64::from);
        let [u, v, w] = second.map(f64::from);
        Springs { sliding: DVec3::new(x, y, z), rolling: DVec3::new(u, v, w), twisting, ..Springs::default() }
    }
}

/// Two touching spheres. A wall is a sphere j without spin whose mass and lever arm are beyond measure.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContactState {
    /// unit, from i to j
    pub normal: DVec3,
    /// (m), positive
    pub overlap: f64,
    /// overlap of the last step (m); 0 if there was no contact
    pub before: f64,
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

impl ContactState {
    /// Springs as long as a step of 1 s at speeds of up to `speed` (m/s) could stretch them.
    pub(in crate::physics::laws) fn longest(&self, speed: f64) -> Springs {
        Springs {
            sliding: DVec3::X * (self.springs.sliding.length() + speed),
            rolling: DVec3::X * (self.springs.rolling.length() + speed / self.radius),
            twisting: self.springs.twisting.abs() + speed / self.radius,
            ..Springs::default()
        }
    }
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

/// The part of a normal force that has a potential: spring and cohesion.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Normal {
    /// on j along the normal (N)
    pub force: f64,
    /// stored, less the work of cohesion (J)
    pub energy: f64,
}

/// The most that a contact could give: scales that errors are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// (N)
    pub force: f64,
    /// in the springs (J)
    pub stored: f64,
}

/// A law between two materials in f64: the yardstick of its shader, and the law of the reference engine.
pub trait Twin: Debug + Send + Sync {
    /// Lever arm (m) of the sphere of radius `radius_i` (m) towards one of `radius_j` at `distance` (m) between centres.
    fn arm(&self, radius_i: f64, radius_j: f64, distance: f64) -> f64;

    /// Force, torques, memory and losses of one contact over a step of `dt` (s).
    fn force(&self, s: &ContactState, dt: f64) -> ContactResult;

    /// Normal spring and cohesion at this effective radius and overlap (m).
    fn normal(&self, radius: f64, overlap: f64) -> Normal;

    /// Energy in the sliding, rolling and twisting springs (J) of a contact whose last overlap was `before` (m).
    fn held(&self, radius: f64, before: f64, springs: &Springs) -> [f64; 3];

    /// What a contact loses (J) in the step in which it ended: normal, sliding, rolling, twisting. `overlap` (m): now,
    /// below 0; `before` (m): at the last step.
    fn end(&self, radius: f64, before: f64, overlap: f64, springs: &Springs) -> [f64; 4];

    /// What two rows of a contact's memory on the GPU mean, in their units.
    fn memory(&self, first: [f32; 4], second: [f32; 3]) -> Springs;

    /// Overlap (m) at which a collision of reduced mass `mass` (kg), effective radius `radius` (m) and speed `speed` (m/s)
    /// turns round if nothing is lost on the way in.
    fn deepest(&self, mass: f64, radius: f64, speed: f64) -> f64;

    /// The most that the contact `s` could give with speeds of up to `speed` (m/s), steps of 1 s.
    fn most(&self, s: &ContactState, speed: f64) -> Most;

    /// Energy stored in a contact: normal, sliding, rolling and twisting springs, less the work of cohesion (J).
    fn energy(&self, radius: f64, overlap: f64, before: f64, springs: &Springs) -> f64 {
        self.normal(radius, overlap).energy + self.held(radius, before, springs).iter().sum::<f64>()
    }
}

/// `v`, no longer than `limit`.
pub(super) fn shorten(v: DVec3, limit: f64) -> DVec3 {
    let size = v.length();
    if size > limit { v * (limit / size) } else { v }
}

/// Part of `v` in the plane across `n`.
pub(super) fn across(v: DVec3, n: DVec3) -> DVec3 {
    v - v.dot(n) * n
}

/// A spring across `n`, turned about it by the angle `about_rad` that both bodies turn by in the step: what turns as a whole
/// carries its springs along. Its length is kept to the fourth order.
pub(super) fn carried(spring: DVec3, n: DVec3, about_rad: f64) -> DVec3 {
    (1.0 - 0.5 * about_rad * about_rad) * across(spring, n) + about_rad * n.cross(spring)
}

/// From the centre of i to the plane of the circle in which the spheres cut (m).
pub(super) fn arm_to_cut(radius_i: f64, radius_j: f64, distance: f64) -> f64 {
    (radius_i * radius_i - radius_j * radius_j + distance * distance) / (2.0 * distance)
}

/// Speed of the surface of j past that of i in the plane of contact (m/s).
pub(super) fn slip(s: &ContactState) -> DVec3 {
    across(s.velocity, s.normal) + s.arm_i * s.normal.cross(s.spin_i) + s.arm_j * s.normal.cross(s.spin_j)
}
