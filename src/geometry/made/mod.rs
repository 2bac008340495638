//! Bodies made by rule: a sphere, an ellipsoid or a spinning top of as many faces as wanted, with craters, boulders and
//! fractal relief. Heights go along the ray from the centre, so that the surface stays star-shaped about it, closed and of
//! one piece. Same numbers, same body.

pub(super) mod icosphere;
mod noise;
mod relief;
mod spots;

pub use noise::Fractal;
pub use relief::Relief;
pub use spots::{Crater, Scatter, Size};

use super::loops::Loops;
use super::mesh::Mesh;
use crate::base::error::{Error, Result};
use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// Faces of a body at most: their corners are counted in 32 bits.
pub const FACES_MAX: u64 = 50_000_000;

/// Edges that the smallest feature must span at least to be there at all.
pub const EDGES_MIN: f64 = 4.0;

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

/// A body to be made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Body {
    /// what is below the relief
    pub form: Form,
    /// fewest triangles: a subdivided icosahedron has 20 n^2
    pub faces: u64,
    /// of the random parts of the relief
    pub seed: u64,
    /// on top
    pub relief: Relief,
}

impl Body {
    /// The surface about the centre of the form, as a mesh; `Err` if its faces are too coarse for its relief, or relief
    /// reaches the centre.
    pub fn make(&self, name: &str) -> Result<Mesh> {
        let faulty = |what: String| Error::Usage(format!("{name}: {what}"));
        if !(1..=FACES_MAX).contains(&self.faces) {
            return Err(faulty(format!("{} faces: give 1 to {FACES_MAX}", self.faces)));
        }
        let (directions, triangles) = icosphere::icosphere(icosphere::frequency(self.faces));
        let axes_m = self.form.semi_axes_m();
        let mut vertices_m: Vec<DVec3> =
            directions.iter().map(|d| self.form.point_m((axes_m * *d).normalize())).collect();
        let base = Base::new(&vertices_m, &triangles);
        if let Some((what, size_m)) = self.relief.smallest_m().filter(|(_, size)| *size < EDGES_MIN * base.edge_m()) {
            let faces = self.faces as f64 * (EDGES_MIN * base.edge_m() / size_m).powi(2);
            return Err(faulty(format!(
                "{what} of {size_m} m is less than {EDGES_MIN} edges of {:.3} m: give {:.0} faces or more, or make it larger",
                base.edge_m(),
                (1.01 * faces).ceil()
            )));
        }
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed);
        let heights_m = self.relief.heights_m(&self.form, &base, &mut rng);
        for (vertex, height_m) in vertices_m.iter_mut().zip(heights_m) {
            let radius_m = vertex.length();
            if radius_m + height_m <= 0.0 {
                return Err(faulty(format!("relief of {height_m} m at a radius of {radius_m} m: make it lower")));
            }
            *vertex *= (radius_m + height_m) / radius_m;
        }
        Ok(Mesh { name: name.into(), vertices_m, faces: triangles, ..Mesh::default() })
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
    fn new<'a>(vertices_m: &'a [DVec3], triangles: &'a Loops) -> Base<'a> {
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
