//! Diagonal bounds of the Delassus operator for Jacobi iterations: W <= D, so that D may replace W.
//!
//! Every body has its share of W: W = sum_b G_b^T G_b, with G_b = K_b^T H_b over its contacts and K_b K_b^T = M_b^-1.
//! If n_b bounds the eigenvalues of G_b D_b^-1 G_b^T, where D_b holds the diagonals D_cb of what body b adds to its
//! contacts, then G_b^T G_b <= n_b D_b, and D_c = n_i D_ci + n_j D_cj bounds W as a whole. The number of contacts is
//! such a bound (mass splitting, Tonge et al. 2012); a spectral one is up to 1.6 times lower and as safe.

use crate::physics::frame::step::cross_matrix;
use crate::physics::rigid::problem::{Body, Problem};
use crate::physics::rigid::{Delassus, Diagonal, frobenius_squared};
use glam::{DMat3, DVec3};

/// How the contacts of a body are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// every contact is one
    Contacts,
    /// by a bound on the largest eigenvalue of the body's own 6x6 matrix
    Spectral,
}

/// Relative difference between D_cb and a body's true block up to which the diagonal counts as exact.
const EXACT: f64 = 1e-9;

/// D_c of every contact: its bodies' diagonals times their counts (1/kg).
pub fn metric(problem: &Problem, counting: Counting) -> Vec<Diagonal> {
    let counts = body_counts(problem, counting);
    let part = |c: usize| {
        let normal = problem.contacts[c].normal;
        let [i, j] =
            problem.ends(c).map(|(b, arm, _)| Diagonal::of(problem.block_of_body(b, arm), normal).scaled(counts[b]));
        i + j
    };
    (0..problem.contacts.len()).map(part).collect()
}

/// n_b of every body; zero for walls and for bodies that nothing touches.
pub fn body_counts(problem: &Problem, counting: Counting) -> Vec<f64> {
    let mut shares = vec![Share::default(); problem.bodies.len()];
    for (c, contact) in problem.contacts.iter().enumerate() {
        for (b, arm, _) in problem.ends(c) {
            shares[b].add(&problem.bodies[b], problem.block_of_body(b, arm), contact.normal, arm);
        }
    }
    shares.iter().map(|s| s.count(counting)).collect()
}

/// G_b D_b^-1 G_b^T of one body, contact by contact.
#[derive(Clone, Copy, Default)]
struct Share {
    contacts: f64,
    sum: Matrix6,
    /// the largest eigenvalue bound of one contact's block against its diagonal: 1 where the diagonal is exact
    coupling: f64,
}

impl Share {
    fn add(&mut self, body: &Body, block: DMat3, normal: DVec3, arm: DVec3) {
        let d = Diagonal::of(block, normal);
        if body.is_fixed() {
            return;
        }
        let turning = -(cross_matrix(arm) * cholesky(body.inverse_inertia));
        let moving = body.ways() * body.inverse_mass.sqrt();
        let weight = d.reciprocal().matrix(normal);
        self.contacts += 1.0;
        self.sum.a += moving * weight * moving;
        self.sum.b += moving * weight * turning;
        self.sum.c += turning.transpose() * weight * turning;
        self.coupling = self.coupling.max(coupling(block, normal));
    }

    /// With inexact diagonals the spectral bound may exceed the number of contacts: then it stays.
    fn count(&self, counting: Counting) -> f64 {
        let plain = self.contacts * self.coupling;
        match counting {
            Counting::Contacts => plain,
            Counting::Spectral => self.sum.eigenvalue_bound().max(1.0).min(plain),
        }
    }
}

/// A bound on the largest eigenvalue of a 3x3 block against its own diagonal, D^-1/2 W D^-1/2: 1 where that is exact,
/// as for spheres, 3 at most.
fn coupling(block: DMat3, normal: DVec3) -> f64 {
    let d = Diagonal::of(block, normal);
    let off = frobenius_squared(&(block - d.matrix(normal))).sqrt();
    if off <= EXACT * frobenius_squared(&block).sqrt() {
        return 1.0;
    }
    let root = d.reciprocal().square_root().matrix(normal);
    (root * block * root).eigenvalue_bound().max(1.0)
}

/// D_c >= W_cc of every contact on its own (1/kg): the diagonal of the block, raised where the block has couplings.
pub fn own_metric(problem: &Problem) -> Vec<Diagonal> {
    let own = |c: usize| {
        let (block, normal) = (problem.diagonal_block(c), problem.contacts[c].normal);
        Diagonal::of(block, normal).scaled(coupling(block, normal))
    };
    (0..problem.contacts.len()).map(own).collect()
}

/// Lower triangle L with L L^T = m, for symmetric m without negative eigenvalues; columns of zero pivots are zero.
fn cholesky(m: DMat3) -> DMat3 {
    let column = |v: DVec3, k: usize| if v[k] > 0.0 { v / v[k].sqrt() } else { DVec3::ZERO };
    let x = column(m.x_axis, 0);
    let y = column(m.y_axis - x * x.y, 1).with_x(0.0);
    let z = column(m.z_axis - x * x.z - y * y.z, 2).with_x(0.0).with_y(0.0);
    DMat3::from_cols(x, y, z)
}

/// A bound on the largest eigenvalue of a symmetric matrix: the eighth root of |A^8|_F, at most n^(1/16) above it.
trait Spectrum: Sized {
    fn squared(&self) -> Self;
    fn frobenius(&self) -> f64;

    fn eigenvalue_bound(&self) -> f64 {
        self.squared().squared().squared().frobenius().powf(0.125)
    }
}

impl Spectrum for DMat3 {
    fn squared(&self) -> DMat3 {
        *self * *self
    }
    fn frobenius(&self) -> f64 {
        frobenius_squared(self).sqrt()
    }
}

/// A symmetric 6x6 matrix of translation and rotation: [[a, b], [b^T, c]].
#[derive(Clone, Copy)]
struct Matrix6 {
    a: DMat3,
    b: DMat3,
    c: DMat3,
}

impl Default for Matrix6 {
    fn default() -> Matrix6 {
        Matrix6 { a: DMat3::ZERO, b: DMat3::ZERO, c: DMat3::ZERO }
    }
}

impl Spectrum for Matrix6 {
    fn squared(&self) -> Matrix6 {
        let across = self.b.transpose();
        Matrix6 {
            a: self.a * self.a + self.b * across,
            b: self.a * self.b + self.b * self.c,
            c: across * self.b + self.c * self.c,
        }
    }
    fn frobenius(&self) -> f64 {
        (frobenius_squared(&self.a) + 2.0 * frobenius_squared(&self.b) + frobenius_squared(&self.c)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_of_an_oblique_inertia() {
        let m = DMat3::from_cols(DVec3::new(4.0, 2.0, -1.0), DVec3::new(2.0, 5.0, 0.5), DVec3::new(-1.0, 0.5, 3.0));
        let l = cholesky(m);
        assert!(frobenius_squared(&(l * l.transpose() - m)) < 1e-28);
        assert_eq!((l.y_axis.x, l.z_axis.x, l.z_axis.y), (0.0, 0.0, 0.0));
        assert_eq!(cholesky(DMat3::ZERO), DMat3::ZERO);
    }

    #[test]
    fn eigenvalue_bounds_hold_and_are_close() {
        // Eigenvalues 7, 2, 1 turned; 6x6 of two such blocks without coupling.
        let turn = DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), 1.1);
        let m = turn * DMat3::from_diagonal(DVec3::new(7.0, 2.0, 1.0)) * turn.transpose();
        let bound = m.eigenvalue_bound();
        assert!((7.0..7.001).contains(&bound), "{bound}");
        let both = Matrix6 { a: m, b: DMat3::ZERO, c: 0.5 * m };
        assert!((both.eigenvalue_bound() - bound).abs() < 1e-3);
        // [[1, 1], [1, 1]] x identity: eigenvalue 2, three times over.
        let one = DMat3::IDENTITY;
        let full = Matrix6 { a: one, b: one, c: one }.eigenvalue_bound();
        assert!((full - 2.0 * 3f64.powf(1.0 / 16.0)).abs() < 1e-12, "{full}");
    }
}
