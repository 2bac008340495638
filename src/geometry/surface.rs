//! The surface of an asteroid: closed, of triangles, in a frame fixed to the body.

use super::mass::{Moments, moments};
use super::mesh::Mesh;
use crate::geometry::mass::ball_radius_m;
use glam::{DMat3, DVec3};

/// A closed surface of triangles about its own mass centre; axes are those that it was given in.
#[derive(Debug, Clone)]
pub struct Surface {
    /// of its file or kind, for messages
    pub name: String,
    /// from the mass centre (m)
    pub vertices_m: Vec<DVec3>,
    /// indices of vertices, counter-clockwise from outside
    pub triangles: Vec<[u32; 3]>,
    /// where the mass centre was in the coordinates that were given (m)
    pub origin_m: DVec3,
    /// (m3)
    pub volume_m3: f64,
    /// inertia tensor about the mass centre per unit of density (m5)
    pub inertia_m5: DMat3,
}

impl Surface {
    /// Makes a surface of closed triangles that bound one body, wherever its mass centre is. They name every vertex.
    pub fn new(name: &str, mut vertices_m: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Surface {
        let whole = moments(&vertices_m, triangles.iter().map(|t| t.as_slice()));
        let Moments { volume_m3, centre_m, .. } = whole;
        vertices_m.iter_mut().for_each(|v| *v -= centre_m);
        let (name, inertia_m5) = (name.into(), whole.inertia_m5());
        Surface { name, vertices_m, triangles, origin_m: centre_m, volume_m3, inertia_m5 }
    }

    /// Makes a surface of a mesh, without the vertices that no face names; a face of more than three sides is cut into
    /// triangles at its first corner.
    pub fn of_mesh(mesh: &Mesh) -> Surface {
        let mut mesh = mesh.clone();
        mesh.drop_unnamed();
        let triangles = mesh.faces.triangles().map(|(_, t)| t).collect();
        Surface::new(&mesh.name, mesh.vertices_m, triangles)
    }

    /// Corners of a triangle (m).
    pub fn corners_m(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices_m[v as usize])
    }

    /// Radius of the sphere of its volume (m).
    pub fn mean_radius_m(&self) -> f64 {
        ball_radius_m(self.volume_m3)
    }

    /// Distance from the mass centre to the farthest vertex (m).
    pub fn radius_m(&self) -> f64 {
        self.vertices_m.iter().map(|v| v.length()).fold(0.0, f64::max)
    }
}
