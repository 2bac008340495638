//! Bodies made by rule: a sphere, an ellipsoid or a spinning top of as many faces as wanted, with craters, boulders and
//! fractal relief. Heights go along the ray from the centre, so that the surface stays star-shaped about it, closed and of
//! one piece. Same numbers, same body.

pub mod body;
pub(super) mod icosphere;
pub mod noise;
pub mod relief;
pub mod spots;

use super::loops::Loops;
use glam::DVec3;
use serde::Serialize;

/// The body below its relief, about the origin, the shortest axis of a top along z.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// a sphere
    Sphere {
        /// (m)
        radius_m: f64,
    },
    /// an ellipsoid
    Ellipsoid {
        /// along x, y, z (m)
        semi_axes_m: DVec3,
    },
    /// (rho / a)^p + (|z| / c)^p = 1: with p near 1 straight flanks and a sharp ridge at the equator, as rubble piles near
    /// their spin limit have them; with p = 2 an ellipsoid
    Top {
        /// a (m)
        equatorial_radius_m: f64,
        /// c (m)
        polar_radius_m: f64,
        /// p, 1 to 2
        ridge_exponent: f64,
    },
}

impl Form {
    /// The numbers a, b, c that scale a sphere to about this form (m).
    pub fn semi_axes_m(&self) -> DVec3 {
        match *self {
            Form::Sphere { radius_m } => DVec3::splat(radius_m),
            Form::Ellipsoid { semi_axes_m } => semi_axes_m,
            Form::Top { equatorial_radius_m: a, polar_radius_m: c, .. } => DVec3::new(a, a, c),
        }
    }

    /// Distance from the centre to the surface along a unit vector (m).
    pub fn radius_m(&self, direction: DVec3) -> f64 {
        let scaled = direction / self.semi_axes_m();
        match *self {
            Form::Top { ridge_exponent: p, .. } => {
                (scaled.truncate().length().powf(p) + scaled.z.abs().powf(p)).powf(-1.0 / p)
            }
            _ => 1.0 / scaled.length(),
        }
    }

    /// The point of the surface above a unit vector (m).
    pub fn point_m(&self, direction: DVec3) -> DVec3 {
        direction * self.radius_m(direction)
    }
}

/// The surface below the relief.
pub struct Base<'a> {
    /// (m)
    pub vertices_m: &'a [DVec3],
    /// triangles
    pub triangles: &'a Loops,
    /// area of each triangle (m2)
    pub areas_m2: Vec<f64>,
}

impl Base<'_> {
    pub(super) fn new<'a>(vertices_m: &'a [DVec3], triangles: &'a Loops) -> Base<'a> {
        let area = |t: &[u32]| 0.5 * super::loops::area_vector(vertices_m, t).length();
        Base { vertices_m, triangles, areas_m2: triangles.iter().map(area).collect() }
    }

    /// Edge of an equilateral triangle of the mean area (m).
    pub fn edge_m(&self) -> f64 {
        let mean_m2 = self.areas_m2.iter().sum::<f64>() / self.areas_m2.len() as f64;
        (4.0 * mean_m2 / 3f64.sqrt()).sqrt()
    }

    /// Area that belongs to each vertex: a third of its triangles (m2).
    pub fn weights_m2(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.vertices_m.len()];
        for (triangle, area) in self.triangles.iter().zip(&self.areas_m2) {
            triangle.iter().for_each(|v| weights[*v as usize] += area / 3.0);
        }
        weights
    }
}
