//! Shape, packing and stress of all bodies together.

use crate::base::eigen::{outer, principal};
use crate::model::body::Bodies;
use crate::model::snapshot::Snapshot;
use glam::{DMat3, DVec3};

/// Mass centre (m) and its velocity (m/s).
pub fn centre(s: &Snapshot) -> (DVec3, DVec3) {
    let b = &s.bodies;
    (b.mean_by_mass(&b.position_m), b.mean_by_mass(&b.velocity_m_s))
}

/// Radius of the sphere about the mass centre that holds every body (m).
pub fn enclosing_radius_m(s: &Snapshot, centre: DVec3) -> f64 {
    (0..s.bodies.len()).map(|k| s.bodies.reach_m(k, centre)).fold(0.0, f64::max)
}

/// Solid volume (m3).
pub fn solid_volume_m3(s: &Snapshot) -> f64 {
    s.bodies.total_volume_m3()
}

/// Second moments of mass about `centre` (kg m2): the sum of m d d^T and of each body's own, tr(I)/2 - I.
pub fn second_moment_kg_m2(b: &Bodies, centre: DVec3) -> DMat3 {
    let mut moment = DMat3::ZERO;
    for k in 0..b.len() {
        let d = b.position_m[k] - centre;
        let inertia = b.inertia_kg_m2(k);
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        moment += b.mass_kg[k] * outer(d, d) + DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - inertia;
    }
    moment
}

/// Semi-axes a >= b >= c of the homogeneous ellipsoid with the same principal moments (m).
pub fn semi_axes_m(b: &Bodies, centre: DVec3) -> [f64; 3] {
    let (moments, _) = principal(second_moment_kg_m2(b, centre));
    ellipsoid_m(moments, b.total_mass_kg())
}

/// Semi-axes of the homogeneous ellipsoid with these principal second moments (kg m2) and this mass (m).
pub fn ellipsoid_m(moments: [f64; 3], mass_kg: f64) -> [f64; 3] {
    moments.map(|e| (5.0 * e.max(0.0) / mass_kg).sqrt())
}

/// Spin of the rigid rotation with this angular momentum (kg m2/s) over principal moments of inertia (kg m2) about these axes (rad/s).
pub fn rigid_spin_rad_s(angular_kg_m2_s: DVec3, moments_kg_m2: [f64; 3], axes: [DVec3; 3]) -> DVec3 {
    (0..3).map(|k| angular_kg_m2_s.dot(axes[k]) / moments_kg_m2[k] * axes[k]).sum()
}

/// Principal second moments of mass, the moments of inertia about their axes (kg m2), and the axes, longest of the body first.
pub fn principal_moments(b: &Bodies, centre: DVec3) -> ([f64; 3], [f64; 3], [DVec3; 3]) {
    let (second, axes) = principal(second_moment_kg_m2(b, centre));
    let trace: f64 = second.iter().sum();
    (second, second.map(|m| trace - m), axes)
}

/// Stress tensor times volume, compression positive [N m]: minus the sum of contact force times lever of both bodies
/// (Sanchez et al. 2021, eq. 19-20, with the sign of soil mechanics). Contacts with walls do not count.
pub fn stress_moment(s: &Snapshot) -> DMat3 {
    let mut total = DMat3::ZERO;
    for c in &s.contacts {
        let (i, j) = (c.i as usize, c.j as usize);
        let branch = s.bodies.position_m[j] - s.bodies.position_m[i];
        // Force on i at +l_i n and its opposite on j at -l_j n: together f x branch.
        total -= outer(c.force_n, branch);
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
