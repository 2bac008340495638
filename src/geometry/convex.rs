//! A convex body from a mesh: refused where the mesh and its hull differ by more than a tolerance.

use super::loops::{area_vector, sides};
use super::mass::moments;
use super::mesh::Mesh;
use super::polyhedron::ConvexPolyhedron;
use crate::base::error::{Error, Result};
use std::collections::HashMap;
use std::path::Path;

/// A mesh is convex if its hull is nowhere farther away than this part of its size, so that meshes with few decimals
/// pass.
pub const CONVEX_TOLERANCE: f64 = 1e-4;

/// The body in a file whose unit is `metres_per_unit`.
pub fn read(path: &Path, metres_per_unit: f64) -> Result<ConvexPolyhedron> {
    body(&Mesh::read(path, metres_per_unit)?)
}

/// The bodies that the objects of a file bound.
pub fn read_objects(path: &Path, metres_per_unit: f64) -> Result<Vec<ConvexPolyhedron>> {
    Mesh::read_objects(path, metres_per_unit)?.iter().map(body).collect()
}

/// The body that a mesh bounds.
pub fn body(mesh: &Mesh) -> Result<ConvexPolyhedron> {
    let used = mesh.faces.corners().iter().map(|v| mesh.vertices_m[*v as usize]);
    let hull =
        ConvexPolyhedron::wrap(&used.collect::<Vec<_>>()).map_err(|e| Error::Data(format!("{}: {e}", mesh.name)))?;
    let size = hull.extents_m().max_element();
    let way = "a grain must be convex: split the shape into convex parts, or give its convex hull";
    let (depth, vertex) = deepest(mesh, &hull);
    if depth > CONVEX_TOLERANCE * size {
        return Err(Error::Data(format!(
            "{}: not convex: vertex {} lies {:.4} of the size inside the hull; {way}",
            mesh.at_vertex(vertex),
            mesh.number_of(vertex),
            depth / size
        )));
    }
    let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
    let (height, vertex, face) = highest_across_an_edge(mesh);
    // all vertices on the hull and yet hollow: the faces turn inwards at an edge
    if hull.volume_m3 - volume_m3 > CONVEX_TOLERANCE * hull.volume_m3 && height > 0.0 {
        return Err(Error::Data(format!(
            "{}: not convex: vertex {} sticks out by {:.4} of the size above this face beside it; {way}",
            mesh.at_face(face),
            mesh.number_of(vertex),
            height / size
        )));
    }
    Ok(hull)
}

/// How far inside the hull the vertices of the faces get (m), and which one does.
fn deepest(mesh: &Mesh, hull: &ConvexPolyhedron) -> (f64, usize) {
    let back = hull.axes.inverse();
    let depth = |v: u32| {
        let local = back * (mesh.vertices_m[v as usize] - hull.origin_m);
        hull.faces.iter().map(|f| f.offset_m - f.normal.dot(local)).fold(f64::INFINITY, f64::min)
    };
    let depths = mesh.faces.corners().iter().map(|v| (depth(*v), *v as usize));
    depths.fold((0.0, 0), |worst, d| if d.0 > worst.0 { d } else { worst })
}

/// The most that a corner of a face is above the plane of the face across an edge (m): corner and face.
fn highest_across_an_edge(mesh: &Mesh) -> (f64, usize, usize) {
    let owner: HashMap<[u32; 2], usize> =
        mesh.faces.iter().enumerate().flat_map(|(f, face)| sides(face).map(move |s| (s, f))).collect();
    let mut worst = (0.0, 0, 0);
    for (f, face) in mesh.faces.iter().enumerate() {
        let normal = area_vector(&mesh.vertices_m, face).normalize_or_zero();
        for [a, b] in sides(face) {
            let across = owner.get(&[b, a]).map_or(&[][..], |g| mesh.faces.get(*g));
            for v in across {
                let height = normal.dot(mesh.vertices_m[*v as usize] - mesh.vertices_m[a as usize]);
                if height > worst.0 {
                    worst = (height, *v as usize, f);
                }
            }
        }
    }
    worst
}
