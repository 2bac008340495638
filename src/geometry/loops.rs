//! Loops of vertices around faces.

use glam::DVec3;

/// Faces as loops of vertices, one behind the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loops {
    corners: Vec<u32>,
    /// where each loop ends in `corners`
    ends: Vec<usize>,
}

impl Loops {
    /// Appends a face.
    pub fn push(&mut self, face: &[u32]) {
        self.corners.extend_from_slice(face);
        self.ends.push(self.corners.len());
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True without faces.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Vertices of a face, in order.
    pub fn get(&self, face: usize) -> &[u32] {
        &self.corners[if face == 0 { 0 } else { self.ends[face - 1] }..self.ends[face]]
    }

    /// All faces.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + Clone {
        (0..self.len()).map(|f| self.get(f))
    }

    /// Vertices of all faces, one face behind the other.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// All corners, to be renumbered.
    pub fn corners_mut(&mut self) -> &mut [u32] {
        &mut self.corners
    }

    /// Reverses the order of the vertices of a face.
    pub fn turn(&mut self, face: usize) {
        let start = if face == 0 { 0 } else { self.ends[face - 1] };
        self.corners[start..self.ends[face]].reverse();
    }

    /// The faces cut into triangles at their first corners, each with the face that it came from.
    pub fn triangles(&self) -> impl Iterator<Item = (usize, [u32; 3])> {
        (0..self.len()).flat_map(move |f| {
            let face = self.get(f);
            (2..face.len()).map(move |k| (f, [face[0], face[k - 1], face[k]]))
        })
    }
}

impl<'a> FromIterator<&'a [u32]> for Loops {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(faces: I) -> Loops {
        let mut loops = Loops::default();
        faces.into_iter().for_each(|f| loops.push(f));
        loops
    }
}

/// Which of `count` points the corners of faces name.
pub fn named<'a>(count: usize, corners: impl IntoIterator<Item = &'a u32>) -> Vec<bool> {
    let mut named = vec![false; count];
    corners.into_iter().for_each(|c| named[*c as usize] = true);
    named
}

/// Mean of the points that the corners of faces name (m). Any others may lie far away, and near the body no digits cancel.
pub fn middle<'a>(points: &[DVec3], corners: impl IntoIterator<Item = &'a u32>) -> DVec3 {
    let named = named(points.len(), corners);
    let of_faces = points.iter().zip(&named).filter(|(_, named)| **named).map(|(p, _)| p);
    of_faces.sum::<DVec3>() / named.iter().filter(|n| **n).count().max(1) as f64
}

/// Pairs of neighbouring corners in order.
pub fn sides(face: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]])
}

/// Normal of a face with the length of twice its area (m2): the mean over all corners (Newell).
pub fn area_vector(points: &[DVec3], face: &[u32]) -> DVec3 {
    let corner = |k: usize| points[face[k] as usize];
    (2..face.len()).map(|k| (corner(k - 1) - corner(0)).cross(corner(k) - corner(0))).sum()
}
