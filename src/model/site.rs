//! Bodies above a place of the asteroid's surface, as a scenario gives them.

use super::sizes::{RadiusRange, Sizes};
use glam::DVec3;
use serde::Serialize;

/// Above a disc across the ray from the mass centre through a place.
#[derive(Debug, Clone, Serialize)]
pub struct Site {
    /// from the mass centre to the place, in the axes of the surface, of length 1
    pub direction: DVec3,
    /// number of bodies
    pub count: usize,
    /// sizes
    pub radius: Sizes,
    /// centres lie within it of the ray (m)
    pub footprint_radius_m: f64,
    /// lowest points lie so high over the surface, along the ray (m)
    pub height: RadiusRange,
    /// speeds are drawn evenly from 0 to it, in any direction (m/s)
    pub speed_max_m_s: f64,
}
