//! From where a run is seen: all of it from a direction, or a close-up of the grains on its asteroid.

use super::asteroid::Asteroid;
use super::camera::{Camera, Field};
use super::scene::Frame;
use crate::base::error::{Error, Result};
use crate::base::quantity::{self, Dimension};
use crate::record::files::recorded::Recorded;
use glam::DVec3;
use std::path::Path;

/// From where, if nothing else is asked for: from the front, the right and a little above.
pub const USUAL: &str = "1,-2,0.9";

/// From where a run is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Viewpoint {
    /// all, with the eye in this direction
    Whole(DVec3),
    /// the grains on an asteroid, from above them or with the eye in this direction
    Grains(Option<DVec3>),
}

/// The three numbers of a text such as `1,-2,0.9`.
pub fn vector(text: &str) -> Option<DVec3> {
    let numbers: Vec<f64> = text.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
    <[f64; 3]>::try_from(numbers).ok().map(DVec3::from_array)
}

/// A plane that opens a picture: what lies before it is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// unit vector towards what is left out
    normal: DVec3,
    /// of the plane from the middle of the picture along the normal (m)
    offset_m: f64,
}

impl Cut {
    /// Reads `X,Y,Z` or `X,Y,Z:OFFSET`; none for anything else.
    pub fn parse(text: &str) -> Option<Cut> {
        let (normal, offset) = text.split_once(':').unwrap_or((text, "0"));
        let offset_m = length(offset)?;
        let normal = vector(normal)?.try_normalize().filter(|n| n.is_finite())?;
        Some(Cut { normal, offset_m })
    }

    /// Whether the plane leaves a body, by its centre from the middle of the picture (m).
    pub fn keeps(self, from_middle_m: DVec3) -> bool {
        from_middle_m.dot(self.normal) <= self.offset_m
    }
}

/// A finite number of metres, or one with a unit.
fn length(text: &str) -> Option<f64> {
    let metres = text.trim().parse().ok().or_else(|| quantity::parse(text.trim(), Dimension::Length).ok());
    metres.filter(|m: &f64| m.is_finite())
}

/// What a picture is centred on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Centre {
    /// the middle of the field
    Field,
    /// a point (m)
    Point(DVec3),
    /// a body by its id, wherever it goes
    Body(u32),
    /// the mass centre of the heaviest aggregate of each frame
    Heaviest,
}

impl Centre {
    /// The middle of the picture of a frame (m).
    pub fn of(self, frame: &Frame, path: &Path, field: Field) -> Result<DVec3> {
        match self {
            Centre::Field => Ok(field.centre_m),
            Centre::Point(at_m) => Ok(at_m),
            Centre::Body(id) => {
                let found = frame.bodies.id.iter().position(|i| *i == id).map(|k| frame.bodies.position_m[k]);
                found.ok_or_else(|| {
                    Error::Usage(format!("--follow {id}: frame {} has no body with this id", path.display()))
                })
            }
            Centre::Heaviest => {
                let heaviest = Recorded::unmoved(path)?.aggregates().into_iter().next();
                let indices = heaviest.map(|a| a.indices).unwrap_or_default();
                let bodies = frame.bodies.select(&indices);
                Ok(bodies.mean_by_mass(&bodies.position_m))
            }
        }
    }
}

impl Viewpoint {
    /// Reads `X,Y,Z`, `grains` or `grains:X,Y,Z`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Viewpoint> {
        match text.strip_prefix("grains") {
            None => vector(text).map(Viewpoint::Whole),
            Some("") => Some(Viewpoint::Grains(None)),
            Some(rest) => rest.strip_prefix(':').and_then(vector).map(|from| Viewpoint::Grains(Some(from))),
        }
    }

    /// A close-up needs an asteroid.
    pub fn fits(self, asteroid: Option<&Asteroid>) -> bool {
        asteroid.is_some() || matches!(self, Viewpoint::Whole(_))
    }

    /// The field that shows a frame: with an asteroid all of that, in a close-up the bodies alone.
    pub fn field(self, frame: &Frame, asteroid: Option<&Asteroid>) -> Result<Field> {
        match (self, asteroid) {
            (Viewpoint::Whole(_), Some(asteroid)) => Ok(asteroid.field(frame)),
            _ => frame.field(),
        }
    }

    /// The camera for a frame in a field.
    pub fn camera(self, frame: &Frame, field: Field, asteroid: Option<&Asteroid>) -> Result<Camera> {
        match (self, asteroid) {
            (Viewpoint::Grains(from), Some(asteroid)) => asteroid.close_up(frame, field, from),
            (Viewpoint::Whole(from), _) | (Viewpoint::Grains(Some(from)), None) => Camera::from_direction(from),
            (Viewpoint::Grains(None), None) => Camera::from_direction(DVec3::Z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_what_lies_behind_its_plane() {
        let cut = Cut::parse("0,-2,0: 3").unwrap();
        assert!(cut.keeps(DVec3::new(5.0, -2.9, 0.0)) && !cut.keeps(DVec3::new(5.0, -3.1, 0.0)));
        assert_eq!(Cut::parse("0,-1,0:0.003 km"), Some(cut));
        for wrong in ["0,0,0", "1,2", "1,2,3:", "1,2,3:inf", "1,2,3:4 kg"] {
            assert_eq!(Cut::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn viewpoints_are_directions_or_close_ups() {
        let front = DVec3::new(1.0, -2.0, 0.9);
        assert_eq!(Viewpoint::parse(USUAL), Some(Viewpoint::Whole(front)));
        assert_eq!(Viewpoint::parse("grains"), Some(Viewpoint::Grains(None)));
        assert_eq!(Viewpoint::parse("grains: 1, -2,0.9"), Some(Viewpoint::Grains(Some(front))));
        for wrong in ["", "1,2", "1,2,3,4", "grain", "grains:", "grains:1,2", "grains1,2,3", "x,y,z"] {
            assert_eq!(Viewpoint::parse(wrong), None, "{wrong}");
        }
    }
}
