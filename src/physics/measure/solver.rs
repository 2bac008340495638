//! How contact dynamics solved the steps since the last row.

use crate::model::snapshot::{Contact, Snapshot};

/// Mean number of contacts of a body with others, a pair of polyhedra counting by what touches what (Sanchez et al. 2021,
/// Fig. 9): face on face at most 3, face on edge at most 2, all else 1, but never more than the points that carry. Faces
/// that are merely near lie on each other at one corner. Of clumps, whose parts touch in several ways, the way with the most counts.
pub(super) fn coordination_by_kind(s: &Snapshot) -> f64 {
    let pairs = s.contacts.chunk_by(|a, b| (a.i, a.j) == (b.i, b.j));
    let count = |points: &[Contact]| {
        let carrying = || points.iter().filter(|c| c.touches(&s.bodies));
        carrying().count().min(carrying().map(|c| c.kind as usize).max().unwrap_or(0))
    };
    2.0 * pairs.map(count).sum::<usize>() as f64 / s.bodies.len() as f64
}
