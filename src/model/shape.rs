//! Shapes of bodies as a scenario gives them.

use glam::{DQuat, DVec3};
use serde::Serialize;

/// The shape of bodies that are not spheres.
#[derive(Debug, Clone, Serialize)]
pub struct ShapeSpec {
    /// what it is
    #[serde(flatten)]
    pub kind: ShapeKind,
    /// a shape that has a size of its own is made as large as the body's sphere
    pub fit_radius: bool,
}

/// Convex bodies, and clumps of them.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShapeKind {
    /// random points on the sphere of the body's radius, a new shape for each body (Sanchez et al. 2021, section 3.1)
    Grain {
        /// fewest corners
        corners_min: u32,
        /// most corners
        corners_max: u32,
        /// least elongation and platyness
        ratio_min: f64,
    },
    /// a regular solid in the sphere of the body's radius
    Regular {
        /// which
        solid: Solid,
    },
    /// a box
    Box {
        /// lengths of its edges (m)
        size_m: DVec3,
    },
    /// the convex hull of points
    Points {
        /// (m)
        points_m: Vec<DVec3>,
    },
    /// a closed convex surface from an OBJ file
    Mesh {
        /// path, relative to the scenario
        path: String,
        /// length of one unit of the file (m)
        unit_m: f64,
    },
    /// convex parts that are fixed to each other
    Clump {
        /// at least one
        parts: Vec<PartSpec>,
    },
    /// convex parts that are the objects of an OBJ file
    Objects {
        /// path, relative to the scenario
        path: String,
        /// length of one unit of the file (m)
        unit_m: f64,
    },
}

/// A part of a clump.
#[derive(Debug, Clone, Serialize)]
pub struct PartSpec {
    /// a regular solid, a box, points or a mesh
    pub shape: ShapeKind,
    /// of a regular solid (m)
    pub radius_m: f64,
    /// added to its points after the turn (m)
    pub position_m: DVec3,
    /// turns its points about their origin
    pub orientation: DQuat,
}

impl ShapeKind {
    /// True if the shape itself says how large it is.
    pub fn has_size(&self) -> bool {
        !matches!(self, ShapeKind::Grain { .. } | ShapeKind::Regular { .. })
    }
}

impl ShapeSpec {
    /// True if the shape itself says how large bodies are, and no radius does.
    pub fn sized(&self) -> bool {
        self.kind.has_size() && !self.fit_radius
    }
}

/// Regular solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Solid {
    Tetrahedron,
    Cube,
    Octahedron,
    Icosahedron,
}
