//! Rotation of a free rigid body over a step, by the integrators that are compared: the linearised update and the one of
//! Hughes and Winget, both with the explicit gyroscopic term of Sanchez et al. 2021, and the implicit midpoint with the
//! angular momentum as the state, in f64 and as a GPU does it. Moments of inertia are principal ones, J (kg m2, or any
//! unit: only ratios and the torque's scale count).

use breccia::physics::turn;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

/// Fixed-point iterations of the midpoint: each gains a factor of the angle turned in half a step.
const ITERATIONS: usize = 3;

/// A body whose spin is stepped in its own frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// principal axes in the world (columns)
    pub axes: DMat3,
    /// angular velocity in the body's frame (rad/s)
    pub spin_rad_s: DVec3,
}

impl Frame {
    /// w' = w + h J^-1 (-w x J w) + J^-1 m with the torque impulse m in the body's frame (eq. 14, whose print lacks h and
    /// J^-1 at the gyroscopic term).
    fn spun(&self, inertia: DVec3, impulse_n_m_s: DVec3, h_s: f64) -> DVec3 {
        let w = self.spin_rad_s;
        w + (impulse_n_m_s - h_s * w.cross(inertia * w)) / inertia
    }

    /// The linearised update (eq. 15-16) with the weight `theta` of the end of the step, then Gram and Schmidt.
    pub fn linearised(&self, inertia: DVec3, impulse_n_m_s: DVec3, theta: f64, h_s: f64) -> Self {
        let spin_rad_s = self.spun(inertia, impulse_n_m_s, h_s);
        let (before, after) = (self.axes * self.spin_rad_s, self.axes * spin_rad_s);
        let turned = |e: DVec3| {
            let predicted = e + (1.0 - theta) * h_s * before.cross(e);
            predicted + theta * h_s * after.cross(predicted)
        };
        let x = turned(self.axes.x_axis).normalize();
        let y = turned(self.axes.y_axis).reject_from_normalized(x).normalize();
        Self { axes: DMat3::from_cols(x, y, x.cross(y)), spin_rad_s }
    }

    /// The rotation (1 - h W/2)^-1 (1 + h W/2), W x = w x x with w of the middle of the step (Hughes and Winget 1980): a
    /// rotation exactly.
    pub fn hughes_winget(&self, inertia: DVec3, impulse_n_m_s: DVec3, h_s: f64) -> Self {
        let spin_rad_s = self.spun(inertia, impulse_n_m_s, h_s);
        let half = 0.25 * h_s * (self.axes * (self.spin_rad_s + spin_rad_s));
        // Cayley's transform of a rotation vector is the quaternion (1, half), at unit length
        let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize();
        Self { axes: DMat3::from_quat(turn) * self.axes, spin_rad_s }
    }

    /// Angular momentum in the world (unit of J, rad/s).
    pub fn momentum(&self, inertia: DVec3) -> DVec3 {
        self.axes * (inertia * self.spin_rad_s)
    }

    /// Rotational energy (unit of J, rad2/s2).
    pub fn energy(&self, inertia: DVec3) -> f64 {
        0.5 * self.spin_rad_s.dot(inertia * self.spin_rad_s)
    }
}

/// A body whose state is its angular momentum in the world: constant while no torque acts, whatever the step does.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    /// from the principal axes to the world
    pub orientation: DQuat,
    /// in the world (kg m2/s)
    pub momentum: DVec3,
}

impl Turning {
    /// Angular velocity in the world (rad/s) at the orientation `q`: R(q) J^-1 R(q)^T L.
    fn spin(&self, q: DQuat, inertia: DVec3) -> DVec3 {
        turn::spin(q, self.momentum, inertia)
    }

    /// Turns for a step at the spin of its middle, w = R(q_m) J^-1 R(q_m)^T L with q_m = exp(h w/2) q, then
    /// q' = exp(h w) q: the implicit midpoint rule on the rotation group, of second order and reversible.
    pub fn midpoint(&mut self, inertia: DVec3, h_s: f64) {
        let mut spin = self.spin(self.orientation, inertia);
        for _ in 0..ITERATIONS {
            spin = self.spin(DQuat::from_scaled_axis(0.5 * h_s * spin) * self.orientation, inertia);
        }
        self.orientation = (DQuat::from_scaled_axis(h_s * spin) * self.orientation).normalize();
    }

    /// Rotational energy (J).
    pub fn energy(&self, inertia: DVec3) -> f64 {
        0.5 * self.momentum.dot(self.spin(self.orientation, inertia))
    }
}

/// [`Turning`] as a GPU holds it: the quaternion in units of 2^-30, so that the small turns of many steps add up without
/// loss, the rest in f32.
#[derive(Debug, Clone, Copy)]
pub struct FixedTurning {
    /// x, y, z, w in units of 2^-30
    pub orientation: [i32; 4],
    /// in the world
    pub momentum: Vec3,
}

/// One in units of the quaternion.
const ONE: f32 = 1073741824.0;

impl FixedTurning {
    /// The nearest state that can be held.
    pub fn new(state: &Turning) -> Self {
        let fixed = |x: f64| (x * f64::from(ONE)).round() as i32;
        Self { orientation: state.orientation.normalize().to_array().map(fixed), momentum: state.momentum.as_vec3() }
    }

    /// The state in f64, exactly.
    pub fn state(&self) -> Turning {
        let [x, y, z, w] = self.orientation.map(|c| f64::from(c) / f64::from(ONE));
        Turning { orientation: DQuat::from_xyzw(x, y, z, w), momentum: self.momentum.as_dvec3() }
    }

    /// exp(v) q - q for half a rotation vector v: small, so it keeps its digits in f32.
    fn change(q: Quat, half: Vec3) -> Quat {
        let angle2 = half.length_squared();
        // sin(a)/a and cos(a) - 1 to a^6: a is well below one
        let sine = 1.0 - angle2 / 6.0 * (1.0 - angle2 / 20.0);
        let versine = -0.5 * angle2 * (1.0 - angle2 / 12.0 * (1.0 - angle2 / 30.0));
        let v = half * sine;
        Quat::from_xyzw(v.x, v.y, v.z, versine) * q
    }

    fn spin(&self, q: Quat, inertia: Vec3) -> Vec3 {
        q * ((q.inverse() * self.momentum) / inertia)
    }

    /// [`Turning::midpoint`] in f32 with the quaternion in integers.
    pub fn midpoint(&mut self, inertia: Vec3, h_s: f32) {
        let q = Quat::from_array(self.orientation.map(|c| c as f32 / ONE));
        let mut spin = self.spin(q, inertia);
        for _ in 0..ITERATIONS {
            spin = self.spin(q + Self::change(q, 0.25 * h_s * spin), inertia);
        }
        let change = Self::change(q, 0.5 * h_s * spin).to_array();
        // what the length is too long by, exactly, then half of it off each component
        let square = self.orientation.iter().map(|c| i64::from(*c) * i64::from(*c)).sum::<i64>();
        let excess = (square - (1 << 60)) as f32 / ONE / ONE;
        for ((c, d), x) in self.orientation.iter_mut().zip(change).zip(q.to_array()) {
            *c = c.wrapping_add(((d - 0.5 * excess * x) * ONE).round() as i32);
        }
    }
}
