//! Which corners and edges of two faces bound their overlap: one polygon is clipped by the sides of the other (Sutherland
//! and Hodgman 1974). Only the features count here, not the positions.

use super::Placed;
use glam::DVec3;

/// What meets at a corner of the overlap: a corner of the clipped body over the face of the other, a corner of the
/// clipping body, or an edge of each (clipped, clipping).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    Clipped(u32),
    Clipping(u32),
    Edges(u32, u32),
}

impl Feature {
    /// Exchanges the roles of the two bodies.
    pub(super) fn swapped(self) -> Self {
        match self {
            Feature::Clipped(v) => Feature::Clipping(v),
            Feature::Clipping(v) => Feature::Clipped(v),
            Feature::Edges(e, f) => Feature::Edges(f, e),
        }
    }

    /// [`super::points::Point::key`] if i is the clipped body.
    pub(super) fn key(self) -> u32 {
        let (kind, i, j) = match self {
            Feature::Clipped(v) => (0, v, 0),
            Feature::Clipping(v) => (1, 0, v),
            Feature::Edges(e, f) => (2, e, f),
        };
        kind << 30 | (i & 0x7fff) << 15 | (j & 0x7fff)
    }
}

/// An edge of the clipped face or of the clipping one.
#[derive(Clone, Copy)]
enum Side {
    Clipped(u32),
    Clipping(u32),
}

/// A corner of the clipped polygon and the side that leaves it.
type Corner = (DVec3, Side);

/// Features around the overlap of two faces (body, number) seen along the unit vector `up` from the clipping body to the
/// clipped one. Sides clip `slack_m` farther out.
pub(super) fn overlap(clipping: (&Placed, usize), clipped: (&Placed, usize), up: DVec3, slack_m: f64) -> Vec<Feature> {
    let (body, face) = (clipped.0, &clipped.0.body.faces[clipped.1]);
    let corner = |(v, e): (&u32, &u32)| (body.vertices_m[*v as usize], Side::Clipped(*e));
    let mut polygon: Vec<Corner> = face.vertices.iter().zip(&face.edges).map(corner).collect();
    let (sides, face) = (clipping.0, &clipping.0.body.faces[clipping.1]);
    for (side, edge) in face.sides().zip(&face.edges) {
        let [a, b] = side.map(|v| sides.vertices_m[v as usize]);
        let inward = up.cross(b - a).normalize_or_zero();
        polygon = cut(&polygon, Side::Clipping(*edge), |p| inward.dot(p - a) + slack_m);
    }
    let arriving = |k: usize| polygon[(k + polygon.len() - 1) % polygon.len()].1;
    (0..polygon.len()).map(|k| feature(sides, body, arriving(k), polygon[k].1)).collect()
}

/// The part of a polygon at a positive distance from a side.
fn cut(polygon: &[Corner], side: Side, inside: impl Fn(DVec3) -> f64) -> Vec<Corner> {
    let mut kept = vec![];
    for (k, (p, leaving)) in polygon.iter().enumerate() {
        let (q, _) = polygon[(k + 1) % polygon.len()];
        let (from, to) = (inside(*p), inside(q));
        if from >= 0.0 {
            kept.push((*p, *leaving));
        }
        if (from >= 0.0) != (to >= 0.0) {
            kept.push((p.lerp(q, from / (from - to)), if from >= 0.0 { side } else { *leaving }));
        }
    }
    kept
}

/// What meets between two sides.
fn feature(clipping: &Placed, clipped: &Placed, arriving: Side, leaving: Side) -> Feature {
    let shared = |b: &Placed, e: u32, f: u32| {
        let [a, c] = b.body.edges[e as usize].vertices;
        if b.body.edges[f as usize].vertices.contains(&a) { a } else { c }
    };
    match (arriving, leaving) {
        (Side::Clipped(e), Side::Clipped(f)) => Feature::Clipped(shared(clipped, e, f)),
        (Side::Clipping(e), Side::Clipping(f)) => Feature::Clipping(shared(clipping, e, f)),
        (Side::Clipping(f), Side::Clipped(e)) | (Side::Clipped(e), Side::Clipping(f)) => Feature::Edges(e, f),
    }
}
