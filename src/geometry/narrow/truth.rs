//! The common plane of two convex polyhedra from every feature of both. Where they overlap, the least translation is
//! along a face normal or across an edge of each (the separating-axis theorem, Gottschalk et al. 1996); where they are
//! apart, the distance is from a corner to a face or from an edge to an edge.

use super::{Placed, Plane, plane};
use crate::geometry::polyhedron::Edge;
use glam::DVec3;

/// Edges are parallel below this sine of their angle; the faces at them then have the same axis.
const PARALLEL_SINE: f64 = 1e-12;

/// Sines that count as zero when a plane is held against the faces at an edge: far more than rounding, so that no plane is
/// missed; planes that slip through are measured like any other.
const SLACK: f64 = 1e-6;

/// The plane of the largest gap.
pub fn common_plane(i: &Placed, j: &Placed) -> Plane {
    let axis = across_edges(i, j, across_faces(i, j));
    if axis.gap_m <= 0.0 {
        return axis;
    }
    let link = closest_edges(i, j, closest_faces(i, j));
    let (length, size) = (link.length(), i.body.radius_m + j.body.radius_m);
    // the link of bodies that all but touch has no direction left; the axis is as good then
    match link.try_normalize().map(|n| plane(i, j, n)) {
        Some(p) if p.gap_m >= length - 1e-9 * size && length > axis.gap_m + 1e-12 * size => {
            Plane { normal: p.normal, gap_m: length }
        }
        _ => axis,
    }
}

/// The best plane along a face normal, faces of i first.
fn across_faces(i: &Placed, j: &Placed) -> Plane {
    let normals = i.normals.iter().map(|n| -n).chain(j.normals.iter().copied());
    let start = Plane { normal: DVec3::X, gap_m: f64::NEG_INFINITY };
    normals.map(|n| plane(i, j, n)).fold(start, |best, p| if p.gap_m > best.gap_m { p } else { best })
}

/// An edge: its ends, and the directions into its two faces, across it.
struct Ridge {
    ends: [DVec3; 2],
    into: [DVec3; 2],
}

fn ridges(body: &Placed) -> Vec<Ridge> {
    let ridge = |(k, e): (usize, &Edge)| {
        let ends = body.edge(k);
        let along = (ends[1] - ends[0]).normalize_or_zero();
        let [left, right] = e.faces.map(|f| body.normals[f as usize].cross(along));
        Ridge { ends, into: [left, -right] }
    };
    body.body.edges.iter().enumerate().map(ridge).collect()
}

/// The best of `best` and all planes across two edges. A plane touches both bodies along its edges, and so counts, only
/// if its normal is on the same side of both faces at each edge.
fn across_edges(i: &Placed, j: &Placed, mut best: Plane) -> Plane {
    let (own, other) = (ridges(i), ridges(j));
    for e in &own {
        let along = e.ends[1] - e.ends[0];
        for f in &other {
            let axis = along.cross(f.ends[1] - f.ends[0]);
            let size = axis.length();
            if size <= PARALLEL_SINE * along.length() * f.ends[0].distance(f.ends[1]) {
                continue;
            }
            for n in [axis / size, -axis / size] {
                let touches = e.into.iter().all(|t| n.dot(*t) > -SLACK) && f.into.iter().all(|t| n.dot(*t) < SLACK);
                if touches && n.dot(e.ends[0] - f.ends[0]) > best.gap_m {
                    let p = plane(i, j, n);
                    best = if p.gap_m > best.gap_m { p } else { best };
                }
            }
        }
    }
    best
}

/// The shortest vector from a corner of one body to a face of the other that it is above, from j to i.
fn closest_faces(i: &Placed, j: &Placed) -> DVec3 {
    let mut best = DVec3::INFINITY;
    for (corners, faces, sign) in [(i, j, 1.0), (j, i, -1.0)] {
        for (normal, face) in faces.normals.iter().zip(&faces.body.faces) {
            let on_face = |p: DVec3| {
                face.sides().all(|s| {
                    let [a, b] = s.map(|k| faces.vertices_m[k as usize]);
                    normal.cross(b - a).dot(p - a) >= 0.0
                })
            };
            let plane = faces.vertices_m[face.vertices[0] as usize].dot(*normal);
            for p in &corners.vertices_m {
                let height = p.dot(*normal) - plane;
                if height > 0.0 && height * height < best.length_squared() && on_face(*p) {
                    best = sign * height * normal;
                }
            }
        }
    }
    best
}

/// The shorter of `best` and the shortest vector from an edge of j to an edge of i. Edges whose middles are farther apart
/// than the best and half their lengths are passed over.
fn closest_edges(i: &Placed, j: &Placed, mut best: DVec3) -> DVec3 {
    let segments_of = |b: &Placed| (0..b.body.edges.len()).map(|e| b.edge(e)).collect::<Vec<_>>();
    let (own, other) = (segments_of(i), segments_of(j));
    for [a, b] in own {
        for [c, d] in &other {
            let reach = best.length() + 0.5 * (a.distance(b) + c.distance(*d));
            if (0.5 * (a + b - c - d)).length_squared() <= reach * reach {
                let [s, t] = segments([a, b], [*c, *d]);
                let link = a.lerp(b, s) - c.lerp(*d, t);
                best = if link.length_squared() < best.length_squared() { link } else { best };
            }
        }
    }
    best
}

/// Where on two segments their closest points are, as parts of their lengths (Ericson 2005, section 5.1.9).
pub fn segments([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [f64; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let det = uu * vv - uv * uv;
    let s = if det > PARALLEL_SINE.powi(2) * uu * vv { ((uv * vw - vv * uw) / det).clamp(0.0, 1.0) } else { 0.5 };
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    [s, t]
}
