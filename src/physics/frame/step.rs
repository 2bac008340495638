//! Steps in a frame that turns and moves: the leapfrog of an inertial frame written in the coordinates of the turning one,
//! without any approximation, so that a free body goes straight and what inertial coordinates conserve stays conserved.
//!
//! With x_n the position in the turning frame, E_n the frame's rotation over step n (in its own axes), U_n its origin's way in that step
//! and d = x_n - x_(n-1) the way of the last step, X" = f/m in inertial space reads E_n x_(n+1) - 2 x_n + E_(n-1)^T x_(n-1) =
//! k - R_n^T (U_n - U_(n-1)), k the kick of the step, or
//!
//! d' = E_n^T (E_(n-1)^T d + k + C x_n + h), C = 2 - E_n - E_(n-1)^T, h = -R_n^T (U_n - U_(n-1)).
//!
//! The two rotations are Coriolis' term, C the centrifugal one and, where the spin changes, Euler's. Time is counted in
//! steps: velocities are ways per step, spins angles per step.

use crate::base::eigen::outer;
use glam::{DMat3, DVec3};

/// The matrix of the cross product with `v`, v x.
pub fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// A rotation by a small vector, E = 1 + a x + S: what is left of it besides 1, so that small angles keep their digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// rotation vector v (rad)
    pub vector: DVec3,
    /// sin(v) v/|v|
    pub sine: DVec3,
    /// (1 - cos(v)) (v v^T/v^2 - 1), symmetric
    pub versine: DMat3,
}

impl Turn {
    /// The rotation by `vector` (rad).
    pub fn new(vector: DVec3) -> Turn {
        let angle = vector.length();
        let over = |f: f64, small: f64| if angle > 0.0 { f } else { small };
        let half = (0.5 * angle).sin();
        let [one, two] = [over(angle.sin() / angle, 1.0), over(2.0 * half * half / (angle * angle), 0.5)];
        let versine = (outer(vector, vector) - DMat3::from_diagonal(DVec3::splat(angle * angle))) * two;
        Turn { vector, sine: one * vector, versine }
    }

    /// E^T - 1.
    pub fn back(&self) -> DMat3 {
        self.versine - cross_matrix(self.sine)
    }

    /// E^T + v x - 1, of second order.
    fn lag(&self) -> DMat3 {
        self.versine + cross_matrix(self.vector - self.sine)
    }

    /// Velocity relative to the turning frame at the instant of `position`, from the way `last` of the step before, in
    /// which the frame turned by this, and the `kick` of a whole step.
    pub fn velocity_now(&self, last: DVec3, position: DVec3, kick: DVec3) -> DVec3 {
        last + self.back() * last - self.lag() * position + 0.5 * kick
    }
}

/// What one step does besides kicks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameStep {
    /// E_n^T E_(n-1)^T - 1
    pub turn: DMat3,
    /// C, which multiplies the position
    pub by_position: DMat3,
    /// E_n^T - 1
    pub back: DMat3,
    /// h (length per step)
    pub shift: DVec3,
    /// change of the spin of bodies that the frame does not carry: spin of the frame before less that of now (rad per step)
    pub spin: DVec3,
    /// share of the kick: a half in the first step, which starts at the instant
    pub share: f64,
}

impl FrameStep {
    /// The first step: velocities and spins are those of the instant, in which the frame turns at `rate` (rad per step).
    pub fn first(rate: DVec3, now: &Turn) -> FrameStep {
        let by_position = cross_matrix(rate - now.sine) - now.versine;
        let spin = rate - now.vector;
        FrameStep { turn: now.back(), by_position, back: now.back(), shift: DVec3::ZERO, spin, share: 0.5 }
    }

    /// A step in which the frame turns by `now`, after one by `before`; `jump`: change of its origin's velocity, in its axes.
    pub fn new(before: &Turn, now: &Turn, jump: DVec3) -> FrameStep {
        let (b, n) = (before.back(), now.back());
        let by_position = cross_matrix(before.sine - now.sine) - now.versine - before.versine;
        let spin = before.vector - now.vector;
        FrameStep { turn: b + n + n * b, by_position, back: n, shift: -jump, spin, share: 1.0 }
    }

    /// Way of this step from the way `last` of the step before.
    pub fn way(&self, last: DVec3, position: DVec3, kick: DVec3) -> DVec3 {
        let push = self.share * kick + self.by_position * position + self.shift;
        last + self.turn * last + push + self.back * push
    }

    /// Spin relative to the frame after this step; `turning`: what torques add to it.
    pub fn spun(&self, spin: DVec3, turning: DVec3) -> DVec3 {
        let now = spin + self.share * turning + self.spin;
        now + self.back * now
    }
}
