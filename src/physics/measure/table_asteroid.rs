//! The columns of runs with an asteroid, in the order of a row.

use super::column::{Column, Value, When};
use super::measured::Measured;
use glam::DVec3;

/// How the bodies lie on an asteroid.
pub(super) const GRAINS: &[Column] = &[
    Column::one(
        "kinetic_relative_j",
        "J",
        "kinetic energy of the bodies relative to the asteroid, spins included",
        |m| m.grains.kinetic_j,
    )
    .when(When::Asteroid),
    Column::one("surface_bodies", "", "bodies that touch the surface of the asteroid", |m| m.grains.on_surface as f64)
        .when(When::Asteroid),
    Column::one(
        "lofted_bodies",
        "",
        "bodies that neither touch the surface nor are connected by contacts to one that does",
        |m| m.grains.lofted as f64,
    )
    .when(When::Asteroid),
    Column::one(
        "latitude_mean_deg",
        "deg",
        "latitude of the bodies' centres over the plane across the z axis of the asteroid's shape, mean by mass",
        |m| m.grains.position_deg[0],
    )
    .when(When::Asteroid),
    Column::one(
        "longitude_mean_deg",
        "deg",
        "longitude of the mean of the bodies' meridians by mass, from the asteroid's x towards y, -180 to 180",
        |m| m.grains.position_deg[1],
    )
    .when(When::Asteroid),
];

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

/// Motion of an asteroid that rotates, and the momenta with a free one.
pub(super) const ASTEROID: &[Column] = &[
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
