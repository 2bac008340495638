//! Edges and who uses them: sides of faces sorted into buckets by their smaller vertex, since a map of all edges costs
//! ten times as much.

use crate::geometry::loops::{Loops, sides};

/// A face's way along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// larger vertex of the edge
    other: u32,
    /// twice the face, and one more if it runs from the larger to the smaller vertex
    face_and_way: u32,
}

impl Side {
    /// The face.
    pub(super) fn face(&self) -> usize {
        (self.face_and_way >> 1) as usize
    }

    /// True if the face runs from the smaller to the larger vertex.
    pub(super) fn forward(&self) -> bool {
        self.face_and_way & 1 == 0
    }
}

/// All sides of faces, sorted so that those of one edge are consecutive.
pub(super) struct Edges {
    /// where the bucket of each vertex begins
    starts: Vec<usize>,
    sides: Vec<Side>,
}

impl Edges {
    /// Finds the edges of faces that name `vertices` vertices. A side from a vertex to itself is not an edge.
    pub(super) fn of(vertices: usize, faces: &Loops) -> Edges {
        let mut starts = vec![0; vertices + 1];
        let proper = |face| sides(face).filter(|[a, b]| a != b);
        faces.iter().flat_map(proper).for_each(|[a, b]| starts[a.min(b) as usize + 1] += 1);
        (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
        let mut list = vec![Side { other: 0, face_and_way: 0 }; starts[vertices]];
        let mut next = starts.clone();
        for (f, face) in faces.iter().enumerate() {
            for [a, b] in proper(face) {
                let slot = &mut next[a.min(b) as usize];
                list[*slot] = Side { other: a.max(b), face_and_way: 2 * f as u32 + u32::from(a > b) };
                *slot += 1;
            }
        }
        starts.windows(2).for_each(|w| list[w[0]..w[1]].sort_unstable());
        Edges { starts, sides: list }
    }

    /// Every edge: its smaller and larger vertex, and its sides.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([u32; 2], &[Side])> {
        self.starts.windows(2).zip(0..).flat_map(|(w, vertex)| {
            self.sides[w[0]..w[1]].chunk_by(|a, b| a.other == b.other).map(move |s| ([vertex, s[0].other], s))
        })
    }
}
