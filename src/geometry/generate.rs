//! Random angular grains (Sanchez et al. 2021, section 3.1). Same random numbers, same grains, on every machine.

use super::polyhedron::ConvexPolyhedron;
use crate::base::error::{Error, Result};
use glam::DVec3;
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;

/// Tries for one grain before it counts as impossible.
const TRIES_MAX: u32 = 10_000;

/// Which grains are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Grains {
    /// number of corners: each number in it is as likely as another
    pub corners: RangeInclusive<u32>,
    /// least elongation and platyness, 0 to 1
    pub ratio_min: f64,
}

impl Default for Grains {
    /// 10 to 70 corners, both ratios at least 0.5.
    fn default() -> Self {
        Self { corners: 10..=70, ratio_min: 0.5 }
    }
}

/// A grain and how many were drawn until it passed.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// the grain
    pub body: ConvexPolyhedron,
    /// at least 1
    pub tries: u32,
}

/// Elongation I/L and platyness S/I from the lengths L >= I >= S along the principal axes, both at most 1 (Zingg 1935;
/// the paper says no more than ratios of these lengths).
pub fn elongation_platyness(body: &ConvexPolyhedron) -> (f64, f64) {
    let mut lengths = body.extents_m().to_array();
    lengths.sort_by(|a, b| b.total_cmp(a));
    (lengths[1] / lengths[0], lengths[2] / lengths[1])
}

/// The hull of points drawn uniformly on a sphere of `diameter_m` (the grain's size, d), drawn anew until elongation and
/// platyness are large enough. The sphere is about the points, not about the mass centre of the hull.
pub fn grain(grains: &Grains, diameter_m: f64, rng: &mut impl Rng) -> Result<Drawn> {
    if *grains.corners.start() < 4 || grains.corners.is_empty() || !(0.0..=1.0).contains(&grains.ratio_min) {
        return Err(Error::Usage(format!(
            "grains of {:?} corners with ratios from {}: give at least 4 corners and a ratio from 0 to 1",
            grains.corners, grains.ratio_min
        )));
    }
    let corners = rng.random_range(grains.corners.clone());
    for tries in 1..=TRIES_MAX {
        let points: Vec<DVec3> = (0..corners).map(|_| 0.5 * diameter_m * direction(rng)).collect();
        let body = ConvexPolyhedron::from_points(&points)?;
        let (elongation, platyness) = elongation_platyness(&body);
        if elongation.min(platyness) >= grains.ratio_min {
            return Ok(Drawn { body, tries });
        }
    }
    Err(Error::Usage(format!(
        "no grain of {corners} corners has elongation and platyness of {} or more in {TRIES_MAX} tries: lower the ratio or take more corners",
        grains.ratio_min
    )))
}

/// Uniform on the unit sphere, by rejection: square roots are the same on every machine, sines are not.
pub fn direction(rng: &mut impl Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
        let size2 = v.length_squared();
        if (1e-4..=1.0).contains(&size2) {
            return v / size2.sqrt();
        }
    }
}
