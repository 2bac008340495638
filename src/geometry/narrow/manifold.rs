//! The points that represent the contact of two convex polyhedra across a plane (Sanchez et al. 2021, Fig. 3): the face
//! of one is clipped by the sides of the face of the other, seen along the normal (Sutherland and Hodgman 1974).
//!
//! A point counts while its own gap is within reach, so that a face that comes down at a small tilt has all its points
//! before it has touched; "parallel" therefore means a rise of no more than `reach_m` over the overlap, and a slope of
//! no more than [`SLOPE`].

use super::clip::{Feature, overlap};
use super::points::{Point, area, choose};
use super::truth::segments;
use super::{Placed, Plane};
use glam::DVec3;

/// Contact points of a pair of bodies, or of a body and a wall, at most.
pub const POINTS: u64 = 4;

/// Beyond this slope to the lowest point (rad) no other counts, however small the face.
pub const SLOPE: f64 = 0.1;

/// A face turned farther away than this (cosine) cannot be what a plane touches with more than a corner.
pub const AWAY: f64 = 0.01;

/// A choice of points may leave out the lowest for one higher by this part of the reach, so that it stays while
/// rounding changes which is the lowest.
const LEVEL: f64 = 0.005;

/// Sides clip this part of the smaller radius farther out: a corner that lies on a side, as those of equal boxes on each
/// other do, is the same corner in every frame whatever rounding says. Positions and gaps know nothing of it.
const SIDE_SLACK: f64 = 1e-5;

/// How two bodies touch; the number says how often the contact counts in a mean (Sanchez et al. 2021, Fig. 9).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// corner to face, edge to edge, and the rare corner to edge or corner
    #[default]
    Point = 1,
    /// edge along a face
    FaceEdge = 2,
    /// face on face
    FaceFace = 3,
}

impl Kind {
    /// The kind of this number.
    pub fn of(number: u32) -> Kind {
        match number {
            2 => Kind::FaceEdge,
            3 => Kind::FaceFace,
            _ => Kind::Point,
        }
    }
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
    let mut outline = contact.outline();
    // features outside the chosen faces may be closer
    if outline.iter().all(|p| p.gap_m > plane.gap_m + LEVEL * reach_m) {
        outline = vec![contact.closest()];
    }
    let (normal, gap_m) = (plane.normal, plane.gap_m);
    if outline.len() > 1 {
        let ends = ends(&outline);
        let area_m2 = area(&outline, normal);
        if area_m2 > contact.slack_m * ends[0].position_m.distance(ends[1].position_m) {
            let points = choose(outline, normal, LEVEL * reach_m, points_max);
            return Manifold { normal, gap_m, kind: Kind::FaceFace, area_m2, points };
        }
        return Manifold { normal, gap_m, kind: Kind::FaceEdge, area_m2: 0.0, points: ends.into() };
    }
    Manifold { normal, gap_m, kind: Kind::Point, area_m2: 0.0, points: outline }
}

/// The two points of a thin outline that are farthest apart.
fn ends(outline: &[Point]) -> [Point; 2] {
    let farthest = |from: &Point| {
        let distance = |p: &&Point| p.position_m.distance(from.position_m);
        *outline.iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).unwrap_or(from)
    };
    let end = farthest(&outline[0]);
    [farthest(&end), end]
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

impl Contact<'_> {
    /// The face with most corners (up to 3) in the plane, the most parallel one of those, that does not look away.
    fn facing(&self, body: &Placed, towards: DVec3) -> Facing {
        let level = body.vertices_m[body.support(towards)].dot(towards) - self.slack_m;
        // of corners at one level, as those of an edge in the plane, always the same
        let lowest = body.vertices_m.iter().copied().find(|v| v.dot(towards) >= level).unwrap_or_default();
        let in_plane = |v: &&u32| {
            let rise = lowest - body.vertices_m[**v as usize];
            let height = rise.dot(towards);
            height <= self.reach_m && height <= SLOPE * (rise - height * towards).length()
        };
        let mut best = (0, Facing { face: 0, cosine: -1.0 });
        for (face, f) in body.body.faces.iter().enumerate() {
            let cosine = body.normals[face].dot(towards);
            let most = if cosine > AWAY { 3 } else { 1 };
            let touching = f.vertices.iter().filter(in_plane).count().min(most);
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
        if own.cosine.max(other.cosine) < SLOPE.cos() {
            return vec![];
        }
        // a small preference, so that rounding does not choose between faces that are both parallel
        let features = if own.cosine >= other.cosine - 1e-6 {
            let features = overlap((self.i, own.face), (self.j, other.face), -n, self.slack_m);
            features.into_iter().map(Feature::swapped).collect()
        } else {
            overlap((self.j, other.face), (self.i, own.face), n, self.slack_m)
        };
        self.within_reach(features.into_iter().map(|f| self.point(f, own.face, other.face)).collect())
    }

    /// Where two features meet: a corner and the plane of the other's face, or two edges, seen along the normal.
    fn point(&self, feature: Feature, own: usize, other: usize) -> Point {
        let (i, j, n) = (self.i, self.j, self.plane.normal);
        let height = |b: &Placed, face: usize, p: DVec3| {
            let base = b.vertices_m[b.body.faces[face].vertices[0] as usize];
            b.normals[face].dot(p - base) / b.normals[face].dot(n)
        };
        let (position_m, gap_m) = match feature {
            Feature::Clipped(v) => {
                let (p, gap_m) = (i.vertices_m[v as usize], height(j, other, i.vertices_m[v as usize]));
                (p - 0.5 * gap_m * n, gap_m)
            }
            Feature::Clipping(v) => {
                let (p, gap_m) = (j.vertices_m[v as usize], -height(i, own, j.vertices_m[v as usize]));
                (p + 0.5 * gap_m * n, gap_m)
            }
            Feature::Edges(e, f) => {
                let ([s, t], [a, b], [c, d]) = (self.crossing(e, f), i.edge(e as usize), j.edge(f as usize));
                let (p, q) = (a.lerp(b, s), c.lerp(d, t));
                (0.5 * (p + q), n.dot(p - q))
            }
        };
        Point { position_m, gap_m, key: feature.key() }
    }

    /// Where an edge of i and one of j cross, seen along the normal, as parts of their lengths.
    fn crossing(&self, e: u32, f: u32) -> [f64; 2] {
        let flat = |p: DVec3| p.reject_from_normalized(self.plane.normal);
        segments(self.i.edge(e as usize).map(flat), self.j.edge(f as usize).map(flat))
    }

    /// Drops points that are out of reach or at too steep a slope above another, and of doubles all
    /// but one: a corner before crossed edges.
    fn within_reach(&self, points: Vec<Point>) -> Vec<Point> {
        let rises = |p: &Point, q: &Point| {
            let across = (p.position_m - q.position_m).reject_from_normalized(self.plane.normal);
            p.gap_m - q.gap_m > SLOPE * (across.length() + 2.0 * self.slack_m)
        };
        let doubles = |p: &Point, q: &Point| p.position_m.distance(q.position_m) <= 2.0 * self.slack_m && q.key < p.key;
        let stays = |p: &&Point| p.gap_m <= self.reach_m && points.iter().all(|q| !rises(p, q) && !doubles(p, q));
        points.iter().filter(stays).copied().collect()
    }

    /// Where two edges at the lowest corners are the gap apart, along the normal.
    fn closest(&self) -> Point {
        let n = self.plane.normal;
        let edges = |b: &Placed, v: usize| {
            let at = |e: &usize| b.body.edges[*e].vertices.contains(&(v as u32));
            (0..b.body.edges.len()).filter(at).map(|e| e as u32).collect::<Vec<_>>()
        };
        let (own, other) = (edges(self.i, self.i.support(-n)), edges(self.j, self.j.support(n)));
        let pairs = own.iter().flat_map(|e| other.iter().map(move |f| (*e, *f)));
        let aside = |(e, f): (u32, u32)| {
            let ([s, t], [a, b], [c, d]) = (self.crossing(e, f), self.i.edge(e as usize), self.j.edge(f as usize));
            (a.lerp(b, s) - c.lerp(d, t)).distance(self.plane.gap_m * n)
        };
        let (e, f) = pairs.min_by(|a, b| aside(*a).total_cmp(&aside(*b))).unwrap_or((0, 0));
        let mut point = self.point(Feature::Edges(e, f), 0, 0);
        // at their ends, to within rounding, edges are corners
        let corner = |b: &Placed, e: u32, part: f64| {
            let end = (part - part.round()).abs() < 1e-6;
            end.then(|| b.body.edges[e as usize].vertices[part.round() as usize])
        };
        let [s, t] = self.crossing(e, f);
        match (corner(self.i, e, s), corner(self.j, f, t)) {
            (Some(v), _) => point.key = Feature::Clipped(v).key(),
            (_, Some(v)) => point.key = Feature::Clipping(v).key(),
            _ => {}
        }
        point
    }
}
