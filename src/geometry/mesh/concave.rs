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
    /// The triangles of a face that its first corner does not see whole.
    fn cut(&mut self, points: &[DVec3], face: &[u32]) -> Option<Vec<[u32; 3]>> {
        if face.len() <= 3 || face.len() > CORNERS_MAX || sees_all(points, face) {
            return None;
        }
        let corners: Vec<[f64; 3]> = face.iter().map(|v| points[*v as usize].to_array()).collect();
        if !project3d_to_2d(&corners, corners.len(), &mut self.flat) {
            return None;
        }
        self.ears.earcut(self.flat.iter().copied(), &[], &mut self.found);
        let whole = self.found.len() == 3 * (face.len() - 2)
            && deviation(self.flat.iter().copied(), &[] as &[u32], &self.found) < MISSED_MAX;
        let outwards = area_vector(points, face);
        let triangle = |t: &[u32; 3]| {
            let t = t.map(|k| face[k as usize]);
            if area_vector(points, &t).dot(outwards) < 0.0 { [t[0], t[2], t[1]] } else { t }
        };
        whole.then(|| self.found.as_chunks::<3>().0.iter().map(triangle).collect())
    }
}

/// Whether no triangle at the first corner is the other way round than the face.
fn sees_all(points: &[DVec3], face: &[u32]) -> bool {
    let outwards = area_vector(points, face);
    let backwards = |k: usize| area_vector(points, &[face[0], face[k - 1], face[k]]).dot(outwards);
    (2..face.len()).all(|k| backwards(k) >= -MISSED_MAX * outwards.length_squared())
}
