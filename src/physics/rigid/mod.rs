//! The discrete problem of rigid contacts in one time step (Sanchez et al. 2021, section 2): contact impulses p and the
//! relative velocities u = W p + b that they leave, bound by the laws of Signorini and Coulomb. Solvers are elsewhere;
//! [`judge`] measures their solutions.

pub mod judge;
pub mod momentum;
pub mod problem;

use glam::{DMat3, DVec3};

/// What a contact obeys (Sanchez et al. 2021, eq. 9, 11, 18), with p* = p + r_0 n:
/// p*_n >= 0, u_n >= 0, p*_n u_n = 0; |p_t| <= mu p*_n, and p_t = -mu p*_n u_t / |u_t| where it slips.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// n, unit, from body j to body i
    pub normal: DVec3,
    /// mu
    pub friction: f64,
    /// r_0: the impulse that holds the contact together (N s)
    pub cohesion: f64,
}

impl Law {
    /// p* = p + r_0 n, on which Signorini and Coulomb act (N s).
    pub fn shifted(&self, impulse: DVec3) -> DVec3 {
        impulse + self.cohesion * self.normal
    }

    /// The admissible impulse for a trial one (N s): the normal part is cut off below -r_0, then the tangential part is
    /// shortened to the disc of radius mu p*_n (Sanchez et al. 2021, Table 1, as r* = -b / W, with eq. 18). Not the
    /// nearest point of Coulomb's cone.
    pub fn project(&self, trial: DVec3) -> DVec3 {
        let pull = -self.cohesion * self.normal;
        let (push, along) = split(self.shifted(trial), self.normal);
        if push <= 0.0 {
            return pull;
        }
        let (limit, size) = (self.friction * push, along.length());
        let kept = if size > limit { along * (limit / size) } else { along };
        pull + push * self.normal + kept
    }

    /// P(p - D^-1 u): the impulse that `d` in place of W makes of `impulse` (N s) at the velocity `u` (m/s) that all
    /// impulses leave. What every driver repeats; what does not change any more is a solution.
    pub fn correct(&self, d: Diagonal, impulse: DVec3, u: DVec3) -> DVec3 {
        self.project(impulse - d.solve(u, self.normal))
    }
}

/// Normal component and tangential part of a vector.
pub fn split(v: DVec3, normal: DVec3) -> (f64, DVec3) {
    let along = v.dot(normal);
    (along, v - along * normal)
}

/// Sum of the squares of the entries.
pub fn frobenius_squared(m: &DMat3) -> f64 {
    m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()
}

/// diag(W_nn, W_tt, W_tt) in a contact's frame (1/kg). W_tt is half the trace of the tangential block, so that it does
/// not depend on the choice of the tangents; for spheres the block is W_tt times identity.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Diagonal {
    /// W_nn (1/kg)
    pub normal: f64,
    /// W_tt (1/kg)
    pub tangent: f64,
}

impl Diagonal {
    /// The diagonal of a 3x3 block in the frame of `normal`.
    pub fn of(block: DMat3, normal: DVec3) -> Diagonal {
        let along = normal.dot(block * normal);
        let trace = block.x_axis.x + block.y_axis.y + block.z_axis.z;
        Diagonal { normal: along, tangent: 0.5 * (trace - along) }
    }

    /// Both entries times `factor`.
    pub fn scaled(self, factor: f64) -> Diagonal {
        self.map(|v| factor * v)
    }

    /// 1 / entry, zero for zero.
    pub fn reciprocal(self) -> Diagonal {
        self.map(|v| if v > 0.0 { 1.0 / v } else { 0.0 })
    }

    /// Roots of the entries.
    pub fn square_root(self) -> Diagonal {
        self.map(f64::sqrt)
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Diagonal {
        Diagonal { normal: f(self.normal), tangent: f(self.tangent) }
    }

    /// As a matrix in the frame that `normal` is given in.
    pub fn matrix(self, normal: DVec3) -> DMat3 {
        DMat3::from_cols(self.apply(DVec3::X, normal), self.apply(DVec3::Y, normal), self.apply(DVec3::Z, normal))
    }

    /// D v.
    pub fn apply(self, v: DVec3, normal: DVec3) -> DVec3 {
        self.tangent * v + (self.normal - self.tangent) * v.dot(normal) * normal
    }

    /// D^-1 v, zero in directions where D is zero.
    pub fn solve(self, v: DVec3, normal: DVec3) -> DVec3 {
        self.reciprocal().apply(v, normal)
    }
}

impl std::ops::Add for Diagonal {
    type Output = Diagonal;
    fn add(self, other: Diagonal) -> Diagonal {
        Diagonal { normal: self.normal + other.normal, tangent: self.tangent + other.tangent }
    }
}

/// A contact problem as solvers see it: laws, free velocities b, and the Delassus operator W of u = W p + b. Impulses
/// are one vector a contact (N s), velocities likewise (m/s), all in the frame that the laws' normals are given in.
pub trait Delassus {
    /// State of a sweep over the contacts, from which the velocity of one contact is cheap to compute.
    type State: Clone;

    /// Number of contacts.
    fn count(&self) -> usize;

    /// The law of contact `c`.
    fn law(&self, c: usize) -> Law;

    /// b: the velocity of contact `c` without impulses, bias included (m/s).
    fn free_velocity(&self, c: usize) -> DVec3;

    /// W_cc (1/kg).
    fn diagonal_block(&self, c: usize) -> DMat3;

    /// The state that belongs to `impulses`.
    fn state(&self, impulses: &[DVec3]) -> Self::State;

    /// u of contact `c` (m/s).
    fn velocity(&self, state: &Self::State, c: usize) -> DVec3;

    /// Adds `change` to the impulse of contact `c` (N s).
    fn add(&self, state: &mut Self::State, c: usize, change: DVec3);

    /// u of all contacts (m/s).
    fn velocities(&self, impulses: &[DVec3]) -> Vec<DVec3> {
        let state = self.state(impulses);
        (0..self.count()).map(|c| self.velocity(&state, c)).collect()
    }

    /// Diagonals of all W_cc (1/kg).
    fn diagonals(&self) -> Vec<Diagonal> {
        (0..self.count()).map(|c| Diagonal::of(self.diagonal_block(c), self.law(c).normal)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::eigen::outer;

    const LAW: Law = Law { normal: DVec3::Z, friction: 0.5, cohesion: 1.0 };

    #[test]
    fn table_1_case_by_case() {
        // No contact: all that is left is the pull of cohesion.
        assert_eq!(LAW.project(DVec3::new(3.0, 0.0, -1.5)), DVec3::new(0.0, 0.0, -1.0));
        // Sticking: nothing changes. p*_n = 2, limit 1.
        assert_eq!(LAW.project(DVec3::new(0.6, 0.7, 1.0)), DVec3::new(0.6, 0.7, 1.0));
        // Sliding: shortened to the limit, direction and normal part kept.
        let slid = LAW.project(DVec3::new(3.0, 4.0, 1.0));
        assert!((slid - DVec3::new(0.6, 0.8, 1.0)).length() < 1e-15, "{slid}");
    }

    #[test]
    fn diagonal_of_an_oblique_block() {
        let n = DVec3::new(0.48, 0.6, 0.64);
        let t = DVec3::new(0.8, 0.0, -0.6);
        let s = n.cross(t);
        let rank = |v: DVec3, w: f64| outer(v, v) * w;
        let d = Diagonal::of(rank(n, 2.0) + rank(t, 3.0) + rank(s, 5.0), n);
        assert!((d.normal - 2.0).abs() < 1e-14 && (d.tangent - 4.0).abs() < 1e-14, "{d:?}");
        let v = n + 2.0 * t - s;
        assert!((d.apply(v, n) - (2.0 * n + 8.0 * t - 4.0 * s)).length() < 1e-14);
        assert!((d.solve(d.apply(v, n), n) - v).length() < 1e-14);
    }
}
