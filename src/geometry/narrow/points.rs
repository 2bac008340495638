//! Choice of a few points that carry as much as a whole outline.

use glam::DVec3;

/// A point at which a contact law acts.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// half-way between the surfaces (m)
    pub position_m: DVec3,
    /// along the normal of the contact (m)
    pub gap_m: f64,
    /// names the features that meet: two bits (0: a corner of i, 1: a corner of j, 2: two edges), 15 bits for the corner
    /// or edge of i, 15 for that of j; 0 for the body without
    pub key: u32,
}

/// Corners of an outline that are looked at; those that matter least go before.
const LOOKED_AT: usize = 10;

/// Areas this close are equal, and the lowest keys decide: the choice stays while nothing moves.
const EQUAL_AREA: f64 = 1e-3;

/// At most `limit` (3 to 10) points of a convex outline, in its order. They hold the centroid of the outline and, to within
/// `slack_m`, its lowest point; among such they have the largest area.
pub fn choose(mut outline: Vec<Point>, normal: DVec3, slack_m: f64, limit: usize) -> Vec<Point> {
    let limit = limit.clamp(3, LOOKED_AT);
    if outline.len() <= limit {
        return outline;
    }
    let lowest = |points: &[Point]| points.iter().map(|p| p.gap_m).fold(f64::INFINITY, f64::min);
    let (centre, level) = (centroid(&outline, normal), lowest(&outline) + slack_m);
    thin(&mut outline, normal, level);
    let picks = (0..1u32 << outline.len()).filter(|set| set.count_ones() as usize == limit);
    let picks =
        picks.map(|set| (0..outline.len()).filter(|k| set >> k & 1 == 1).map(|k| outline[k]).collect::<Vec<_>>());
    let sound = picks.filter(|p| lowest(p) <= level && holds(p, centre, normal));
    let sized: Vec<(f64, Vec<Point>)> = sound.map(|p| (area(&p, normal), p)).collect();
    let largest = sized.iter().map(|s| s.0).fold(0.0, f64::max);
    let keys = |points: &[Point]| {
        let mut keys: Vec<u32> = points.iter().map(|p| p.key).collect();
        keys.sort_unstable();
        keys
    };
    let equal = sized.into_iter().filter(|s| s.0 >= (1.0 - EQUAL_AREA) * largest).map(|s| s.1);
    equal.min_by_key(|p| keys(p)).unwrap_or_else(|| outline[..limit].to_vec())
}

/// Drops the corner whose triangle with its neighbours is smallest, again and again; one at the lowest level stays.
fn thin(outline: &mut Vec<Point>, normal: DVec3, level: f64) {
    while outline.len() > LOOKED_AT {
        let n = outline.len();
        let low = outline.iter().filter(|p| p.gap_m <= level).count();
        let triangle = |k: &usize| area(&[outline[(k + n - 1) % n], outline[*k], outline[(k + 1) % n]], normal);
        let free = (0..n).filter(|k| low > 1 || outline[*k].gap_m > level);
        let Some(least) = free.min_by(|a, b| triangle(a).total_cmp(&triangle(b))) else { return };
        outline.remove(least);
    }
}

/// Centroid of the polygon (m), by the signed triangles from its first corner.
fn centroid(outline: &[Point], normal: DVec3) -> DVec3 {
    let first = outline[0].position_m;
    let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
    for w in outline.windows(2) {
        let (a, b) = (w[0].position_m - first, w[1].position_m - first);
        let size = a.cross(b).dot(normal);
        (sum, weight) = (sum + size * (a + b) / 3.0, weight + size);
    }
    if weight == 0.0 { first } else { first + sum / weight }
}

/// True if `at` is inside the convex loop or on it, to a thousandth of its area.
fn holds(points: &[Point], at: DVec3, normal: DVec3) -> bool {
    let n = points.len();
    let side = |k: usize| {
        let (a, b) = (points[k].position_m, points[(k + 1) % n].position_m);
        (b - a).cross(at - a).dot(normal)
    };
    let slack = 1e-3 * area(points, normal);
    (0..n).all(|k| side(k) >= -slack) || (0..n).all(|k| side(k) <= slack)
}

/// Area of a convex loop seen along `normal` (m2).
pub fn area(points: &[Point], normal: DVec3) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let corner = |p: &Point| p.position_m - first.position_m;
    0.5 * points.windows(2).map(|w| corner(&w[0]).cross(corner(&w[1])).dot(normal)).sum::<f64>().abs()
}
