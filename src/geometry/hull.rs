//! Convex hull of points as triangles: Quickhull (Barber, Dobkin and Huhdanpaa 1996) with the sides of planes decided by
//! an exact predicate (Shewchuk 1997), so that points in one plane, on one line or twice in one position do no harm.

use super::loops::{area_vector, sides};
use crate::base::readable::number;
use glam::DVec3;
use robust::{Coord3D, orient3d};
use std::collections::HashSet;

/// A triangle, counter-clockwise from outside, and the points that wait beyond it.
struct Facet {
    corners: [u32; 3],
    normal: DVec3,
    outside: Vec<u32>,
    /// of them the one farthest above it, the last of equals, and its height (m)
    farthest: Option<(f64, u32)>,
}

/// Points are in one plane if they are off it by less than this part of their extent, which is what f64 rounds.
const ROUNDING: f64 = 1e-14;

/// Most triangles of a hull: each new corner is compared with all of them. Bodies of contact dynamics have some hundreds.
const TRIANGLES_MAX: usize = 20_000;

/// Points that are being wrapped; nearer than `tolerance_m` to the hull counts as on it.
struct Wrap<'a> {
    points: &'a [DVec3],
    tolerance_m: f64,
    facets: Vec<Facet>,
}

/// Triangles of the hull (indices into `points`), counter-clockwise from outside. Points that stick out by less than
/// `tolerance_m` are left out. An error says what is wrong with the points.
pub(super) fn hull(points: &[DVec3], tolerance_m: f64) -> Result<Vec<[u32; 3]>, String> {
    let start = first_tetrahedron(points, tolerance_m)?;
    let mut wrap = Wrap { points, tolerance_m, facets: vec![] };
    let [a, b, c, d] = start;
    wrap.facets = [[a, b, c], [a, c, d], [a, d, b], [b, d, c]].map(|f| wrap.facet(f)).into();
    wrap.assign(0, (0..points.len() as u32).filter(|k| !start.contains(k)));
    while let Some(point) = wrap.farthest() {
        wrap.insert(point);
        if wrap.facets.len() > TRIANGLES_MAX {
            return Err(format!(
                "the convex hull of the {} points has more than {} corners; thin them out",
                points.len(),
                TRIANGLES_MAX / 2
            ));
        }
    }
    Ok(wrap.facets.into_iter().map(|f| f.corners).collect())
}

impl Wrap<'_> {
    fn at(&self, k: u32) -> DVec3 {
        self.points[k as usize]
    }

    fn facet(&self, corners: [u32; 3]) -> Facet {
        Facet {
            corners,
            normal: area_vector(self.points, &corners).normalize_or_zero(),
            outside: vec![],
            farthest: None,
        }
    }

    /// Height of a point above a facet; `None` where it is not above it, exactly.
    fn height(&self, facet: &Facet, point: u32) -> Option<f64> {
        let coord = |k: u32| Coord3D { x: self.at(k).x, y: self.at(k).y, z: self.at(k).z };
        let [a, b, c] = facet.corners.map(coord);
        let above = orient3d(a, b, c, coord(point)) < 0.0;
        above.then(|| facet.normal.dot(self.at(point) - self.at(facet.corners[0])))
    }

    /// Hands each point to the facet, from number `first` on, that it is farthest above; points above none are done with.
    fn assign(&mut self, first: usize, points: impl Iterator<Item = u32>) {
        for point in points {
            let heights = (first..self.facets.len()).filter_map(|f| Some((f, self.height(&self.facets[f], point)?)));
            let best = heights.max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((f, height)) = best.filter(|b| b.1 > self.tolerance_m) {
                let facet = &mut self.facets[f];
                facet.outside.push(point);
                if facet.farthest.is_none_or(|(most, _)| height >= most) {
                    facet.farthest = Some((height, point));
                }
            }
        }
    }

    /// The waiting point that is farthest above its facet.
    fn farthest(&self) -> Option<u32> {
        let heights = self.facets.iter().filter_map(|f| f.farthest);
        heights.max_by(|a, b| a.0.total_cmp(&b.0)).map(|h| h.1)
    }

    /// Replaces the facets that `point` sees by triangles from their outline to it. A waiting point above one of them
    /// and outside the new hull is above one of the triangles.
    fn insert(&mut self, point: u32) {
        let (seen, kept) = std::mem::take(&mut self.facets).into_iter().partition(|f| self.height(f, point).is_some());
        let seen: Vec<Facet> = seen;
        self.facets = kept;
        let first = self.facets.len();
        let all = || seen.iter().flat_map(|f| sides(&f.corners));
        let inner: HashSet<[u32; 2]> = all().collect();
        let outline = all().filter(|[a, b]| !inner.contains(&[*b, *a]));
        let fan: Vec<Facet> = outline.map(|[a, b]| self.facet([a, b, point])).collect();
        self.facets.extend(fan);
        self.assign(first, seen.iter().flat_map(|f| f.outside.iter().copied()).filter(|p| *p != point));
    }
}

/// Four points far apart, the fourth behind the triangle of the first three.
fn first_tetrahedron(points: &[DVec3], tolerance_m: f64) -> Result<[u32; 4], String> {
    let farthest = |size: &dyn Fn(DVec3) -> f64| {
        let sizes = points.iter().map(|p| size(*p)).enumerate();
        sizes.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    };
    if points.len() < 4 {
        return Err(format!("{} points: a body needs at least 4", points.len()));
    }
    let (i, _) = farthest(&|p| -p.x);
    let a = points[i];
    let (j, length) = farthest(&|p| p.distance(a));
    if length <= tolerance_m {
        return Err("all points have the same position".into());
    }
    let along = (points[j] - a) / length;
    let (k, width) = farthest(&|p| (p - a).cross(along).length());
    if width <= tolerance_m {
        return Err("all points lie on one line".into());
    }
    let normal = along.cross(points[k] - a) / width;
    let (l, height) = farthest(&|p| normal.dot(p - a).abs());
    if height <= tolerance_m {
        if height <= ROUNDING * length {
            return Err("all points lie in one plane: the volume is zero".into());
        }
        let [thickness, least] = [height, tolerance_m].map(|m| number(m / length));
        return Err(format!("the body is too thin: about {thickness} of its length, which must be above {least}"));
    }
    let behind = normal.dot(points[l] - a) < 0.0;
    let (j, k) = if behind { (j, k) } else { (k, j) };
    Ok([i, j, k, l].map(|n| n as u32))
}
