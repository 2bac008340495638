//! The asteroid as a scenario gives it.

use crate::base::error::Result;
use crate::geometry::facet_tree::FacetTree;
use crate::geometry::made::body::Body;
use crate::geometry::mesh::format::Format;
use crate::geometry::surface::Surface;
use glam::DVec3;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// A rigid asteroid of one density, given by its surface; grains live in the frame that is fixed to it, about its mass
/// centre (Song et al. 2024, sections 2.3 to 2.5).
#[derive(Debug, Clone, Serialize)]
pub struct AsteroidSpec {
    shape: SurfaceKind,
    /// (kg/m3)
    pub density_kg_m3: f64,
    /// index into [`super::scenario::Scenario::materials`]
    pub material: usize,
    /// at the start, along the axes of the surface (rad/s)
    pub rotation_rad_s: DVec3,
    /// how grains feel its facets
    pub contact: SurfaceLaw,
    /// how it moves
    pub motion: Motion,
    /// of its shape, for messages: file and key
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    made: OnceLock<Arc<Surface>>,
    #[serde(skip)]
    tree: OnceLock<Arc<FacetTree>>,
}

impl AsteroidSpec {
    /// An asteroid of material 0 at rest.
    pub fn new(shape: SurfaceKind, density_kg_m3: f64) -> AsteroidSpec {
        AsteroidSpec {
            shape,
            name: "asteroid.shape".into(),
            density_kg_m3,
            material: 0,
            rotation_rad_s: DVec3::ZERO,
            contact: SurfaceLaw::AreaWeighted,
            motion: Motion::Fixed,
            made: OnceLock::new(),
            tree: OnceLock::new(),
        }
    }

    /// Where its surface comes from.
    pub fn shape(&self) -> &SurfaceKind {
        &self.shape
    }

    /// The shape, to be changed; the surface that was made of it is discarded.
    pub(crate) fn shape_mut(&mut self) -> &mut SurfaceKind {
        (self.made, self.tree) = (OnceLock::new(), OnceLock::new());
        &mut self.shape
    }

    /// Its surface, made or read when it is first asked for; `Err` as [`SurfaceKind::make`].
    pub fn surface(&self) -> Result<Arc<Surface>> {
        if let Some(surface) = self.made.get() {
            return Ok(surface.clone());
        }
        let surface = Arc::new(self.shape.make(&self.name)?);
        Ok(self.made.get_or_init(|| surface).clone())
    }

    /// Density times volume (kg).
    pub fn mass_kg(&self) -> Result<f64> {
        Ok(self.density_kg_m3 * self.surface()?.volume_m3)
    }

    /// The facets of its surface in a tree, which is made once.
    pub fn tree(&self) -> Result<Arc<FacetTree>> {
        let surface = self.surface()?;
        Ok(self.tree.get_or_init(|| Arc::new(FacetTree::new(&surface))).clone())
    }
}

/// How the facets that a grain touches make up its force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceLaw {
    /// every facet by the part of the grain's circle that lies in it (Song et al. 2024, eq. 6)
    AreaWeighted,
    /// the closest point of every convex feature
    ClosestFeature,
}

/// How an asteroid moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "motion", rename_all = "snake_case")]
pub enum Motion {
    /// not at all
    Fixed,
    /// it turns steadily, whatever the grains do
    Rotating,
    /// as a free rigid body that takes the reaction of the grains (Song et al. 2024, eq. 13-15)
    Free {
        /// steps whose reactions are read together
        coupling_interval: u32,
    },
}

/// Where a surface comes from.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SurfaceKind {
    /// a box about its middle
    Box {
        /// edges (m)
        size_m: DVec3,
        /// parts of every edge: 12 n^2 triangles
        subdivisions: usize,
    },
    /// a closed surface from a file
    Mesh {
        /// path, relative to the scenario
        path: String,
        /// length of one unit of the file (m)
        unit_m: f64,
        /// decides if name and content of the file do not
        format: Option<Format>,
    },
    /// a sphere, ellipsoid or spinning top with relief
    Made {
        /// what is made
        body: Body,
    },
}
