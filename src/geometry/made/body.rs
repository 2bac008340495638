//! A body to be made: form, number of faces, relief.

use super::relief::Relief;
use super::{Base, Form, icosphere};
use crate::base::error::{Error, Result};
use crate::geometry::mesh::Mesh;
use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// Faces of a body at most: their corners are counted in 32 bits.
pub const FACES_MAX: u64 = 50_000_000;

/// Edges that the smallest feature must span at least to be there at all.
pub const EDGES_MIN: f64 = 4.0;

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
            let faces = triangles.len() as f64 * (EDGES_MIN * base.edge_m() / size_m).powi(2);
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
