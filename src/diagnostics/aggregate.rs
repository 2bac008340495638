//! Shape, packing and stress of all bodies together.

use super::snapshot::Snapshot;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Mass centre (m) and its velocity (m/s).
pub fn centre(s: &Snapshot) -> (DVec3, DVec3) {
    let mass: f64 = s.bodies.mass_kg.iter().sum();
    let sum = |v: &[DVec3]| v.iter().zip(&s.bodies.mass_kg).map(|(p, m)| *p * *m).sum::<DVec3>() / mass;
    (sum(&s.bodies.position_m), sum(&s.bodies.velocity_m_s))
}

/// Radius of the sphere about the mass centre that holds every body (m).
pub fn enclosing_radius_m(s: &Snapshot, centre: DVec3) -> f64 {
    s.bodies.position_m.iter().zip(&s.bodies.radius_m).map(|(p, r)| p.distance(centre) + r).fold(0.0, f64::max)
}

/// Solid volume (m3).
pub fn solid_volume_m3(s: &Snapshot) -> f64 {
    s.bodies.radius_m.iter().map(|r| 4.0 / 3.0 * PI * r.powi(3)).sum()
}

/// Semi-axes a >= b >= c of the homogeneous ellipsoid with the same principal moments (m).
pub fn semi_axes_m(s: &Snapshot, centre: DVec3) -> [f64; 3] {
    let mass: f64 = s.bodies.mass_kg.iter().sum();
    // Second moments of mass; a sphere adds m r^2 / 5 to each.
    let mut moment = DMat3::ZERO;
    for k in 0..s.bodies.len() {
        let (d, m) = (s.bodies.position_m[k] - centre, s.bodies.mass_kg[k]);
        moment += DMat3::from_cols(d * d.x, d * d.y, d * d.z) * m
            + DMat3::IDENTITY * (0.2 * m * s.bodies.radius_m[k].powi(2));
    }
    let mut axes = eigen(moment).0.map(|e| (5.0 * e.max(0.0) / mass).sqrt());
    axes.sort_by(|a, b| b.total_cmp(a));
    axes
}

/// Eigenvalues of a symmetric matrix and their unit eigenvectors (columns of a rotation), by Jacobi rotations. A matrix
/// that is diagonal keeps its order.
pub fn eigen(m: DMat3) -> ([f64; 3], DMat3) {
    let (mut a, mut axes) = (m.to_cols_array_2d(), DMat3::IDENTITY.to_cols_array_2d());
    for _ in 0..32 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let t = if theta == 0.0 { 1.0 } else { t };
            let c = 1.0 / (t * t + 1.0).sqrt();
            let sn = t * c;
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - sn * row[q], sn * row[p] + c * row[q]);
            }
            // the matrix is symmetric, and `axes` holds eigenvectors as rows
            for rows in [&mut a, &mut axes] {
                let (rp, rq) = (rows[p], rows[q]);
                rows[p] = std::array::from_fn(|k| c * rp[k] - sn * rq[k]);
                rows[q] = std::array::from_fn(|k| sn * rp[k] + c * rq[k]);
            }
        }
    }
    ([a[0][0], a[1][1], a[2][2]], DMat3::from_cols_array_2d(&axes))
}

/// Stress tensor times volume, compression positive [N m]: minus the sum of contact force times lever of both bodies
/// (Sanchez et al. 2021, eq. 19-20, with the sign of soil mechanics).
pub fn stress_moment(s: &Snapshot) -> DMat3 {
    let mut total = DMat3::ZERO;
    for c in &s.contacts {
        let (i, j) = (c.i as usize, c.j as usize);
        let branch = s.bodies.position_m[j] - s.bodies.position_m[i];
        // Force on i at +l_i n and its opposite on j at -l_j n: together f x branch.
        total -= DMat3::from_cols(c.force_n * branch.x, c.force_n * branch.y, c.force_n * branch.z);
    }
    total
}

/// Radius about the mass centre that holds half the mass (m).
pub fn half_mass_radius_m(s: &Snapshot, centre: DVec3) -> f64 {
    let mut list: Vec<(f64, f64)> =
        s.bodies.position_m.iter().zip(&s.bodies.mass_kg).map(|(p, m)| (p.distance(centre), *m)).collect();
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * list.iter().map(|l| l.1).sum::<f64>();
    let mut sum = 0.0;
    for (r, m) in list {
        sum += m;
        if sum >= half {
            return r;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_a_rotation_that_makes_the_matrix_diagonal() {
        let m = DMat3::from_cols_array(&[4.0, -1.0, 0.5, -1.0, 3.0, 2.0, 0.5, 2.0, -1.0]);
        let (values, axes) = eigen(m);
        let left = axes.transpose() * m * axes - DMat3::from_diagonal(values.into());
        assert!(left.abs_diff_eq(DMat3::ZERO, 1e-14), "{left}");
        assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-15));
        assert!((axes.determinant() - 1.0).abs() < 1e-15);
        assert_eq!(eigen(DMat3::from_diagonal(DVec3::new(3.0, 1.0, 2.0))), ([3.0, 1.0, 2.0], DMat3::IDENTITY));
    }
}
