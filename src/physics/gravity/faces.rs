//! Gravity of a homogeneous polyhedron in f64, summed over every face, without G and density.
//!
//! Two forms that share no sum: over edges and faces (Werner and Scheeres 1997; Song et al. 2024, eq. 7-12), and over faces
//! alone, g = -sum of n_f I_f, where I_f is the integral of 1 / distance over a face and n_f its outward normal.

use crate::geometry::surface::Surface;
use glam::DVec3;
use std::collections::HashMap;

/// Keeps logarithms finite on edges and at corners, where their factors vanish.
const TINY: f64 = 1e-200;

/// The field of a polyhedron over G and density.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Attraction {
    /// (m)
    pub acceleration: DVec3,
    /// negative (m2)
    pub potential: f64,
    /// of the potential: 4 pi inside, 0 outside
    pub laplacian: f64,
}

/// A triangle as seen from a point.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    /// (m)
    pub corners: [DVec3; 3],
    /// unit vector, outward
    pub normal: DVec3,
    /// (m2)
    pub area: f64,
}

/// What a face gives at a point.
#[derive(Debug, Clone, Copy)]
pub struct FaceTerm {
    /// of 1 / distance over the face (m)
    pub integral: f64,
    /// of the face, positive if the point is behind it
    pub solid_angle: f64,
    /// of the face's plane above the point, along the normal (m)
    pub height: f64,
}

impl FaceTerm {
    /// Potential of the face as part of a closed surface (m2).
    pub fn potential(&self) -> f64 {
        -0.5 * self.height * self.integral
    }
}

impl Triangle {
    /// Makes a triangle of corners that run counter-clockwise from outside.
    pub fn new(corners: [DVec3; 3]) -> Triangle {
        let [a, b, c] = corners;
        let across = (b - a).cross(c - a);
        Triangle { corners, normal: across.normalize_or_zero(), area: 0.5 * across.length() }
    }

    /// All triangles of a surface.
    pub fn all(surface: &Surface) -> Vec<Triangle> {
        (0..surface.triangles.len()).map(|k| Triangle::new(surface.corners_m(k))).collect()
    }

    /// Mean of the corners (m).
    pub fn centre(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (a + b + c) / 3.0
    }

    /// What it gives at a point.
    pub fn term(&self, at: DVec3) -> FaceTerm {
        let r = self.corners.map(|c| c - at);
        let far = r.map(|v| v.length());
        let [a, b, c] = far;
        let height = self.normal.dot(r[0]);
        let below = a * b * c + a * r[1].dot(r[2]) + b * r[2].dot(r[0]) + c * r[0].dot(r[1]);
        // In the plane of the face the sign of a zero would decide: half of a closed surface is seen from a point of it.
        let solid_angle = if height == 0.0 { 0.0 } else { 2.0 * (2.0 * self.area * height).atan2(below) };
        let mut integral = -height * solid_angle;
        for (k, l) in [(0, 1), (1, 2), (2, 0)] {
            let side = r[l] - r[k];
            let length = side.length();
            if length > 0.0 {
                let outward = side.cross(self.normal).dot(r[k]) / length;
                let off_squared = outward * outward + height * height;
                integral += outward * wire_between([r[k], r[l]], [far[k], far[l]], side / length, length, off_squared);
            }
        }
        FaceTerm { integral, solid_angle, height }
    }
}

/// Potential of a wire of unit density between two points seen from the origin, which lies `off` from its line.
pub fn wire(start: DVec3, end: DVec3, off: f64) -> f64 {
    let side = end - start;
    let length = side.length();
    wire_between([start, end], [start.length(), end.length()], side / length, length, off * off)
}

/// The same with the lengths `far` of the ends, the direction and length of the wire, and the square of `off`:
/// L = ln((a + b + e) / (a + b - e)), in forms that keep their digits far away and close by.
fn wire_between(ends: [DVec3; 2], far: [f64; 2], along: DVec3, length: f64, off_squared: f64) -> f64 {
    let [a, b] = far;
    let sine = length / (a + b);
    if sine < 0.5 {
        return 2.0 * sine.atanh();
    }
    let [from, to] = ends.map(|p| p.dot(along));
    let (near, far) = (a + from.abs(), b + to.abs());
    let ratio = match (from < 0.0, to > 0.0) {
        (true, true) => near * far / off_squared.max(TINY),
        (false, _) => far / near.max(TINY),
        _ => near / far.max(TINY),
    };
    ratio.ln()
}

/// Sums over faces alone.
pub fn by_faces(surface: &Surface, at: DVec3) -> Attraction {
    by_triangles(&Triangle::all(surface), at)
}

/// The same of faces that are there already.
pub fn by_triangles(faces: &[Triangle], at: DVec3) -> Attraction {
    let mut sum = Attraction::default();
    for face in faces {
        let term = face.term(at);
        sum.acceleration -= term.integral * face.normal;
        sum.potential += term.potential();
        sum.laplacian += term.solid_angle;
    }
    sum
}

/// An edge, and the directions outward from it in the planes of its two faces.
struct Edge {
    ends: [DVec3; 2],
    /// normal and in-plane outward direction of either face
    sides: [[DVec3; 2]; 2],
}

/// The sum over edges and faces (Song et al. 2024, eq. 7-12).
pub struct EdgeForm {
    edges: Vec<Edge>,
    faces: Vec<Triangle>,
}

impl EdgeForm {
    /// Prepares the edges and faces of a closed surface.
    pub fn new(surface: &Surface) -> EdgeForm {
        let faces = Triangle::all(surface);
        let mut first: HashMap<[u32; 2], [DVec3; 2]> = HashMap::new();
        let mut edges = vec![];
        for (face, t) in faces.iter().zip(&surface.triangles) {
            for (k, l) in [(0, 1), (1, 2), (2, 0)] {
                let ends = [face.corners[k], face.corners[l]];
                let side = [face.normal, (ends[1] - ends[0]).normalize_or_zero().cross(face.normal)];
                match first.remove(&[t[l], t[k]]) {
                    Some(other) => edges.push(Edge { ends, sides: [side, other] }),
                    None => drop(first.insert([t[k], t[l]], side)),
                }
            }
        }
        EdgeForm { edges, faces }
    }

    /// The field at a point.
    pub fn at(&self, at: DVec3) -> Attraction {
        let mut sum = Attraction::default();
        for edge in &self.edges {
            let [start, end] = edge.ends.map(|p| p - at);
            let off = start.cross((end - start).normalize_or_zero()).length();
            let pull = edge.sides.iter().map(|[n, out]| out.dot(start) * n).sum::<DVec3>() * wire(start, end, off);
            sum.acceleration -= pull;
            sum.potential -= 0.5 * start.dot(pull);
        }
        for face in &self.faces {
            let term = face.term(at);
            let pull = term.height * term.solid_angle * face.normal;
            sum.acceleration += pull;
            sum.potential += 0.5 * term.height * term.height * term.solid_angle;
            sum.laplacian += term.solid_angle;
        }
        sum
    }
}
