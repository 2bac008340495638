//! Contact between two convex polyhedra in f64. A plane between bodies i and j has its unit normal from j to i; the gap
//! along it is the lowest point of i less the highest point of j. The common plane is the one of the largest gap
//! (Cundall 1988): for bodies apart that gap is their distance, for bodies that overlap minus the least translation
//! that separates them. [`truth`] finds it by trying every feature, [`common_plane`] with an algorithm that suits a
//! GPU, and [`manifold`] gives the points that represent the contact.

mod clip;
pub mod common_plane;
pub mod contact;
pub mod manifold;
pub mod points;
mod simplex;
pub mod truth;

use super::polyhedron::ConvexPolyhedron;
use glam::{DQuat, DVec3};

/// A body at its position, in the frame of the world.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// the shape
    pub body: &'a ConvexPolyhedron,
    /// of the mass centre (m)
    pub position_m: DVec3,
    /// corners (m)
    pub vertices_m: Vec<DVec3>,
    /// outward normals of the faces
    pub normals: Vec<DVec3>,
}

/// A plane between two bodies i and j.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    /// unit, from j to i
    pub normal: DVec3,
    /// (m), negative for bodies that overlap
    pub gap_m: f64,
}

impl<'a> Placed<'a> {
    /// `body` with its mass centre at `position_m`, turned by `orientation`.
    pub fn new(body: &'a ConvexPolyhedron, position_m: DVec3, orientation: DQuat) -> Self {
        let vertices_m = body.vertices_m.iter().map(|v| position_m + orientation * *v).collect();
        let normals = body.faces.iter().map(|f| orientation * f.normal).collect();
        Self { body, position_m, vertices_m, normals }
    }

    /// Number of the corner that is farthest along `direction`: one pass over all corners, a support evaluation.
    pub fn support(&self, direction: DVec3) -> usize {
        let height = |k: &usize| self.vertices_m[*k].dot(direction);
        (0..self.vertices_m.len()).max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or(0)
    }

    /// Ends of edge `e`.
    pub fn edge(&self, e: usize) -> [DVec3; 2] {
        self.body.edges[e].vertices.map(|v| self.vertices_m[v as usize])
    }
}

/// The plane of this normal, its gap from two support evaluations.
pub fn plane(i: &Placed, j: &Placed, normal: DVec3) -> Plane {
    let (a, b) = (i.vertices_m[i.support(-normal)], j.vertices_m[j.support(normal)]);
    Plane { normal, gap_m: normal.dot(a - b) }
}
