//! The field of one centre: a point mass, or a homogeneous sphere.

use crate::geometry::mass::ball_gm_m3_s2;
use crate::model::gravity::GravitySource;
use glam::DVec3;

/// A field of one centre, in SI or in any units that belong together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Central {
    pub gm_m3_s2: f64,
    pub position_m: DVec3,
    /// of a homogeneous sphere; 0: a point
    pub radius_m: f64,
}

impl Central {
    /// The field of a source; none if it has no centre that is fixed.
    pub(crate) fn of(source: &GravitySource) -> Option<Central> {
        match *source {
            GravitySource::Uniform { .. }
            | GravitySource::SelfGravity { .. }
            | GravitySource::Asteroid { .. }
            | GravitySource::RotatingFrame { .. } => None,
            GravitySource::Central { gm_m3_s2, position_m } => Some(Central { gm_m3_s2, position_m, radius_m: 0.0 }),
            GravitySource::UniformSphere { density_kg_m3, radius_m, position_m } => {
                Some(Central { gm_m3_s2: ball_gm_m3_s2(density_kg_m3, radius_m), position_m, radius_m })
            }
        }
    }

    /// The field of a source that is not about the origin.
    pub(crate) fn beside(source: &GravitySource) -> Option<Central> {
        Central::of(source).filter(|central| central.position_m != DVec3::ZERO)
    }

    /// Acceleration and potential (m/s2, J/kg). Inside a homogeneous sphere they are -GM r/R3 and -GM (3 R2 - r2) / 2 R3;
    /// a point gives nothing in its place.
    pub(crate) fn at(&self, position_m: DVec3) -> (DVec3, f64) {
        let d = position_m - self.position_m;
        let far = d.length().max(self.radius_m);
        if far == 0.0 {
            return (DVec3::ZERO, 0.0);
        }
        let depth = if d.length() < self.radius_m { 1.5 - 0.5 * (d.length() / far).powi(2) } else { 1.0 };
        (-self.gm_m3_s2 / far.powi(3) * d, -self.gm_m3_s2 / far * depth)
    }
}
