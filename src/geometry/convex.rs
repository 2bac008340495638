//! A convex body from a mesh: refused where the mesh and its hull differ by more than a tolerance.

use super::loops::{area_vector, sides};
use super::mass::moments;
use super::mesh::Mesh;
use super::polyhedron::ConvexPolyhedron;
use crate::base::error::Result;
use crate::base::readable::percent;
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
    let hull = ConvexPolyhedron::wrap(&used.collect::<Vec<_>>()).map_err(|what| mesh.fault(what).data())?;
    let size = hull.extents_m().max_element();
    let remedy = "a grain must be convex: split the shape into convex parts, or give its convex hull";
    let (depth, vertex) = deepest(mesh, &hull);
    if depth > CONVEX_TOLERANCE * size {
        let (vertex_number, depth) = (mesh.number_of(vertex), percent(depth / size));
        let what = format!("not convex: vertex {vertex_number} lies {depth} of the size inside the hull");
        return Err(mesh.vertex_fault(vertex, what).remedy(remedy).data());
    }
    let volume_m3 = moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
    let (height, vertex, face) = highest_across_an_edge(mesh);
    // all vertices on the hull and yet hollow: the faces turn inwards at an edge
    if hull.volume_m3 - volume_m3 > CONVEX_TOLERANCE * hull.volume_m3 && height > 0.0 {
        let (vertex_number, height) = (mesh.number_of(vertex), percent(height / size));
        let what = format!("not convex: vertex {vertex_number} is {height} of the size above this neighbouring face");
        return Err(mesh.face_fault(face, what).remedy(remedy).data());
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
