//! The points that stand for the contact of two convex polyhedra across a plane (Sanchez et al. 2021, Fig. 3): the face of
//! one is clipped by the sides of the face of the other, seen along the normal (Sutherland and Hodgman 1974).
//!
//! A point counts while its own gap is within reach, so that a face that comes down at a small tilt has all its points
//! before it has touched; "parallel" therefore means a rise of no more than `reach_m` over the overlap, and a slope of
//! no more than [`SLOPE`].

use super::points::choose;
use super::truth::segments;
use super::{Placed, Plane};
use glam::DVec3;

/// Beyond this slope to the lowest point (rad) no other counts, however small the face.
pub const SLOPE: f64 = 0.1;

/// Sides are moved out by this part of the smaller radius: a corner that lies on a side, as those of equal boxes on each
/// other do, is the same corner in every frame whatever rounding says.
const SIDE_SLACK: f64 = 1e-5;

/// How two bodies touch; the number says how often the contact counts in a mean (Sanchez et al. 2021, Fig. 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// corner to face, edge to edge, and the rare corner to edge or corner
    Point = 1,
    /// edge along a face
    FaceEdge = 2,
    /// face on face
    FaceFace = 3,
}

/// A place where the contact laws are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// half-way between the surfaces (m)
    pub position_m: DVec3,
    /// along the normal of the contact (m)
    pub gap_m: f64,
    /// names the features that meet, whichever face was clipped: two bits (0: a corner of i, 1: a corner of j, 2: two
    /// edges), 15 bits for the corner or edge of i, 15 for that of j; 0 for the body without
    pub key: u32,
}

/// The contact of a pair.
#[derive(Debug, Clone)]
pub struct Manifold {
    /// unit, from j to i
    pub normal: DVec3,
    /// the least gap (m)
    pub gap_m: f64,
    /// what touches what
    pub kind: Kind,
    /// of the overlap of two faces, seen along the normal (m2); 0 for other kinds
    pub area_m2: f64,
    /// 1 point, 2 for [`Kind::FaceEdge`], 3 or more for [`Kind::FaceFace`], in order around the normal
    pub points: Vec<Point>,
}

/// Points of the contact across `plane` with gaps up to `reach_m`, at most `points_max` (3 or more) of them; at least one,
/// the closest, whatever its gap.
///
/// Three points carry a body on its overlap only while its weight acts inside their triangle, which is largest and holds
/// the centroid of the overlap. Four carry a box on a box wherever it rests stably.
pub fn manifold(i: &Placed, j: &Placed, plane: Plane, reach_m: f64, points_max: usize) -> Manifold {
    let contact = Contact { i, j, plane, reach_m, slack_m: SIDE_SLACK * i.body.radius_m.min(j.body.radius_m) };
    let outline = contact.outline();
    let (normal, gap_m) = (plane.normal, plane.gap_m);
    if let [a, b, ..] = outline[..] {
        let area_m2 = area(&outline, normal);
        let length = outline.iter().map(|p| p.position_m.distance(a.position_m)).fold(0.0, f64::max);
        if area_m2 > contact.slack_m * length {
            let points = choose(outline, normal, 0.05 * reach_m, points_max);
            return Manifold { normal, gap_m, kind: Kind::FaceFace, area_m2, points };
        }
        let far = outline
            .iter()
            .max_by(|p, q| p.position_m.distance(a.position_m).total_cmp(&q.position_m.distance(a.position_m)));
        let points = vec![a, *far.unwrap_or(&b)];
        return Manifold { normal, gap_m, kind: Kind::FaceEdge, area_m2: 0.0, points };
    }
    let point = outline.first().copied().unwrap_or_else(|| contact.closest());
    Manifold { normal, gap_m, kind: Kind::Point, area_m2: 0.0, points: vec![point] }
}

/// Area of a convex loop seen along `normal` (m2).
pub fn area(points: &[Point], normal: DVec3) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let corner = |p: &Point| p.position_m - first.position_m;
    0.5 * points.windows(2).map(|w| corner(&w[0]).cross(corner(&w[1])).dot(normal)).sum::<f64>().abs()
}

struct Contact<'a> {
    i: &'a Placed<'a>,
    j: &'a Placed<'a>,
    plane: Plane,
    reach_m: f64,
    slack_m: f64,
}

/// The face of a body that the plane touches.
struct Facing {
    face: usize,
    cosine: f64,
}

/// An edge of the clipped body or of the face that clips it.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Clipped(u32),
    Clipping(u32),
}

/// A corner of the clipped polygon and the side that leaves it.
type Corner = (DVec3, Side);

impl Contact<'_> {
    /// The face with most corners (up to 3) in the plane, the most parallel one of those.
    fn facing(&self, body: &Placed, towards: DVec3) -> Facing {
        let lowest = body.vertices_m[body.support(towards)];
        let in_plane = |v: &&u32| {
            let rise = lowest - body.vertices_m[**v as usize];
            let height = rise.dot(towards);
            height <= self.reach_m && height <= SLOPE * (rise - height * towards).length()
        };
        let mut best = (0, Facing { face: 0, cosine: -1.0 });
        for (face, f) in body.body.faces.iter().enumerate() {
            let (touching, cosine) =
                (f.vertices.iter().filter(in_plane).count().min(3), body.normals[face].dot(towards));
            if touching > best.0 || (touching == best.0 && touching > 0 && cosine > best.1.cosine) {
                best = (touching, Facing { face, cosine });
            }
        }
        best.1
    }

    /// Points around the overlap of the two faces, those out of reach left out; none if no face is parallel to the plane.
    fn outline(&self) -> Vec<Point> {
        let n = self.plane.normal;
        let (own, other) = (self.facing(self.i, -n), self.facing(self.j, n));
        // a small preference, so that rounding does not choose between faces that are both parallel
        let clips_with_i = own.cosine >= other.cosine - 1e-6;
        let (clipping, face, clipped, incident, up) =
            if clips_with_i { (self.i, own, self.j, other.face, -n) } else { (self.j, other, self.i, own.face, n) };
        if face.cosine < SLOPE.cos() {
            return vec![];
        }
        let corners = self.clip(clipping, face.face, clipped, incident, up);
        let plane = clipping.normals[face.face];
        let base = clipping.vertices_m[clipping.body.faces[face.face].vertices[0] as usize];
        let point = |k: usize| {
            let ((place, leaving), arriving) = (corners[k], corners[(k + corners.len() - 1) % corners.len()].1);
            let gap_m = plane.dot(place - base) / plane.dot(up);
            let key = key(clipping, clipped, arriving, leaving, clips_with_i);
            Point { position_m: place - 0.5 * gap_m * up, gap_m, key }
        };
        self.within_reach((0..corners.len()).map(point).collect())
    }

    /// The polygon of face `incident` inside the prism over face `face`.
    fn clip(&self, clipping: &Placed, face: usize, clipped: &Placed, incident: usize, up: DVec3) -> Vec<Corner> {
        let incident = &clipped.body.faces[incident];
        let corner = |(v, e): (&u32, &u32)| (clipped.vertices_m[*v as usize], Side::Clipped(*e));
        let mut polygon: Vec<Corner> = incident.vertices.iter().zip(&incident.edges).map(corner).collect();
        let face = &clipping.body.faces[face];
        for (side, edge) in face.sides().zip(&face.edges) {
            let [a, b] = side.map(|v| clipping.vertices_m[v as usize]);
            let inward = up.cross(b - a).normalize_or_zero();
            polygon = cut(&polygon, Side::Clipping(*edge), |p| inward.dot(p - a) + self.slack_m);
        }
        polygon
    }

    /// Drops points that are too high above the lowest, and doubles.
    fn within_reach(&self, points: Vec<Point>) -> Vec<Point> {
        let Some(lowest) = points.iter().min_by(|p, q| p.gap_m.total_cmp(&q.gap_m)).copied() else {
            return points;
        };
        let level = |p: &Point| {
            let across = (p.position_m - lowest.position_m).reject_from_normalized(self.plane.normal);
            p.gap_m <= self.reach_m && p.gap_m - lowest.gap_m <= SLOPE * across.length()
        };
        let mut kept: Vec<Point> = vec![];
        for p in points.into_iter().filter(level) {
            if kept.iter().all(|q| q.position_m.distance(p.position_m) > 2.0 * self.slack_m) {
                kept.push(p);
            }
        }
        kept
    }

    /// Where the edges at the lowest corners come closest, seen along the normal.
    fn closest(&self) -> Point {
        let n = self.plane.normal;
        let edges = |b: &Placed, v: usize| {
            let at = move |e: &usize| b.body.edges[*e].vertices.contains(&(v as u32));
            (0..b.body.edges.len()).filter(at).collect::<Vec<_>>()
        };
        let (a, b) = (self.i.support(-n), self.j.support(n));
        let mut best = (f64::INFINITY, Point { position_m: DVec3::ZERO, gap_m: 0.0, key: 0 });
        for e in edges(self.i, a) {
            for f in edges(self.j, b) {
                let ends = [self.i.edge(e), self.j.edge(f)];
                let [s, t] = ends.map(|edge| edge.map(|p| p.reject_from_normalized(n)));
                let [s, t] = segments(s, t);
                let (p, q) = (ends[0][0].lerp(ends[0][1], s), ends[1][0].lerp(ends[1][1], t));
                let (link, gap_m) = (p - q, n.dot(p - q));
                let aside = (link - gap_m * n).length();
                if aside < best.0 {
                    let corner = |b: &Placed, e: usize, s: f64| b.body.edges[e].vertices[s as usize];
                    let key = match (s, t) {
                        (0.0 | 1.0, _) => name(0, corner(self.i, e, s), 0),
                        (_, 0.0 | 1.0) => name(1, 0, corner(self.j, f, t)),
                        _ => name(2, e as u32, f as u32),
                    };
                    best = (aside, Point { position_m: 0.5 * (p + q), gap_m, key });
                }
            }
        }
        best.1
    }
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

fn name(kind: u32, own: u32, other: u32) -> u32 {
    kind << 30 | (own & 0x7fff) << 15 | (other & 0x7fff)
}

/// The key of a corner between two sides.
fn key(clipping: &Placed, clipped: &Placed, arriving: Side, leaving: Side, clips_with_i: bool) -> u32 {
    let shared = |b: &Placed, e: u32, f: u32| {
        let [a, c] = b.body.edges[e as usize].vertices;
        if b.body.edges[f as usize].vertices.contains(&a) { a } else { c }
    };
    let corner = |vertex: u32, of_i: bool| if of_i { name(0, vertex, 0) } else { name(1, 0, vertex) };
    match (arriving, leaving) {
        (Side::Clipped(e), Side::Clipped(f)) => corner(shared(clipped, e, f), !clips_with_i),
        (Side::Clipping(e), Side::Clipping(f)) => corner(shared(clipping, e, f), clips_with_i),
        (Side::Clipping(e), Side::Clipped(f)) | (Side::Clipped(f), Side::Clipping(e)) => {
            if clips_with_i {
                name(2, e, f)
            } else {
                name(2, f, e)
            }
        }
    }
}
