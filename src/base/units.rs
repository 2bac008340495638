//! SI to code units and back: the only place that scales. Newton's constant.
//!
//! Length L = 2^k m with 2^k >= 2.2 R_max, so that a 32-bit window of a position covers a contact; time T = the time
//! step, so that a velocity is a displacement per step; mass M = the largest mass.

use crate::base::fixed_point::{fixed, value};
use glam::DVec3;

/// Newton's constant [m3/(kg s2)], CODATA 2018.
pub const G: f64 = 6.674_30e-11;

/// Binary digits of a position below L.
pub const POSITION_BITS: i32 = 38;
/// Binary digits of a window of a position below L.
pub const WINDOW_BITS: i32 = 30;
/// Binary digits of a displacement per step below L.
pub const DISPLACEMENT_BITS: i32 = 58;
/// Radii are whole multiples of 2^-24 L, so that sums of radii are exact in f32.
pub const RADIUS_BITS: i32 = 24;

/// The three scales, and where rounding starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// L (m), a power of two
    pub length_m: f64,
    /// T (s), the time step
    pub time_s: f64,
    /// M (kg)
    pub mass_kg: f64,
    /// position of a run that others are rounded relative to (m): a system that is shifted has the same differences in
    /// f64 if f64 holds its positions, and then the same integers but for one that all have more
    pub anchor_m: DVec3,
}

impl Units {
    /// Scales for bodies up to `radius_max_m` and `mass_max_kg`, at the time step `dt_s`.
    pub fn new(radius_max_m: f64, mass_max_kg: f64, dt_s: f64) -> Units {
        Units {
            length_m: (2.2 * radius_max_m).log2().ceil().exp2(),
            time_s: dt_s,
            mass_kg: mass_max_kg,
            anchor_m: DVec3::ZERO,
        }
    }

    /// The position of a body, a wall or a field as fixed point, by its distance from the anchor.
    pub fn absolute_position(&self, p_m: DVec3) -> [i64; 3] {
        let (anchor, away) = (self.anchor(), self.way(p_m - self.anchor_m));
        std::array::from_fn(|k| anchor[k].saturating_add(away[k]))
    }
    /// An absolute position in SI (m).
    pub fn absolute_position_m(&self, position: [i64; 3]) -> DVec3 {
        let anchor = self.anchor();
        self.anchor_m + DVec3::from_array(std::array::from_fn(|k| self.position_m(position[k].wrapping_sub(anchor[k]))))
    }
    /// The anchor as fixed point, in whole units of windows, so that it is nothing to differences of windows.
    fn anchor(&self) -> [i64; 3] {
        let half = 1 << (POSITION_BITS - WINDOW_BITS - 1);
        self.way(self.anchor_m).map(|x| x.saturating_add(half) & -(2 * half))
    }

    /// A way as fixed point.
    pub fn way(&self, d_m: DVec3) -> [i64; 3] {
        d_m.to_array().map(|x| self.position(x))
    }

    /// A length as fixed point. The caller has checked the range (+-2^24 L).
    pub fn position(&self, x_m: f64) -> i64 {
        fixed(x_m / self.length_m, POSITION_BITS)
    }
    /// Position in SI (m).
    pub fn position_m(&self, x: i64) -> f64 {
        value(x, POSITION_BITS) * self.length_m
    }
    /// Velocity as displacement per step.
    pub fn displacement(&self, v_m_s: f64) -> i64 {
        fixed(v_m_s * self.time_s / self.length_m, DISPLACEMENT_BITS)
    }
    /// Velocity in SI (m/s).
    pub fn velocity_m_s(&self, v: i64) -> f64 {
        value(v, DISPLACEMENT_BITS) * self.length_m / self.time_s
    }
    /// Spin as angle per step.
    pub fn angle(&self, w_rad_s: f64) -> i64 {
        fixed(w_rad_s * self.time_s, DISPLACEMENT_BITS)
    }
    /// Spin in SI (rad/s).
    pub fn spin_rad_s(&self, w: i64) -> f64 {
        value(w, DISPLACEMENT_BITS) / self.time_s
    }
    /// Radius, rounded to a multiple of 2^-24 L.
    pub fn radius(&self, r_m: f64) -> f32 {
        let grid = f64::from(RADIUS_BITS).exp2();
        ((r_m / self.length_m * grid).round() / grid) as f32
    }
    /// Acceleration (L/T2) of 1 m/s2.
    pub fn acceleration(&self) -> f64 {
        self.time_s * self.time_s / self.length_m
    }
    /// Stiffness (M/T2) of 1 N/m.
    pub fn stiffness(&self) -> f64 {
        self.time_s * self.time_s / self.mass_kg
    }
    /// Force (M L/T2) of 1 N.
    pub fn force(&self) -> f64 {
        self.acceleration() / self.mass_kg
    }
    /// Torque or energy (M L2/T2) of 1 N m.
    pub fn energy(&self) -> f64 {
        self.force() / self.length_m
    }
    /// Gravitational constant or G m [L3/(M T2)], (L3/T2) of 1 m3/(kg s2) times the mass unit given.
    pub fn gm(&self) -> f64 {
        self.time_s * self.time_s / self.length_m.powi(3)
    }
    /// Converts a host vector of accelerations to f32 code units.
    pub fn acceleration_vec(&self, a: DVec3) -> [f32; 3] {
        (a * self.acceleration()).as_vec3().to_array()
    }
}
