//! Faces that run through or touch faces that they share no edge with, by exact orientations (Shewchuk 1997): two
//! triangles meet if and only if an edge of one meets the other.

use super::Mesh;
use super::join::firsts;
use crate::geometry::box_tree::{Bounds, BoxTree, bounds};
use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// The most pairs of faces that are reported: a badly broken surface has more than anyone reads.
pub const PAIRS_MAX: usize = 100_000;

/// What may be spent on comparisons in all, and more for each triangle, by their cost: a pair whose boxes are apart
/// costs 1. A triangle of a surface has about 20 others next to it, and leaves of the tree have few more; only where
/// thousands of faces meet are there as many pairs as the square of their number.
const SPENT: usize = 80_000_000;
const SPENT_EACH: usize = 2_000;
/// Cost of a pair whose boxes overlap: the exact predicates.
const EXACT: usize = 40;
/// Corners of a face up to which it is cut at the first of them, as everywhere else.
const FAN: usize = 8;

/// What was found.
#[derive(Debug, Clone)]
pub struct Crossings {
    /// pairs of faces, in order
    pub pairs: Vec<[usize; 2]>,
    /// false: there were more comparisons to make than are made
    pub whole: bool,
}

/// A triangle of a face.
struct Triangle {
    face: usize,
    corners: [DVec3; 3],
    /// the same number for corners at the same position
    ids: [u32; 3],
}

/// Triangles of a face. One of many corners is halved again and again, so that most triangles are small and near few others.
fn cut(face: &[u32]) -> Vec<[u32; 3]> {
    if face.len() <= FAN {
        return (2..face.len()).map(|k| [face[0], face[k - 1], face[k]]).collect();
    }
    let (mut triangles, mut waiting) = (vec![], vec![(0, face.len() - 1)]);
    while let Some((first, last)) = waiting.pop().filter(|(first, last)| last - first > 1) {
        let middle = (first + last) / 2;
        triangles.push([face[first], face[middle], face[last]]);
        waiting.extend([(first, middle), (middle, last)].into_iter().filter(|(a, b)| b - a > 1));
    }
    triangles
}

/// Pairs of faces that meet elsewhere than at a common edge or vertex, at most [`PAIRS_MAX`]. Faces without area are left out.
pub fn crossings(mesh: &Mesh) -> Crossings {
    let same = firsts(&mesh.vertices_m);
    let triangle = |(face, t): (usize, [u32; 3])| Triangle {
        face,
        corners: t.map(|v| mesh.vertices_m[v as usize]),
        ids: t.map(|v| same[v as usize]),
    };
    let proper = |t: &Triangle| normal(t.corners) != DVec3::ZERO;
    let faces = mesh.faces.iter().enumerate();
    let triangle = &triangle;
    let triangles: Vec<Triangle> = faces
        .flat_map(|(face, corners)| cut(corners).into_iter().map(move |t| triangle((face, t))))
        .filter(proper)
        .collect();
    let boxes: Vec<Bounds> = triangles.iter().map(|t| bounds(t.corners)).collect();
    let middles: Vec<DVec3> = boxes.iter().map(|[low, high]| low + high).collect();
    let (mut pairs, mut left) = (vec![], SPENT + SPENT_EACH * triangles.len());
    BoxTree::new(&boxes, &middles).pairs(|k, l| {
        let [[a, b], [c, d]] = [boxes[k as usize], boxes[l as usize]];
        let (s, t) = (&triangles[k as usize], &triangles[l as usize]);
        let apart = a.cmpgt(d).any() || c.cmpgt(b).any() || s.face == t.face;
        if !apart && cross(s, t) {
            pairs.push([s.face.min(t.face), s.face.max(t.face)]);
        }
        left = left.saturating_sub(if apart { 1 } else { EXACT });
        pairs.len() < PAIRS_MAX && left > 0
    });
    pairs.sort_unstable();
    pairs.dedup();
    Crossings { pairs, whole: left > 0 }
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Whether two triangles meet elsewhere than at common corners or a common edge.
fn cross(s: &Triangle, t: &Triangle) -> bool {
    let (mut shared, mut count) = ([0; 3], 0);
    for k in (0..3).filter(|k| t.ids.contains(&s.ids[*k])) {
        shared[count] = k;
        count += 1;
    }
    match shared[..count] {
        [] => !one_side(s, t) && !one_side(t, s) && any_edge_meets(s, t),
        [k] => {
            let l = (0..3).find(|l| t.ids[*l] == s.ids[k]).unwrap_or(0);
            let [opposite_s, opposite_t] =
                [(s, k), (t, l)].map(|(t, k)| [t.corners[(k + 1) % 3], t.corners[(k + 2) % 3]]);
            meets(opposite_s, t.corners) || meets(opposite_t, s.corners)
        }
        [k, l] => folded(s.corners[k], s.corners[l], s.corners[3 - k - l], t, [s.ids[k], s.ids[l]]),
        _ => false, // the same face twice
    }
}

/// True if all corners of `t` are on one side of the plane of `s`.
fn one_side(s: &Triangle, t: &Triangle) -> bool {
    let sides = t.corners.map(|c| side(s.corners, c));
    sides.iter().all(|x| *x > 0.0) || sides.iter().all(|x| *x < 0.0)
}

fn any_edge_meets(s: &Triangle, t: &Triangle) -> bool {
    let edges = |t: &Triangle| [0, 1, 2].map(|k| [t.corners[k], t.corners[(k + 1) % 3]]);
    edges(s).into_iter().any(|e| meets(e, t.corners)) || edges(t).into_iter().any(|e| meets(e, s.corners))
}

/// Two triangles at one edge overlap if they lie in one plane, on the same side of the edge.
fn folded(a: DVec3, b: DVec3, apex: DVec3, t: &Triangle, edge: [u32; 2]) -> bool {
    let other = (0..3).find(|l| !edge.contains(&t.ids[*l])).map_or(apex, |l| t.corners[l]);
    side([a, b, apex], other) == 0.0 && normal([a, b, apex]).dot(normal([a, b, other])) > 0.0
}

/// Sign of the side of a triangle's plane that `p` is on, exact.
fn side([a, b, c]: [DVec3; 3], p: DVec3) -> f64 {
    let coordinates = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(p))
}

/// Whether a segment and a triangle have a common point.
fn meets([p, q]: [DVec3; 2], t: [DVec3; 3]) -> bool {
    let (above, below) = (side(t, p), side(t, q));
    if above == 0.0 && below == 0.0 {
        return meets_in_plane([p, q], t);
    }
    if (above > 0.0 && below > 0.0) || (above < 0.0 && below < 0.0) {
        return false;
    }
    let [a, b, c] = t;
    let turns = [[a, b], [b, c], [c, a]].map(|[a, b]| side([p, q, a], b));
    turns.iter().all(|x| *x >= 0.0) || turns.iter().all(|x| *x <= 0.0)
}

/// Whether they have a common point within one plane, seen along the axis that is steepest to it.
fn meets_in_plane(segment: [DVec3; 2], t: [DVec3; 3]) -> bool {
    let steep = normal(t).abs();
    let flat = |v: DVec3| match (steep.x >= steep.y.max(steep.z), steep.y >= steep.z) {
        (true, _) => DVec2::new(v.y, v.z),
        (_, true) => DVec2::new(v.z, v.x),
        _ => DVec2::new(v.x, v.y),
    };
    let ([p, q], [a, b, c]) = (segment.map(flat), t.map(flat));
    let turns = [[a, b], [b, c], [c, a]].map(|[a, b]| turn(a, b, p));
    let inside = turns.iter().all(|x| *x >= 0.0) || turns.iter().all(|x| *x <= 0.0);
    inside || [[a, b], [b, c], [c, a]].into_iter().any(|edge| segments_meet([p, q], edge))
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coordinates = |v: DVec2| Coord { x: v.x, y: v.y };
    orient2d(coordinates(a), coordinates(b), coordinates(c))
}

fn segments_meet([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let apart = p.max(q).cmplt(a.min(b)).any() || a.max(b).cmplt(p.min(q)).any();
    let across = |x: f64, y: f64| !((x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0));
    !apart && across(turn(p, q, a), turn(p, q, b)) && across(turn(a, b, p), turn(a, b, q))
}
