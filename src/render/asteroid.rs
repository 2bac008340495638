//! The asteroid of a run in its pictures: its surface, and an arrow along the axis that it turns about.

use super::axis::Axis;
use super::camera::{Camera, Field};
use super::colour::tint;
use super::facets::{Facets, Pose};
use super::graticule::{Graticule, Step};
use super::scene::Frame;
use crate::base::error::Result;
use crate::geometry::surface::Surface;
use crate::record::files::settings::scenario_of;
use glam::DVec3;
use std::path::Path;
use std::sync::Arc;

/// Rock: darker than grains that show no quantity.
const ROCK: [f64; 3] = [0.60, 0.57, 0.53];
/// Tip of the arrow from the mass centre (radius of the asteroid).
const TIP: f64 = 1.3;
/// Grains farther out than this do not widen the picture (radius of the asteroid).
const FAR: f64 = 3.0;

/// What is drawn in addition to the grains.
#[derive(Debug, Clone)]
pub struct Asteroid {
    /// about its mass centre
    pub surface: Arc<Surface>,
    /// in inertial space, where it turns; else in its own axes, where it is at rest
    pub inertial: bool,
    /// circles of latitude and longitude on it
    pub graticule: Option<Step>,
}

impl Asteroid {
    /// That of a run directory, if the run has one; `inertial`: in inertial space.
    pub fn of_run(run: &Path, inertial: bool) -> Result<Option<Asteroid>> {
        let spec = scenario_of(run)?.and_then(|s| s.asteroid);
        spec.map(|spec| Ok(Asteroid { surface: spec.surface()?, inertial, graticule: None })).transpose()
    }

    /// Its pose in a frame.
    pub fn pose(&self, frame: &Frame) -> Pose {
        let turned = frame.pose.filter(|_| self.inertial);
        turned.map_or(Pose::OWN, |p| Pose { origin_m: p.origin_m, orientation: p.orientation })
    }

    /// Its facets in a field.
    pub fn facets(&self, frame: &Frame, field: Field) -> Facets {
        let rock = tint(ROCK);
        Facets::of(&self.surface, self.pose(frame), field.centre_m, field.radius_m, |_| rock)
    }

    /// The field that shows all of it, its arrow and grains that are not far out.
    pub fn field(&self, frame: &Frame) -> Field {
        let (centre_m, radius_m) = (self.pose(frame).origin_m, self.surface.radius_m());
        let grains = frame.bodies.position_m.iter().zip(&frame.bodies.radius_m);
        let out = grains.map(|(p, r)| p.distance(centre_m) + r).fold(0.0, f64::max);
        Field { centre_m, radius_m: (1.02 * TIP * radius_m).max(out.min(FAR * radius_m)) }
    }

    /// A close-up of the grains in `field`, over the ground with the asteroid below; `from`: direction to the eye, towards
    /// which it looks half from above and half along the ground, northwards, unless it is given.
    pub fn close_up(&self, frame: &Frame, field: Field, from: Option<DVec3>) -> Result<Camera> {
        let up = (field.centre_m - self.pose(frame).origin_m).try_normalize().unwrap_or(DVec3::Z);
        let east = DVec3::Z.cross(up).try_normalize().unwrap_or(DVec3::Y);
        Camera::with_top(from.unwrap_or(up - up.cross(east)), up)
    }

    /// The arrow along its axis in a picture of `field`; none if the frame does not turn, or in a close-up.
    pub(super) fn axis(&self, frame: &Frame, field: Field) -> Option<Axis> {
        let (pose, reach_m) = (self.pose(frame), TIP * self.surface.radius_m());
        let along = frame.pose.and_then(|p| (pose.orientation * p.spin_rad_s).try_normalize())?;
        let origin = (pose.origin_m - field.centre_m) / field.radius_m;
        (reach_m <= field.radius_m).then_some(Axis { origin, arrow: reach_m / field.radius_m * along })
    }

    /// Its circles of latitude and longitude in a picture of `field`, if it has any.
    pub(super) fn graticule(&self, frame: &Frame, field: Field) -> Option<Graticule> {
        let pose = self.pose(frame);
        let scene = |p| (pose.moved(p) - field.centre_m) / field.radius_m;
        self.graticule.map(|step| Graticule::of(&self.surface, step, scene))
    }
}
