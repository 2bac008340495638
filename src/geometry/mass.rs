//! Volume, centre and second moments of a closed surface of polygons, exact: the body is the signed sum of tetrahedra
//! from one point to the triangles of its faces (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia
//! tensor"; the same polynomials as Mirtich 1996 and Eberly 2002).

use crate::base::eigen::outer;
use crate::base::units::G;
use crate::geometry::loops::middle;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Mass properties of a homogeneous body, per unit of density.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// (m3)
    pub volume_m3: f64,
    /// mass centre in the frame of the points (m)
    pub centre_m: DVec3,
    /// integral of x x^T about the mass centre (m5)
    pub second_m5: DMat3,
}

impl Moments {
    /// Inertia tensor about the mass centre per unit of density (m5): trace(S) 1 - S.
    pub fn inertia_m5(&self) -> DMat3 {
        let s = self.second_m5;
        DMat3::from_diagonal(DVec3::splat(s.x_axis.x + s.y_axis.y + s.z_axis.z)) - s
    }
}

/// Volume of a sphere.
pub fn ball_m3(radius_m: f64) -> f64 {
    4.0 / 3.0 * PI * radius_m.powi(3)
}

/// Radius of the sphere of this volume (m).
pub fn ball_radius_m(volume_m3: f64) -> f64 {
    (volume_m3 / ball_m3(1.0)).cbrt()
}

/// Volume of an ellipsoid of these semi-axes.
pub fn ellipsoid_m3([a, b, c]: [f64; 3]) -> f64 {
    4.0 / 3.0 * PI * a * b * c
}

/// Gravity constant times the mass of a uniform sphere (m3/s2).
pub fn ball_gm_m3_s2(density_kg_m3: f64, radius_m: f64) -> f64 {
    G * density_kg_m3 * ball_m3(radius_m)
}

/// Moments of the body inside `faces` (loops of indices into `points`, counter-clockwise from outside).
pub fn moments<'a>(points: &[DVec3], faces: impl Iterator<Item = &'a [u32]> + Clone) -> Moments {
    let from = middle(points, faces.clone().flatten());
    let (mut volume6, mut first24, mut second120) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for face in faces {
        let corner = |k: usize| points[face[k] as usize] - from;
        for k in 2..face.len() {
            let (a, b, c) = (corner(0), corner(k - 1), corner(k));
            let (det, sum) = (a.dot(b.cross(c)), a + b + c);
            volume6 += det;
            first24 += det * sum;
            second120 += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * det;
        }
    }
    let volume_m3 = volume6 / 6.0;
    let centre = first24 / (24.0 * volume_m3);
    Moments {
        volume_m3,
        centre_m: from + centre,
        second_m5: second120 * (1.0 / 120.0) - outer(centre, centre) * volume_m3,
    }
}
