//! Parts of a surface that are connected by edges of two faces, and which of their faces are the wrong way round.
//! Connected faces form a set, and each face keeps its orientation relative to the first of the set.

use super::Mesh;
use super::edges::Edges;
use crate::geometry::loops::middle;

/// Which part each face belongs to, and how it is turned in it.
pub(super) struct Parts {
    /// part of each face, from 0 in order of the first face
    pub of_face: Vec<u32>,
    /// number of parts
    pub count: usize,
    /// faces to be turned so that all that join at edges of two run the same way, and round their volume from outside
    pub flipped: Vec<usize>,
    /// edges at which no way of turning the faces makes both run opposite, as on a Moebius strip
    pub twisted: usize,
}

impl Parts {
    /// Finds the parts of a mesh, given its edges.
    pub(super) fn of(mesh: &Mesh, edges: &Edges) -> Parts {
        let mut sets = Sets { parent: (0..mesh.faces.len() as u32).map(|f| 2 * f).collect() };
        let (mut twisted, mut branching) = (0, false);
        for (_, sides) in edges.iter() {
            if let [a, b] = sides {
                twisted += usize::from(!sets.join(a.face(), b.face(), a.forward() == b.forward()));
            }
            branching |= sides.len() > 2;
        }
        let (of_face, count, turned) = sets.numbers();
        let flipped = wrong_way(mesh, &of_face, count, &turned);
        if !branching {
            return Parts { of_face, count, flipped, twisted };
        }
        // edges of more faces hold a part together too, but say nothing of the way round
        for (_, sides) in edges.iter().filter(|(_, s)| s.len() > 2) {
            for s in sides.windows(2) {
                sets.join(s[0].face(), s[1].face(), false);
            }
        }
        let (of_face, count, _) = sets.numbers();
        Parts { of_face, count, flipped, twisted }
    }
}

/// Chooses the faces of each set that must be turned: the `turned` ones or the others, so that the volume becomes
/// positive; if a set encloses hardly any volume, the fewer.
fn wrong_way(mesh: &Mesh, of_face: &[u32], count: usize, turned: &[bool]) -> Vec<usize> {
    let middle = middle(&mesh.vertices_m, mesh.faces.corners());
    let (mut volume, mut size, mut odd) = (vec![0.0; count], vec![0.0; count], vec![0i64; count]);
    for (f, [a, b, c]) in mesh.faces.triangles() {
        let [a, b, c] = [a, b, c].map(|v| mesh.vertices_m[v as usize] - middle);
        let (set, six) = (of_face[f] as usize, a.dot(b.cross(c)));
        volume[set] += if turned[f] { -six } else { six };
        size[set] += six.abs();
        odd[set] += if turned[f] { 1 } else { -1 };
    }
    let turn_odd = |p: usize| {
        if volume[p].abs() > 1e-9 * size[p] { volume[p] > 0.0 } else { odd[p] <= 0 }
    };
    (0..turned.len()).filter(|f| turned[*f] == turn_odd(of_face[*f] as usize)).collect()
}

/// Disjoint sets of faces; in `parent` twice the face above, and one more if turned against it.
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// The number of each face's set, from 0 in order of the first face, how many there are, and whether each face is
    /// turned against the root of its set.
    fn numbers(&mut self) -> (Vec<u32>, usize, Vec<bool>) {
        let (mut number, mut count) = (vec![u32::MAX; self.parent.len()], 0);
        let (mut of_face, mut turned) = (vec![], vec![]);
        for f in 0..self.parent.len() {
            let (root, odd) = self.find(f);
            if number[root] == u32::MAX {
                number[root] = count;
                count += 1;
            }
            of_face.push(number[root]);
            turned.push(odd);
        }
        (of_face, count as usize, turned)
    }

    /// The set's root, and whether the face is turned against it. Halves the path on the way.
    fn find(&mut self, face: usize) -> (usize, bool) {
        let (mut f, mut odd) = (face, false);
        loop {
            let up = self.parent[f];
            let above = self.parent[(up >> 1) as usize];
            if up >> 1 == f as u32 {
                return (f, odd);
            }
            self.parent[f] = above ^ (up & 1);
            odd ^= self.parent[f] & 1 == 1;
            f = (self.parent[f] >> 1) as usize;
        }
    }

    /// Joins the sets of two faces, of which one is to be turned (`against`) or not; `false`: they are joined the other
    /// way already.
    fn join(&mut self, a: usize, b: usize, against: bool) -> bool {
        let ((ra, oa), (rb, ob)) = (self.find(a), self.find(b));
        let odd = against ^ oa ^ ob;
        if ra == rb {
            return !odd;
        }
        let (low, high) = (ra.min(rb), ra.max(rb));
        self.parent[high] = 2 * low as u32 + u32::from(odd);
        true
    }
}
