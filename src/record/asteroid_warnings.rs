//! What an asteroid will do that may not be meant: attract with another mass than its own, or tumble.

use crate::base::eigen::principal;
use crate::base::error::Result;
use crate::base::readable::{digits, number};
use crate::geometry::surface::Surface;
use crate::model::asteroid::{AsteroidSpec, Motion};
use crate::model::scenario::{GravitySource, Scenario};
use crate::physics::gravity::attraction::{Attraction, own_gm_m3_s2};
use glam::DVec3;

/// From this part on by which a field about the mass centre differs from that of the asteroid's own mass, a run warns of it.
const MASS_APART: f64 = 0.01;
/// From this angle between its axis and a principal one on, a run warns that a free asteroid tumbles (degrees).
const TUMBLES_FROM_DEG: f64 = 1.0;
/// Moments of inertia that differ by less than this part count as equal: all axes between theirs are principal.
const MOMENTS_ALIKE: f64 = 1e-3;

/// All of them.
pub(super) fn of(scenario: &Scenario) -> Result<Vec<String>> {
    let Some(asteroid) = &scenario.asteroid else { return Ok(vec![]) };
    let of_one = [mass_apart(scenario, asteroid)?, tumbling(asteroid)?];
    Ok(of_one.into_iter().flatten().chain(held_against(scenario, asteroid)).collect())
}

/// Sources outside an asteroid that attracts, or turns: they pull the bodies, and the asteroid does not fall with these.
fn held_against(scenario: &Scenario, asteroid: &AsteroidSpec) -> Vec<String> {
    if scenario.asteroid_sum().is_none() && asteroid.motion == Motion::Fixed {
        return vec![];
    }
    let outside = |source: &GravitySource| match source {
        GravitySource::Uniform { .. } => true,
        GravitySource::Central { position_m, .. } | GravitySource::UniformSphere { position_m, .. } => {
            *position_m != DVec3::ZERO
        }
        _ => false,
    };
    let warning = |(k, source): (usize, &GravitySource)| {
        format!(
            "gravity.{k}: kind = \"{}\" pulls the bodies alone; the asteroid stays at the origin and does not fall with them, so they feel the whole pull and not the tide; remove it if a planet is meant",
            source.kind()
        )
    };
    scenario.gravity.iter().enumerate().filter(|(_, source)| outside(source)).map(warning).collect()
}

/// A field about the mass centre, in place of the asteroid's own, that is not of its mass.
fn mass_apart(scenario: &Scenario, asteroid: &AsteroidSpec) -> Result<Option<String>> {
    let field = Attraction::of(scenario, asteroid)?;
    let own = own_gm_m3_s2(asteroid)?;
    let apart = !field.of_asteroid && field.gm_m3_s2 > 0.0 && (field.gm_m3_s2 / own - 1.0).abs() > MASS_APART;
    Ok(apart.then(|| {
        let [of_field, own] = [field.gm_m3_s2, own].map(|gm| digits(gm, 4));
        format!(
            "gravity: the field about the mass centre of the asteroid has G m = {of_field} m3/s2, and its density and volume amount to {own}; correct one of them, or write kind = \"asteroid\""
        )
    }))
}

/// A free asteroid that does not turn about a principal axis.
fn tumbling(asteroid: &AsteroidSpec) -> Result<Option<String>> {
    let is_free = matches!(asteroid.motion, Motion::Free { .. });
    let Some(axis) = asteroid.rotation_rad_s.try_normalize().filter(|_| is_free) else { return Ok(None) };
    let off_deg = off_principal_deg(&*asteroid.surface()?, axis);
    Ok((off_deg > TUMBLES_FROM_DEG).then(|| {
        let off = number(off_deg);
        format!(
            "asteroid: its rotation axis is {off} degrees off the nearest principal axis of inertia, so it will tumble, as motion = \"free\" lets it; turn the shape or the axis if that is not meant (`breccia mesh info` lists the axes), or write motion = \"rotating\""
        )
    }))
}

/// Angle between an axis and the nearest principal one (degrees).
fn off_principal_deg(surface: &Surface, axis: DVec3) -> f64 {
    let (moments, axes) = principal(surface.inertia_m5);
    let share = |k: usize| {
        let alike = |l: &usize| (moments[*l] - moments[k]).abs() <= MOMENTS_ALIKE * moments[0];
        (0..3).filter(alike).map(|l| axes[l].dot(axis).powi(2)).sum::<f64>()
    };
    // of the square of the axis, what lies along one principal axis or between equal ones
    let along = [0, 1, 2].map(share).into_iter().fold(0.0, f64::max);
    (1.0 - along).max(0.0).sqrt().atan2(along.sqrt()).to_degrees()
}
