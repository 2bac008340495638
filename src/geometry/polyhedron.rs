//! The convex polyhedron that contacts, mass properties and pictures work on.

use super::loops::{area_vector, sides};
use super::{facets, hull, mass};
use crate::base::eigen;
use crate::base::error::{Error, Result};
use crate::base::readable::number;
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;

/// Points nearer to a face than this part of the body's size count as on it: the relative resolution of f32 vertices
/// with a margin of ten.
pub const FLATNESS: f64 = 1e-6;

/// Sizes that are taken (m): beyond them moments of inertia (m5) would lose digits.
const SIZE_RANGE_M: std::ops::RangeInclusive<f64> = 1e-9..=1e12;

/// A face: a flat convex polygon.
#[derive(Debug, Clone)]
pub struct Face {
    /// indices of its corners, counter-clockwise from outside
    pub vertices: Vec<u32>,
    /// indices of its edges: edge k leaves corner k
    pub edges: Vec<u32>,
    /// outward, unit
    pub normal: DVec3,
    /// distance of its plane from the mass centre (m): no vertex is beyond
    pub offset_m: f64,
}

/// An edge between two faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// its ends, in the order in which the first face runs through them
    pub vertices: [u32; 2],
    /// the face to its left, seen from outside, and the one to its right
    pub faces: [u32; 2],
}

/// A homogeneous convex body in its own frame: origin in the mass centre, principal axes along x, y, z with rising
/// moments of inertia. As a part of a [`super::clump::Clump`] it is in the frame of that body.
#[derive(Debug, Clone)]
pub struct ConvexPolyhedron {
    /// corners (m), each of at least three faces
    pub vertices_m: Vec<DVec3>,
    /// largest triangle first
    pub faces: Vec<Face>,
    /// each edge once
    pub edges: Vec<Edge>,
    /// radius of the sphere about the mass centre that holds the body (m)
    pub radius_m: f64,
    /// (m3)
    pub volume_m3: f64,
    /// its own principal moments of inertia per unit of density (m5)
    pub inertia_m5: DVec3,
    /// mass centre in the frame of the points that the body was made of (m)
    pub origin_m: DVec3,
    /// turns the body's frame into the frame of those points
    pub axes: DQuat,
}

impl ConvexPolyhedron {
    /// The convex hull of `points` (m), in any order, duplicates and points in one plane included.
    pub fn from_points(points: &[DVec3]) -> Result<Self> {
        Self::wrap(points).map_err(Error::Usage)
    }

    /// As [`Self::from_points`], with the bare text of what is wrong with the points, for callers that know their file.
    pub(super) fn wrap(points: &[DVec3]) -> std::result::Result<Self, String> {
        if let Some(k) = points.iter().position(|p| !p.is_finite()) {
            return Err(format!("point {}: a coordinate is not finite", k + 1));
        }
        let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let size_m = if points.is_empty() { 1.0 } else { (high - low).max_element() };
        if size_m > 0.0 && !SIZE_RANGE_M.contains(&size_m) {
            return Err(format!(
                "the points are {} m apart; give them in metres, between 1e-9 and 1e12 m",
                number(size_m)
            ));
        }
        let tolerance_m = FLATNESS * 0.5 * size_m;
        let triangles = hull::hull(points, tolerance_m)?;
        let loops = facets::merge(points, &triangles, tolerance_m)?;
        Self::assemble(points, &loops)
    }

    fn assemble(points: &[DVec3], loops: &[Vec<u32>]) -> std::result::Result<Self, String> {
        let m = mass::moments(points, loops.iter().map(Vec::as_slice));
        if !(m.volume_m3 > 0.0 && m.volume_m3.is_finite()) {
            return Err(format!("the volume is {} m3: some points lie too close together", m.volume_m3));
        }
        let (inertia_m5, axes) = principal(m.inertia_m5());
        let mut used: Vec<u32> = loops.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let turn = axes.transpose();
        let vertices_m: Vec<DVec3> = used.iter().map(|k| turn * (points[*k as usize] - m.centre_m)).collect();
        let renumber = |k: &u32| used.partition_point(|u| u < k) as u32;
        let loops = loops.iter().map(|l| l.iter().map(renumber).collect()).collect();
        let (origin_m, axes) = (m.centre_m, DQuat::from_mat3(&axes));
        Ok(Self { origin_m, axes, ..Self::from_faces(vertices_m, loops, m.volume_m3, inertia_m5)? })
    }

    /// A body as it was kept: corners (m) and loops of corners around its faces in its principal frame about the mass
    /// centre, its volume (m3) and its moments per unit of density (m5). An error says why the surface is not sound.
    pub fn from_faces(
        vertices_m: Vec<DVec3>,
        loops: Vec<Vec<u32>>,
        volume_m3: f64,
        inertia_m5: DVec3,
    ) -> std::result::Result<Self, String> {
        let mut faces: Vec<Face> = loops.into_iter().map(|l| Face::new(l, &vertices_m)).collect();
        let edges = edges(&mut faces)?;
        if vertices_m.len() + faces.len() != edges.len() + 2 {
            return Err("the surface is not simple: some points lie too close together".into());
        }
        let radius_m = vertices_m.iter().map(|v| v.length()).fold(0.0, f64::max);
        let (origin_m, axes) = (DVec3::ZERO, DQuat::IDENTITY);
        Ok(Self { vertices_m, faces, edges, radius_m, volume_m3, inertia_m5, origin_m, axes })
    }

    /// Lengths along x, y, z, the principal axes (m).
    pub fn extents_m(&self) -> DVec3 {
        let (low, high) = self.vertices_m.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        high - low
    }

    /// Returns this body as if its points had been turned about their origin and then moved.
    pub fn moved(mut self, turn: DQuat, shift_m: DVec3) -> Self {
        self.origin_m = turn * self.origin_m + shift_m;
        self.axes = turn * self.axes;
        self
    }

    /// Returns this body in the frame with its origin at `origin_m` and turned by `axes`, both in the frame of its
    /// points.
    pub(super) fn seen_from(mut self, origin_m: DVec3, axes: DQuat) -> Self {
        let (turn, shift) = (axes.inverse() * self.axes, axes.inverse() * (self.origin_m - origin_m));
        self.vertices_m.iter_mut().for_each(|v| *v = turn * *v + shift);
        for f in &mut self.faces {
            let edges = std::mem::take(&mut f.edges);
            *f = Face { edges, ..Face::new(std::mem::take(&mut f.vertices), &self.vertices_m) };
        }
        self.radius_m = self.vertices_m.iter().map(|v| v.length()).fold(0.0, f64::max);
        (self.origin_m, self.axes) = (origin_m, axes);
        self
    }

    /// Returns this shape, `factor` times as large.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut body = self.clone();
        body.vertices_m.iter_mut().for_each(|v| *v *= factor);
        body.faces.iter_mut().for_each(|f| f.offset_m *= factor);
        body.radius_m *= factor;
        body.volume_m3 *= factor.powi(3);
        body.inertia_m5 *= factor.powi(5);
        body.origin_m *= factor;
        body
    }
}

impl Face {
    /// The mean normal, the plane through the outermost corner.
    fn new(vertices: Vec<u32>, vertices_m: &[DVec3]) -> Self {
        let normal = area_vector(vertices_m, &vertices).normalize_or_zero();
        let offset_m = vertices_m.iter().map(|v| v.dot(normal)).fold(f64::MIN, f64::max);
        Self { vertices, edges: vec![], normal, offset_m }
    }

    /// Pairs of neighbouring corners in order.
    pub fn sides(&self) -> impl Iterator<Item = [u32; 2]> {
        sides(&self.vertices)
    }
}

/// Principal moments in rising order and the rotation whose columns are their axes.
pub(super) fn principal(tensor: DMat3) -> (DVec3, DMat3) {
    let (values, axes) = eigen::principal(tensor);
    // rounded, so that equal moments, as those of a cube, keep the axes of the points
    let unit = 1e-12 * values.iter().copied().fold(0.0, f64::max);
    let mut order = [0, 1, 2];
    order.sort_by_key(|k: &usize| (values[*k] / unit).round() as i64);
    // An axis has two ways to point: the one along the axis of the points that it is nearest to.
    let along = |a: DVec3| if a.max_element() < -a.min_element() { -a } else { a };
    let [x, y, _] = order.map(|k| along(axes[k]));
    (order.map(|k| values[k]).into(), DMat3::from_cols(x, y, x.cross(y)))
}

/// Each edge once, in the order of the sides of the faces, which learn their numbers.
fn edges(faces: &mut [Face]) -> std::result::Result<Vec<Edge>, String> {
    let (mut edges, mut open) = (Vec::<Edge>::new(), HashMap::new());
    for (f, face) in faces.iter_mut().enumerate() {
        for [a, b] in face.sides().collect::<Vec<_>>() {
            let e = match open.remove(&[b, a]) {
                Some(e) => e,
                None => {
                    edges.push(Edge { vertices: [a, b], faces: [f as u32; 2] });
                    edges.len() - 1
                }
            };
            if edges[e].vertices == [b, a] {
                edges[e].faces[1] = f as u32;
            } else if open.insert([a, b], e).is_some() {
                return Err("an edge is shared by more than two faces: some points lie too close together".into());
            }
            face.edges.push(e as u32);
        }
    }
    if open.is_empty() {
        Ok(edges)
    } else {
        Err("the surface is not closed: some points lie too close together".into())
    }
}
