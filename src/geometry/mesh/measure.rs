//! Size, mass properties and form of a closed surface.

use super::Mesh;
use super::edges::Edges;
use crate::base::eigen::principal;
use crate::geometry::box_tree::bounds;
use crate::geometry::mass::moments;
use glam::DVec3;
use serde::Serialize;

/// Measures of the body that a surface bounds; of an open or torn one they mean little.
#[derive(Debug, Clone, Serialize)]
pub struct Measures {
    /// (m3)
    pub volume_m3: f64,
    /// of all faces (m2)
    pub area_m2: f64,
    /// mass centre of one density, in the coordinates of the file; no numbers, nor inertia, without a volume (m)
    pub centre_m: DVec3,
    /// principal moments of inertia about the mass centre per unit of density, largest first (m5)
    pub inertia_m5: [f64; 3],
    /// their axes
    pub axes: [DVec3; 3],
    /// lowest and highest coordinates of vertices that faces name (m)
    pub box_m: [DVec3; 2],
    /// edges: shortest, mean, longest (m)
    pub edge_m: [f64; 3],
    /// faces that turn away from the mass centre, so that it does not see their inner side
    pub hidden_faces: usize,
    /// true if the mass centre sees all of the surface from inside: no ray from it meets the surface twice
    pub star_shaped: bool,
}

impl Measures {
    /// Measures a surface.
    pub fn of(mesh: &Mesh) -> Measures {
        let whole = moments(&mesh.vertices_m, mesh.faces.iter());
        let (inertia_m5, axes) = principal(whole.inertia_m5());
        let corner = |c: u32| mesh.vertices_m[c as usize];
        let seen = |t: [u32; 3]| {
            let [a, b, c] = t.map(|v| corner(v) - whole.centre_m);
            a.dot(b.cross(c)) > 0.0
        };
        let mut hidden = vec![false; mesh.faces.len()];
        mesh.faces.triangles().filter(|(_, t)| !seen(*t)).for_each(|(f, _)| hidden[f] = true);
        let hidden_faces = hidden.iter().filter(|h| **h).count();
        Measures {
            volume_m3: whole.volume_m3,
            area_m2: mesh.faces.iter().map(|face| area_m2(&mesh.vertices_m, face)).sum(),
            centre_m: whole.centre_m,
            inertia_m5,
            axes,
            box_m: bounds(mesh.faces.corners().iter().map(|c| corner(*c))),
            edge_m: edge_lengths(mesh),
            hidden_faces,
            star_shaped: hidden_faces == 0,
        }
    }
}

/// Shortest, mean and longest edge (m).
fn edge_lengths(mesh: &Mesh) -> [f64; 3] {
    let edges = Edges::of(mesh.vertices_m.len(), &mesh.faces);
    let length = |[a, b]: [u32; 2]| mesh.vertices_m[a as usize].distance(mesh.vertices_m[b as usize]);
    let (mut count, mut sum, mut least, mut most) = (0, 0.0, f64::INFINITY, 0.0);
    for l in edges.iter().map(|(e, _)| length(e)) {
        (count, sum, least, most) = (count + 1, sum + l, f64::min(least, l), f64::max(most, l));
    }
    [least, sum / f64::from(count.max(1)), most]
}

/// Area of a face by its triangles from the first corner, as its volume is taken.
fn area_m2(points: &[DVec3], face: &[u32]) -> f64 {
    let corner = |k: usize| points[face[k] as usize] - points[face[0] as usize];
    (2..face.len()).map(|k| 0.5 * corner(k - 1).cross(corner(k)).length()).sum()
}
