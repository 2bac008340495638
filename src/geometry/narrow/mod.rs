//! Contact between two convex polyhedra in f64. A plane between bodies i and j has its unit normal from j to i; the gap
//! along it is the lowest point of i less the highest point of j. The common plane is the one of the largest gap
//! (Cundall 1988): for bodies apart that gap is their distance, for bodies that overlap minus the least translation
//! that parts them. [`truth`] finds it by trying every feature, [`common_plane`] by the way a GPU can go, and
//! [`manifold`] gives the points that stand for the contact.

mod clip;
pub mod common_plane;
pub mod manifold;
mod points;
mod simplex;
pub mod truth;

use super::polyhedron::ConvexPolyhedron;
use crate::model::body::{Bodies, Polyhedra};
use common_plane::Link;
use glam::{DQuat, DVec3};
use manifold::Manifold;

/// A body in its place, in the frame of the world.
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

/// The contact of a pair as a step needs it: the climb from `start`, and its points if the gap is at most `reach_m`; then
/// the start of the next step.
pub fn contact(i: &Placed, j: &Placed, start: Link, reach_m: f64, points_max: usize) -> (Option<Manifold>, Link) {
    let found = common_plane::common_plane(i, j, start, reach_m);
    let near = found.plane.gap_m <= reach_m;
    (near.then(|| manifold::manifold(i, j, found.plane, reach_m, points_max)), found.link)
}

/// The parts of body `k` in their places, its mass centre at `position_m` (m).
pub fn placed(p: &Polyhedra, k: usize, position_m: DVec3) -> Vec<Placed<'_>> {
    p.parts(k).iter().map(|part| Placed::new(part, position_m, p.orientation[k])).collect()
}

/// Gap between two bodies, spheres or polyhedra; below zero they overlap (m). Of polyhedra farther apart than `far_m`
/// any gap above that.
pub fn gap_m(bodies: &Bodies, i: usize, j: usize, far_m: f64) -> f64 {
    let apart = bodies.position_m[i] - bodies.position_m[j];
    let spheres = apart.length() - bodies.radius_m[i] - bodies.radius_m[j];
    let Some(p) = bodies.polyhedra.as_ref().filter(|_| spheres <= far_m) else {
        return spheres;
    };
    let normal = apart.try_normalize().unwrap_or(DVec3::X);
    let [own, other] = [i, j].map(|k| placed(p, k, bodies.position_m[k]));
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let gap = |(a, b)| common_plane::common_plane(a, b, Link { normal, corners: vec![] }, far_m).plane.gap_m;
    pairs.map(gap).fold(f64::INFINITY, f64::min)
}
