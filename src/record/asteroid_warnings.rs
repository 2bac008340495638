//! What an asteroid will do that may not be meant: attract with another mass than its own or not at all, feel its grains late,
//! turn too fast, or tumble.

use crate::base::eigen::{ALIKE, onto_alike, principal};
use crate::base::error::Result;
use crate::base::readable::{digits, duration, number, percent};
use crate::base::units::G;
use crate::geometry::surface::Surface;
use crate::model::asteroid::{AsteroidSpec, Motion};
use crate::model::body::Bodies;
use crate::model::scenario::{GravitySource, Scenario};
use crate::physics::gravity::attraction::{Attraction, own_gm_m3_s2};
use crate::physics::gravity::central::Central;
use crate::physics::time_step::TimeStep;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// From this part on by which a field about the mass centre differs from that of the asteroid's own mass, a run warns of it.
const MASS_APART: f64 = 0.01;
/// From this angle between its axis and a principal one on, a run warns that a free asteroid tumbles (degrees).
const TUMBLES_FROM_DEG: f64 = 1.0;

/// A run warns of an asteroid that turns so many times faster than the critical spin, at which the equator of a sphere is weightless.
const SPIN_SAID_FROM: f64 = 10.0;
/// A run warns of late reactions if they may speed up a rebound by this part.
const GAIN_SAID_FROM: f64 = 0.02;
/// From this part of the mass of a free asteroid on, a run warns of a body.
const HEAVY_SAID_FROM: f64 = 0.05;

/// All of them.
pub(super) fn of(scenario: &Scenario, bodies: &Bodies, step: &TimeStep) -> Result<Vec<String>> {
    let Some(asteroid) = &scenario.asteroid else { return Ok(vec![]) };
    let single = [
        unattractive(scenario, bodies),
        late(asteroid, bodies, step),
        heavy(asteroid, bodies),
        fast(asteroid),
        mass_apart(scenario, asteroid)?,
        tumbling(asteroid)?,
    ];
    Ok(single.into_iter().flatten().chain(held_against(scenario, asteroid)).collect())
}

/// Sources outside an asteroid that attracts, or turns: they pull the bodies, and the asteroid does not fall with these.
fn held_against(scenario: &Scenario, asteroid: &AsteroidSpec) -> Vec<String> {
    if scenario.asteroid_sum().is_none() && asteroid.motion == Motion::Fixed {
        return vec![];
    }
    let outside =
        |source: &GravitySource| matches!(source, GravitySource::Uniform { .. }) || Central::beside(source).is_some();
    let warning = |(k, source): (usize, &GravitySource)| {
        format!(
            "gravity.{k}: kind = \"{}\" pulls the bodies alone; the asteroid stays at the origin and does not fall with them, so they feel the whole pull and not the tide; remove it if a planet is meant",
            source.kind()
        )
    };
    scenario.gravity.iter().enumerate().filter(|(_, source)| outside(source)).map(warning).collect()
}

/// Fields about the mass centre that are not of the asteroid's mass: in place of its own, or besides it.
fn mass_apart(scenario: &Scenario, asteroid: &AsteroidSpec) -> Result<Option<String>> {
    let field = Attraction::of(scenario, asteroid)?;
    let own = own_gm_m3_s2(asteroid)?;
    let apart = field.gm_m3_s2 - own;
    if field.gm_m3_s2 == 0.0 || apart.abs() <= MASS_APART * own {
        return Ok(None);
    }
    let [of_field, added, own] = [field.gm_m3_s2, apart, own].map(|gm| digits(gm, 4));
    Ok(Some(if field.of_asteroid {
        format!(
            "gravity: bodies feel the asteroid, {own} m3/s2 by its density and volume, and another field about its mass centre, {added} m3/s2, so its mass may count twice; remove one of them, unless a denser core is meant"
        )
    } else {
        format!(
            "gravity: the field about the mass centre of the asteroid has G m = {of_field} m3/s2, and its density and volume amount to {own}; correct one of them, or write kind = \"asteroid\""
        )
    }))
}

/// A free asteroid that does not turn about a principal axis.
fn tumbling(asteroid: &AsteroidSpec) -> Result<Option<String>> {
    let is_free = matches!(asteroid.motion, Motion::Free { .. });
    let Some(axis) = asteroid.rotation_rad_s.try_normalize().filter(|_| is_free) else { return Ok(None) };
    let surface = asteroid.surface()?;
    let off_deg = off_principal_deg(&surface, axis);
    if off_deg <= TUMBLES_FROM_DEG && is_middle(&surface, axis) {
        return Ok(Some(
            "asteroid: it rotates about the middle one of its principal axes, where no rotation is stable, so it will tumble, as motion = \"free\" lets it; turn the shape or the axis if that is not meant (`breccia mesh info` lists the axes), or write motion = \"rotating\"".into(),
        ));
    }
    Ok((off_deg > TUMBLES_FROM_DEG).then(|| {
        let off = number(off_deg);
        format!(
            "asteroid: its rotation axis is {off} degrees off the nearest principal axis of inertia, so it will tumble, as motion = \"free\" lets it; turn the shape or the axis if that is not meant (`breccia mesh info` lists the axes), or write motion = \"rotating\""
        )
    }))
}

/// True if the axis is nearest to that of the middle one of three different moments.
fn is_middle(surface: &Surface, axis: DVec3) -> bool {
    let (moments, axes) = principal(surface.inertia_m5);
    let along = |k: &usize| axis.dot(axes[*k]).abs();
    let nearest = (0..3).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or_default();
    let others = || (0..3).filter(|k| *k != nearest).map(|k| moments[k] / moments[nearest]);
    others().any(|m| m < 1.0 - ALIKE) && others().any(|m| m > 1.0 + ALIKE)
}

/// Angle between an axis and the nearest principal one (degrees).
fn off_principal_deg(surface: &Surface, axis: DVec3) -> f64 {
    let (moments, axes) = principal(surface.inertia_m5);
    let share = |k: usize| onto_alike(moments, axes, axis, k).length_squared();
    // of the square of the axis, what lies along one principal axis or between equal ones
    let along = [0, 1, 2].map(share).into_iter().fold(0.0, f64::max);
    (1.0 - along).max(0.0).sqrt().atan2(along.sqrt()).to_degrees()
}

/// An asteroid that does not attract its grains, though they attract each other or nothing attracts them.
fn unattractive(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    let others = if scenario.has_self_gravity() {
        "grains attract each other"
    } else if scenario.gravity.is_empty() && bodies.velocity_m_s.iter().all(|v| *v == DVec3::ZERO) {
        "nothing attracts the grains, which are at rest"
    } else {
        return None;
    };
    scenario.asteroid_sum().is_none().then(|| {
        format!("gravity: {others}, and no source has kind = \"asteroid\": the asteroid does not attract them; add one if it should")
    })
}

/// A free asteroid that feels grains so late that their contacts with it gain energy.
fn late(asteroid: &AsteroidSpec, bodies: &Bodies, step: &TimeStep) -> Option<String> {
    let Motion::Free { coupling_interval } = asteroid.motion else { return None };
    let mass_kg = asteroid.mass_kg().ok()?;
    let all_kg = bodies.total_mass_kg();
    let share = all_kg / mass_kg;
    // a body of mean mass is in contact with the asteroid for longer than the lightest pair, of half the least mass
    let least_kg = bodies.mass_kg.iter().copied().fold(f64::INFINITY, f64::min);
    let contact_s = step.contact_time_s? * (2.0 * all_kg / bodies.len() as f64 / least_kg).sqrt();
    // A reaction that is late by t is a dashpot of -k t m / M. Over the time of a contact the speed grows by this part.
    let late_s = 1.5 * f64::from(coupling_interval) * step.dt_s;
    let gain = 0.5 * PI * PI * share * late_s / contact_s;
    (coupling_interval > 1 && gain > GAIN_SAID_FROM).then(|| {
        format!(
            "asteroid.coupling_interval: with {coupling_interval} steps the asteroid feels grains of {} of its mass so late that they may rebound up to {} faster than they should; lower it",
            percent(share),
            percent(gain)
        )
    })
}

/// A body that is not light against a free asteroid, which contacts take for heavy.
fn heavy(asteroid: &AsteroidSpec, bodies: &Bodies) -> Option<String> {
    let Motion::Free { .. } = asteroid.motion else { return None };
    let mass_kg = asteroid.mass_kg().ok()?;
    let heaviest = (0..bodies.len()).max_by(|a, b| bodies.mass_kg[*a].total_cmp(&bodies.mass_kg[*b]))?;
    let share = bodies.mass_kg[heaviest] / mass_kg;
    (share > HEAVY_SAID_FROM).then(|| {
        format!(
            "asteroid.motion: body {heaviest} has {} of the mass of the asteroid, and a contact damps as if the asteroid were far heavier, so that the body rebounds slower than restitution_normal says; raise asteroid.density_kg_m3, or make the asteroid of bodies",
            percent(share)
        )
    })
}

/// An asteroid that turns far faster than grains stay on it.
fn fast(asteroid: &AsteroidSpec) -> Option<String> {
    let critical_rad_s = (4.0 / 3.0 * PI * G * asteroid.density_kg_m3).sqrt();
    let ratio = asteroid.rotation_rad_s.length() / critical_rad_s;
    (ratio > SPIN_SAID_FROM).then(|| {
        let [period, critical] = [critical_rad_s * ratio, critical_rad_s].map(|rad_s| duration(TAU / rad_s));
        format!("asteroid: it turns once in {period}, and grains leave the equator of a sphere of its density from {critical} on; check the unit")
    })
}
