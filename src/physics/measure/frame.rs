//! Columns of the series of a run with an asteroid that turns: its pose and spin, and of a free one the momenta of bodies and
//! asteroid in inertial axes (Song et al. 2024, Fig. 16).

use super::columns::{Column, Value, When};
use super::series::Measured;
use crate::model::body::Bodies;
use crate::model::scenario::{Motion, Scenario};
use crate::model::snapshot::Snapshot;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Momenta in inertial axes, of bodies, of the asteroid and of both: linear (kg m/s) and angular about the origin (kg m2/s).
pub struct Momenta {
    grains: [DVec3; 2],
    asteroid: [DVec3; 2],
    total: [DVec3; 2],
    /// changes of the totals over the largest sums of magnitudes
    drift: [f64; 2],
}

/// Pose and spin of an asteroid that rotates, and the momenta with a free one. What is missing is NaN.
pub struct AsteroidMotion {
    position_m: DVec3,
    velocity_m_s: DVec3,
    orientation: DQuat,
    /// in its own axes (rad/s)
    spin_rad_s: DVec3,
    kinetic_j: f64,
    momenta: Momenta,
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

/// A number that runs with a free asteroid have.
const fn free(name: &'static str, unit: &'static str, meaning: &'static str, value: fn(&Measured) -> f64) -> Column {
    Column::one(name, unit, meaning, value).when(When::AsteroidFree)
}

/// A vector that runs with a free asteroid have.
const fn free_xyz(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&Measured) -> DVec3,
) -> Column {
    Column::xyz(name, unit, meaning, value).when(When::AsteroidFree)
}

/// Columns of runs with an asteroid that rotates.
pub(super) const COLUMNS: &[Column] = &[
    Column::xyz("asteroid_*_m", "m", "origin of the asteroid's frame in inertial space", |m| m.asteroid.position_m)
        .when(When::AsteroidTurns),
    Column::xyz("asteroid_velocity_*_m_s", "m/s", "its velocity in inertial space", |m| m.asteroid.velocity_m_s)
        .when(When::AsteroidTurns),
    Column {
        name: "asteroid_quaternion_*",
        unit: "",
        meaning: "rotation from the asteroid's axes to those of inertial space",
        when: When::AsteroidTurns,
        value: Value::Xyzw(|m| m.asteroid.orientation),
    },
    Column::xyz("asteroid_spin_*_rad_s", "rad/s", "spin of the asteroid in its own axes", |m| m.asteroid.spin_rad_s)
        .when(When::AsteroidTurns),
    free("asteroid_kinetic_j", "J", "kinetic energy of the asteroid", |m| m.asteroid.kinetic_j),
    free(
        "mechanical_energy_j",
        "J",
        "kinetic energy of the asteroid and kinetic, elastic and potential energy of the bodies",
        |m| m.energy.mechanical_j + m.asteroid.kinetic_j,
    ),
    free_xyz("grains_momentum_*_kg_m_s", "kg m/s", "linear momentum of all bodies in inertial space", |m| {
        m.asteroid.momenta.grains[0]
    }),
    free_xyz(
        "asteroid_momentum_*_kg_m_s",
        "kg m/s",
        "linear momentum of the asteroid, with all impulses of the bodies up to this instant",
        |m| m.asteroid.momenta.asteroid[0],
    ),
    free_xyz("total_momentum_*_kg_m_s", "kg m/s", "linear momentum of bodies and asteroid", |m| {
        m.asteroid.momenta.total[0]
    }),
    free(
        "total_momentum_drift",
        "",
        "change of the total momentum since the start over the largest sum of all magnitudes so far",
        |m| m.asteroid.momenta.drift[0],
    ),
    free_xyz(
        "grains_angular_momentum_*_kg_m2_s",
        "kg m2/s",
        "angular momentum of all bodies about the origin of inertial space, spins included",
        |m| m.asteroid.momenta.grains[1],
    ),
    free_xyz(
        "asteroid_angular_momentum_*_kg_m2_s",
        "kg m2/s",
        "angular momentum of the asteroid about the same point",
        |m| m.asteroid.momenta.asteroid[1],
    ),
    free_xyz(
        "total_angular_momentum_*_kg_m2_s",
        "kg m2/s",
        "angular momentum of bodies and asteroid about the same point",
        |m| m.asteroid.momenta.total[1],
    ),
    free(
        "total_angular_momentum_drift",
        "",
        "the drift of the total angular momentum, measured like `total_momentum_drift`",
        |m| m.asteroid.momenta.drift[1],
    ),
];

/// First sums and largest sizes; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TotalBaseline {
    first: Option<[[f64; 3]; 2]>,
    scale: [f64; 2],
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
    let (grains, mut size) = momenta(bodies);
    size = [size[0] + own[0].length(), size[1] + own[1].length()];
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
