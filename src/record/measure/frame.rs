//! Columns of the series of a run with an asteroid that turns: its pose and spin, and of a free one the momenta of bodies and
//! asteroid in inertial axes (Song et al. 2024, Fig. 16).

use crate::model::body::Bodies;
use crate::model::scenario::{Motion, Scenario};
use crate::model::snapshot::Snapshot;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Of every asteroid that turns.
pub const POSE: &[&str] = &[
    "asteroid_x_m",
    "asteroid_y_m",
    "asteroid_z_m",
    "asteroid_velocity_x_m_s",
    "asteroid_velocity_y_m_s",
    "asteroid_velocity_z_m_s",
    "asteroid_quaternion_x",
    "asteroid_quaternion_y",
    "asteroid_quaternion_z",
    "asteroid_quaternion_w",
    "asteroid_spin_x_rad_s",
    "asteroid_spin_y_rad_s",
    "asteroid_spin_z_rad_s",
];

/// Of a free one.
pub const MOMENTA: &[&str] = &[
    "asteroid_kinetic_j",
    "mechanical_energy_j",
    "grains_momentum_x_kg_m_s",
    "grains_momentum_y_kg_m_s",
    "grains_momentum_z_kg_m_s",
    "asteroid_momentum_x_kg_m_s",
    "asteroid_momentum_y_kg_m_s",
    "asteroid_momentum_z_kg_m_s",
    "total_momentum_x_kg_m_s",
    "total_momentum_y_kg_m_s",
    "total_momentum_z_kg_m_s",
    "total_momentum_drift",
    "grains_angular_momentum_x_kg_m2_s",
    "grains_angular_momentum_y_kg_m2_s",
    "grains_angular_momentum_z_kg_m2_s",
    "asteroid_angular_momentum_x_kg_m2_s",
    "asteroid_angular_momentum_y_kg_m2_s",
    "asteroid_angular_momentum_z_kg_m2_s",
    "total_angular_momentum_x_kg_m2_s",
    "total_angular_momentum_y_kg_m2_s",
    "total_angular_momentum_z_kg_m2_s",
    "total_angular_momentum_drift",
];

/// First sums and largest sizes; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TotalBaseline {
    first: Option<[[f64; 3]; 2]>,
    scale: [f64; 2],
}

/// Columns of this scenario.
pub fn columns(scenario: &Scenario) -> impl Iterator<Item = &'static str> {
    let motion = scenario.asteroid.as_ref().map_or(Motion::Fixed, |a| a.motion);
    let turns = motion != Motion::Fixed;
    let free = matches!(motion, Motion::Free { .. });
    let part = |there: bool, list: &'static [&'static str]| if there { list } else { &[] };
    part(turns, POSE).iter().chain(part(free, MOMENTA)).copied()
}

/// Momentum (kg m/s) and angular momentum about the origin (kg m2/s) of all bodies in inertial space, and the sums of their
/// magnitudes.
pub fn momenta(bodies: &Bodies) -> ([DVec3; 2], [f64; 2]) {
    let (mut sum, mut size) = ([DVec3::ZERO; 2], [0.0; 2]);
    for k in 0..bodies.len() {
        let part = bodies.mass_kg[k] * bodies.velocity_m_s[k];
        let (orbit, spin) = (bodies.position_m[k].cross(part), bodies.inertia_kg_m2(k) * bodies.spin_rad_s[k]);
        sum = [sum[0] + part, sum[1] + orbit + spin];
        size = [size[0] + part.length(), size[1] + orbit.length() + spin.length()];
    }
    (sum, size)
}

/// Adds the columns. `mechanical_j`: kinetic, elastic and potential energy of the bodies in inertial space.
pub fn measure(s: &Snapshot, scenario: &Scenario, mechanical_j: f64, baseline: &mut TotalBaseline, row: &mut Vec<f64>) {
    let (Some(frame), Some(_)) = (s.frame, columns(scenario).next()) else { return };
    let spin = frame.asteroid.map_or(frame.spin_rad_s, |a| a.spin_rad_s(frame.orientation));
    row.extend(frame.origin_m.to_array());
    row.extend(frame.velocity_m_s.to_array());
    row.extend(frame.orientation.to_array());
    row.extend(spin.to_array());
    let Some(asteroid) = frame.asteroid else { return };
    let kinetic: f64 = asteroid.kinetic_j(frame.orientation).iter().sum();
    row.extend([kinetic, mechanical_j + kinetic]);
    let (grains, mut size) = momenta(&s.inertial());
    let motion = asteroid.motion;
    let own = [motion.momentum, motion.centre_m.cross(motion.momentum) + motion.angular];
    size = [size[0] + own[0].length(), size[1] + own[1].length()];
    let total = [grains[0] + own[0], grains[1] + own[1]];
    let first = *baseline.first.get_or_insert(total.map(|v| v.to_array()));
    for k in 0..2 {
        baseline.scale[k] = baseline.scale[k].max(size[k]);
        [grains[k], own[k], total[k]].iter().for_each(|v| row.extend(v.to_array()));
        let off = total[k].distance(DVec3::from_array(first[k]));
        row.push(if baseline.scale[k] > 0.0 { off / baseline.scale[k] } else { 0.0 });
    }
}
