//! Which frame the soft spheres of a scenario live in.

pub mod axes;
pub mod coupling;
pub mod step;

use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::model::free_asteroid::Asteroid;
use crate::model::scenario::{AsteroidSpec, GravitySource, Method, Motion, Scenario};
use crate::physics::frame::coupling::{Coupling, LEGS};
use crate::physics::gravity::central::Central;
use glam::DVec3;

/// The frame of soft spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Frame {
    /// of inertial space; contact dynamics turns its frame by itself
    Inertial,
    /// turns steadily (rad/s)
    Steady(DVec3),
    /// of a free asteroid, with so many steps an interval
    Free(u32),
}

impl Frame {
    /// The frame of a scenario.
    pub fn of(scenario: &Scenario) -> Frame {
        let soft = scenario.method == Method::SoftSphere;
        match &scenario.asteroid {
            Some(AsteroidSpec { motion: Motion::Free { coupling_interval }, .. }) => Frame::Free(*coupling_interval),
            Some(AsteroidSpec { motion: Motion::Rotating, rotation_rad_s, .. }) => Frame::Steady(*rotation_rad_s),
            _ => match scenario.rotating_frame_rad_s() {
                Some(rotation_rad_s) if soft => Frame::Steady(rotation_rad_s),
                _ => Frame::Inertial,
            },
        }
    }

    /// Its rotation at the start (rad/s).
    pub fn rotation_rad_s(&self, scenario: &Scenario) -> DVec3 {
        match self {
            Frame::Inertial => DVec3::ZERO,
            Frame::Steady(rotation_rad_s) => *rotation_rad_s,
            Frame::Free(_) => scenario.asteroid.as_ref().map_or(DVec3::ZERO, |a| a.rotation_rad_s),
        }
    }

    /// Steps in which it turns steadily; 0: it does not turn.
    pub fn interval(&self) -> u32 {
        match self {
            Frame::Inertial => 0,
            Frame::Steady(_) => u32::MAX,
            Frame::Free(interval) => *interval,
        }
    }

    /// Steps whose reactions the device holds.
    pub fn reaction_slots(&self) -> u32 {
        match self {
            Frame::Free(interval) => LEGS as u32 * interval,
            _ => 0,
        }
    }
}

/// The frame of a scenario and the asteroid in it; `None`: of inertial space. Refuses what cannot be.
pub fn coupling(scenario: &Scenario, dt_s: f64) -> Result<Option<Coupling>> {
    if let Some(fault) = fault(scenario) {
        return Err(fault.into());
    }
    Ok(match (Frame::of(scenario), &scenario.asteroid) {
        (Frame::Steady(rotation_rad_s), _) => Some(Coupling::steady(rotation_rad_s, dt_s)),
        (Frame::Free(interval), Some(spec)) => Some(Coupling::free(rigid(spec)?, interval.into(), dt_s)),
        _ => None,
    })
}

/// The asteroid as a rigid body of its density.
pub fn rigid(spec: &AsteroidSpec) -> Result<Asteroid> {
    let surface = spec.surface()?;
    let density = spec.density_kg_m3;
    Ok(Asteroid::new(spec.mass_kg()?, density * surface.inertia_m5, spec.rotation_rad_s))
}

/// What does not go together.
fn fault(scenario: &Scenario) -> Option<Fault> {
    let turning = |s: &GravitySource| matches!(s, GravitySource::RotatingFrame { .. });
    let frame = Frame::of(scenario);
    if let Some(spec) = &scenario.asteroid {
        if scenario.method != Method::SoftSphere {
            let what = "needs run.method = \"soft_sphere\"";
            return Some(scenario.fault("asteroid", what, "choose that method, or remove the section"));
        }
        if scenario.gravity.iter().any(turning) {
            let what = "kind = \"rotating_frame\" conflicts with [asteroid], which sets the frame of the bodies";
            let remedy = "remove the source, and give its rotation as asteroid.rotation_rad_s";
            return Some(scenario.fault("gravity", what, remedy));
        }
        if scenario.spin_up.is_some() {
            let what = "turns bodies about their common mass centre, and not the asteroid that they lie on";
            let remedy = "remove it; a run that starts from the last frame of this one may have another asteroid.rotation_period_s";
            return Some(scenario.fault("spin_up", what, remedy));
        }
        if matches!(spec.motion, Motion::Free { .. }) {
            return free_fault(scenario);
        }
    }
    let soft = scenario.method == Method::SoftSphere;
    (soft && frame != Frame::Inertial && scenario.spin_up.is_some()).then(|| {
        let what = "soft spheres in a turning frame cannot be spun up";
        scenario.fault("spin_up", what, "remove [spin_up], or the rotation of the frame")
    })
}

/// What a free asteroid cannot take the reaction of.
fn free_fault(scenario: &Scenario) -> Option<Fault> {
    let fixed = |remove: &str| format!("remove {remove}, or choose asteroid.motion = \"fixed\"");
    if let Some(wall) = scenario.walls.iter().find(|w| w.moves()) {
        let what = "moves, but walls are fixed to a free asteroid";
        return Some(scenario.fault(&format!("wall.{}", wall.name), what, fixed("its velocity")));
    }
    let numbered = scenario.gravity.iter().enumerate();
    numbered.into_iter().find_map(|(k, source)| match source {
        GravitySource::Uniform { .. } => {
            let what = "kind = \"uniform\" acts on the bodies alone, and a free asteroid would not feel it";
            Some(scenario.fault(&format!("gravity.{k}"), what, fixed("the source")))
        }
        source if Central::beside(source).is_some() => {
            let what = "the field of a free asteroid begins at its mass centre, the origin";
            let remedy =
                "remove position_m; no motion lets an asteroid fall towards another body, so a planet cannot pull here";
            Some(scenario.fault(&format!("gravity.{k}.position_m"), what, remedy))
        }
        _ => None,
    })
}
