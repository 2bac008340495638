//! Contact stress of all bodies together, and the virial theorem.

use super::whole;
use crate::base::eigen::principal;
use crate::geometry::mass::ball_m3;
use crate::model::snapshot::Snapshot;
use glam::{DMat3, DVec3};

/// Mean stress over the enclosing sphere, compression positive.
pub struct Stress {
    /// stress times volume (N m)
    moment: DMat3,
    /// of the enclosing sphere (m3)
    pub(super) volume_m3: f64,
    /// how far 3 P V is from W - 2 K, over W
    pub(super) virial_residual: f64,
}

impl Stress {
    pub(super) fn trace(&self) -> f64 {
        let m = self.moment.to_cols_array_2d();
        m[0][0] + m[1][1] + m[2][2]
    }

    pub(super) fn tensor_pa(&self) -> [f64; 6] {
        let m = self.moment.to_cols_array_2d();
        [m[0][0], m[1][1], m[2][2], 0.5 * (m[0][1] + m[1][0]), 0.5 * (m[0][2] + m[2][0]), 0.5 * (m[1][2] + m[2][1])]
            .map(|v| v / self.volume_m3)
    }

    pub(super) fn principal_pa(&self, k: usize) -> f64 {
        principal(self.moment).0[k] / self.volume_m3
    }
}

/// Measures it about the mass centre (m), which moves with `drift` (m/s), over a sphere of this radius (m).
pub(super) fn measure(s: &Snapshot, centre: DVec3, drift: DVec3, radius_m: f64) -> Stress {
    let volume_m3 = ball_m3(radius_m);
    let mut stress = Stress { moment: whole::stress_moment(s), volume_m3, virial_residual: 0.0 };
    let w: f64 = (0..s.self_acceleration_m_s2.len())
        .map(|k| -s.bodies.mass_kg[k] * (s.bodies.position_m[k] - centre).dot(s.self_acceleration_m_s2[k]))
        .sum();
    let k2: f64 =
        (0..s.bodies.len()).map(|k| s.bodies.mass_kg[k] * (s.bodies.velocity_m_s[k] - drift).length_squared()).sum();
    if w > 0.0 {
        stress.virial_residual = (stress.trace() - (w - k2)) / w;
    }
    stress
}
