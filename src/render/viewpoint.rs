//! From where a run is seen: all of it from a direction, or a close-up of the grains on its asteroid.

use super::asteroid::Asteroid;
use super::camera::{Camera, Field};
use super::scene::Frame;
use crate::base::error::Result;
use glam::DVec3;

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
