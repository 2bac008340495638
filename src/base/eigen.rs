//! Principal values and axes of a symmetric 3 x 3 matrix by Jacobi's rotations, and the matrix of two vectors.

use glam::{DMat3, DVec3};

/// Values that differ by less than this part of the largest count as equal.
pub const ALIKE: f64 = 1e-3;

/// Eigenvalues, largest first, and their unit eigenvectors, which form a right-handed frame. Only the symmetric part of
/// `m` counts.
pub fn principal(m: DMat3) -> ([f64; 3], [DVec3; 3]) {
    let mut a = (0.5 * (m + m.transpose())).to_cols_array_2d();
    let mut axes = DMat3::IDENTITY.to_cols_array_2d();
    // Cyclic sweeps converge quadratically: five are usual, the rest find zeros.
    for _ in 0..32 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] != 0.0 {
                let (cosine, sine) = rotation(a[p][p], a[q][q], a[p][q]);
                for row in &mut a {
                    (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                turn_rows(&mut a, p, q, cosine, sine);
                turn_rows(&mut axes, p, q, cosine, sine);
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|i, j| a[*j][*j].total_cmp(&a[*i][*i]));
    let [x, y, _] = order.map(|k| DVec3::from_array(axes[k]));
    (order.map(|k| a[k][k]), [x, y, x.cross(y)])
}

/// The part of `v` along axis `k`, and along all others whose values equal its own to 1e-3 of the largest: any axis between
/// theirs is principal too.
pub fn onto_alike(values: [f64; 3], axes: [DVec3; 3], v: DVec3, k: usize) -> DVec3 {
    let largest = values.into_iter().fold(0.0, f64::max);
    let alike = |l: &usize| (values[*l] - values[k]).abs() <= ALIKE * largest;
    (0..3).filter(alike).map(|l| v.dot(axes[l]) * axes[l]).sum()
}

/// Cosine and sine of the turn that clears the off-diagonal `apq`, by the smaller angle.
fn rotation(app: f64, aqq: f64, apq: f64) -> (f64, f64) {
    let theta = (aqq - app) / (2.0 * apq);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    (cosine, tangent * cosine)
}

fn turn_rows(a: &mut [[f64; 3]; 3], p: usize, q: usize, cosine: f64, sine: f64) {
    let (rp, rq) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| cosine * rp[k] - sine * rq[k]);
    a[q] = std::array::from_fn(|k| sine * rp[k] + cosine * rq[k]);
}

/// The matrix a_i b_j.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_axes_rebuild_the_matrix() {
        let turn = DMat3::from_quat(glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0));
        for values in [[3.0, 2.0, -1.0], [5.0, 5.0, 1e-9], [1.0, 1.0, 1.0], [1e12, 1.0, 0.0]] {
            let m = turn * DMat3::from_diagonal(DVec3::from_array(values)) * turn.transpose();
            let (found, axes) = principal(m);
            for k in 0..3 {
                assert!((found[k] - values[k]).abs() < 1e-14 * values[0].max(1.0) * 4.0, "{found:?}, {values:?}");
                let rest = m * axes[k] - found[k] * axes[k];
                assert!(rest.length() < 1e-14 * values[0] * 8.0, "axis {k} of {values:?}: {rest}");
            }
            assert!((DMat3::from_cols_array_2d(&axes.map(|a| a.to_array())).determinant() - 1.0).abs() < 1e-12);
        }
    }
}
