//! Columns of the series of a run with an asteroid that turns: its pose and spin, and of a free one the momenta of bodies and
//! asteroid in inertial axes (Song et al. 2024, Fig. 16).

use super::momentum::MomentumSums;
use crate::model::body::Bodies;
use crate::model::scenario::{Motion, Scenario};
use crate::model::snapshot::Snapshot;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Momenta in inertial axes, of bodies, of the asteroid and of both: linear (kg m/s) and angular about the origin (kg m2/s).
pub struct Momenta {
    pub(super) grains: [DVec3; 2],
    pub(super) asteroid: [DVec3; 2],
    pub(super) total: [DVec3; 2],
    /// changes of the totals over the largest sums of magnitudes
    pub(super) drift: [f64; 2],
}

/// Pose and spin of an asteroid that rotates, and the momenta with a free one. What is missing is NaN.
pub struct AsteroidMotion {
    pub(super) position_m: DVec3,
    pub(super) velocity_m_s: DVec3,
    pub(super) orientation: DQuat,
    /// in its own axes (rad/s)
    pub(super) spin_rad_s: DVec3,
    pub(super) kinetic_j: f64,
    pub(super) momenta: Momenta,
}

impl AsteroidMotion {
    const MISSING: AsteroidMotion = AsteroidMotion {
        position_m: DVec3::NAN,
        velocity_m_s: DVec3::NAN,
        orientation: DQuat::NAN,
        spin_rad_s: DVec3::NAN,
        kinetic_j: f64::NAN,
        momenta: Momenta {
            grains: [DVec3::NAN; 2],
            asteroid: [DVec3::NAN; 2],
            total: [DVec3::NAN; 2],
            drift: [f64::NAN; 2],
        },
    };
}

/// First sums and largest sizes; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TotalBaseline {
    first: Option<[[f64; 3]; 2]>,
    scale: [f64; 2],
}

/// Measures them; the first call sets the baseline of the drifts.
pub(super) fn measure(s: &Snapshot, scenario: &Scenario, baseline: &mut TotalBaseline) -> AsteroidMotion {
    let turns = scenario.asteroid.as_ref().is_some_and(|a| a.motion != Motion::Fixed);
    let Some(frame) = s.frame.filter(|_| turns) else { return AsteroidMotion::MISSING };
    let motion = AsteroidMotion {
        position_m: frame.origin_m,
        velocity_m_s: frame.velocity_m_s,
        orientation: frame.orientation,
        spin_rad_s: frame.asteroid.map_or(frame.spin_rad_s, |a| a.spin_rad_s(frame.orientation)),
        ..AsteroidMotion::MISSING
    };
    let Some(asteroid) = frame.asteroid else { return motion };
    let kinetic_j = asteroid.kinetic_j(frame.orientation).iter().sum();
    let own =
        [asteroid.motion.momentum, asteroid.motion.centre_m.cross(asteroid.motion.momentum) + asteroid.motion.angular];
    AsteroidMotion { kinetic_j, momenta: total(&s.inertial(), own, baseline), ..motion }
}

/// Momenta of the bodies, with those of the asteroid (`own`) and with their drift.
fn total(bodies: &Bodies, own: [DVec3; 2], baseline: &mut TotalBaseline) -> Momenta {
    let sums = MomentumSums::about(DVec3::ZERO, DVec3::ZERO, bodies);
    let grains = [sums.linear, sums.angular()];
    let size = [sums.linear_size + own[0].length(), sums.angular_size + own[1].length()];
    let total = [grains[0] + own[0], grains[1] + own[1]];
    let first = *baseline.first.get_or_insert(total.map(|v| v.to_array()));
    let mut drift = [0.0; 2];
    for k in 0..2 {
        baseline.scale[k] = baseline.scale[k].max(size[k]);
        let off = total[k].distance(DVec3::from_array(first[k]));
        drift[k] = if baseline.scale[k] > 0.0 { off / baseline.scale[k] } else { 0.0 };
    }
    Momenta { grains, asteroid: own, total, drift }
}
