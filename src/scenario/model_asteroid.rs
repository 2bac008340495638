//! The asteroid as a scenario gives it.

use crate::shape::made::Body;
use crate::shape::mesh::Format;
use glam::DVec3;
use serde::Serialize;

/// A rigid asteroid of one density, given by its surface; grains live in the frame that is fixed to it, about its mass
/// centre (Song et al. 2024, sections 2.3 to 2.5).
#[derive(Debug, Clone, Serialize)]
pub struct AsteroidSpec {
    /// its surface
    pub shape: SurfaceKind,
    /// (kg/m3)
    pub density_kg_m3: f64,
    /// index into [`super::model::Scenario::materials`]
    pub material: usize,
    /// at the start, along the axes of the surface (rad/s)
    pub rotation_rad_s: DVec3,
    /// how grains feel its facets
    pub contact: SurfaceLaw,
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
        /// where name and content of the file do not tell
        format: Option<Format>,
    },
    /// a sphere, ellipsoid or spinning top with relief
    Made {
        /// what is made
        body: Body,
    },
}
