//! The asteroid as a scenario gives it.

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
    /// how it moves
    pub motion: Motion,
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
    /// a closed surface from a file
    Mesh {
        /// path, relative to the scenario
        path: String,
        /// length of one unit of the file (m)
        unit_m: f64,
    },
}
