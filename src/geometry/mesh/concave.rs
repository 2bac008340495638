//! Faces that are not convex, cut into triangles. Elsewhere a face is cut at its first corner, which covers more than the face
//! where that corner does not see all the others.

use super::Mesh;
use crate::geometry::loops::area_vector;
use earcut::{Earcut, deviation, utils3d::project3d_to_2d};
use glam::DVec3;
use std::collections::BTreeMap;
use std::iter::repeat_n;

/// Corners of a face that is cut, at most: the time grows with their square.
const CORNERS_MAX: usize = 256;
/// How far the areas of the triangles may miss that of the face, as a share: a face that runs through itself is left as it is.
const MISSED_MAX: f64 = 1e-9;
/// A triangle of less than this share of its face has no area.
const FLAT: f64 = 1e-12;
/// A side that turns by less than this angle at a corner is straight there.
const STRAIGHT: f64 = 1e-9;

impl Mesh {
    /// Cuts faces that their first corners do not see whole. The first triangle of each takes its place, the others follow
    /// behind all faces, so that the numbers of faces stay.
    pub(super) fn cut_concave(&mut self) {
        let mut cutter = Cutter::default();
        let cut = |(f, face): (usize, &[u32])| Some((f, cutter.cut(&self.vertices_m, face)?));
        let cuts: BTreeMap<usize, Vec<[u32; 3]>> = self.faces.iter().enumerate().filter_map(cut).collect();
        if cuts.is_empty() {
            return;
        }
        let kept = self.faces.iter().enumerate().map(|(f, face)| cuts.get(&f).map_or(face, |cut| &cut[0]));
        let others = cuts.values().flat_map(|cut| &cut[1..]).map(|triangle| &triangle[..]);
        self.faces = kept.chain(others).collect();
        if !self.face_lines.is_empty() {
            let lines = cuts.iter().flat_map(|(f, cut)| repeat_n(self.face_lines[*f], cut.len() - 1));
            self.face_lines.extend(lines.collect::<Vec<_>>());
        }
        self.cut = cuts.len();
    }
}

#[derive(Default)]
struct Cutter {
    ears: Earcut<f64>,
    flat: Vec<[f64; 2]>,
    found: Vec<u32>,
}

impl Cutter {
    /// The triangles of a face that its first corner does not see whole. Corners amid a straight side have none of their own: they
    /// part the triangle at that side.
    fn cut(&mut self, points: &[DVec3], face: &[u32]) -> Option<Vec<[u32; 3]>> {
        if face.len() <= 3 || face.len() > CORNERS_MAX || sees_all(points, face) {
            return None;
        }
        let kept: Vec<usize> = (0..face.len()).filter(|k| !is_straight(points, face, *k)).collect();
        let corners: Vec<u32> = kept.iter().map(|k| face[*k]).collect();
        let mut triangles = self.of_corners(points, &corners)?;
        for (from, to) in kept.iter().zip(kept.iter().cycle().skip(1)) {
            let to = if to > from { *to } else { to + face.len() };
            let side: Vec<u32> = (*from..=to).map(|k| face[k % face.len()]).collect();
            part(&mut triangles, &side)?;
        }
        Some(triangles)
    }

    /// The triangles of a polygon without straight corners.
    fn of_corners(&mut self, points: &[DVec3], polygon: &[u32]) -> Option<Vec<[u32; 3]>> {
        if polygon.len() < 3 {
            return None;
        }
        if polygon.len() == 3 || sees_all(points, polygon) {
            return Some((2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]).collect());
        }
        let corners: Vec<[f64; 3]> = polygon.iter().map(|v| points[*v as usize].to_array()).collect();
        if !project3d_to_2d(&corners, corners.len(), &mut self.flat) {
            return None;
        }
        self.ears.earcut(self.flat.iter().copied(), &[], &mut self.found);
        let whole = self.found.len() == 3 * (polygon.len() - 2)
            && deviation(self.flat.iter().copied(), &[] as &[u32], &self.found) < MISSED_MAX;
        let outwards = area_vector(points, polygon);
        let triangle = |t: &[u32; 3]| {
            let t = t.map(|k| polygon[k as usize]);
            if area_vector(points, &t).dot(outwards) < 0.0 { [t[0], t[2], t[1]] } else { t }
        };
        whole.then(|| self.found.as_chunks::<3>().0.iter().map(triangle).collect())
    }
}

/// Parts the triangle at a side at the corners amid it; `None`: there is no such triangle.
fn part(triangles: &mut Vec<[u32; 3]>, side: &[u32]) -> Option<()> {
    if side.len() == 2 {
        return Some(());
    }
    let ends = [side[0], side[side.len() - 1]];
    let apex = |t: &[u32; 3]| (0..3).find(|k| [t[*k], t[(k + 1) % 3]] == ends).map(|k| t[(k + 2) % 3]);
    let (at, apex) = triangles.iter().enumerate().find_map(|(at, t)| Some((at, apex(t)?)))?;
    triangles.remove(at);
    triangles.extend(side.windows(2).map(|pair| [pair[0], pair[1], apex]));
    Some(())
}

/// Whether a corner lies amid a straight side.
fn is_straight(points: &[DVec3], face: &[u32], k: usize) -> bool {
    let n = face.len();
    let [before, here, after] = [k + n - 1, k, k + 1].map(|k| points[face[k % n] as usize]);
    let (along, on) = (here - before, after - here);
    along.dot(on) > 0.0 && along.cross(on).length_squared() < (STRAIGHT * along.dot(on)).powi(2)
}

/// Whether all triangles at the first corner have an area, and are the same way round as the face.
fn sees_all(points: &[DVec3], face: &[u32]) -> bool {
    let outwards = area_vector(points, face);
    let forwards = |k: usize| area_vector(points, &[face[0], face[k - 1], face[k]]).dot(outwards);
    (2..face.len()).all(|k| forwards(k) > FLAT * outwards.length_squared())
}
