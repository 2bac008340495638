//! Repairs what can be repaired without guessing, and says what it did: joins, drops, turns. Holes, branching and
//! crossing faces stay as they are.

use super::Mesh;
use super::audit::Audit;
use super::join::retain;
use crate::geometry::loops::Loops;
use serde::Serialize;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Fixed {
    /// vertices with the position of an earlier one, those that the reader joined included
    pub joined_vertices: usize,
    /// faces that were not convex and became triangles
    pub cut_faces: usize,
    /// corners of faces that followed themselves
    pub dropped_corners: usize,
    /// faces without area
    pub dropped_degenerate_faces: usize,
    /// faces with the vertices of an earlier one
    pub dropped_repeated_faces: usize,
    /// faces that were the wrong way round
    pub turned_faces: usize,
    /// vertices that no face named
    pub dropped_vertices: usize,
}

/// Repairs a surface.
pub fn fix(mesh: &mut Mesh) -> Fixed {
    mesh.join();
    let dropped_corners = drop_corners(mesh);
    let found = Audit::of(mesh);
    let mut kept = vec![true; mesh.faces.len()];
    found.degenerate.iter().for_each(|f| kept[*f] = false);
    let degenerate = kept.iter().filter(|k| !**k).count();
    found.repeated.iter().for_each(|f| kept[*f] = false);
    let dropped = kept.iter().filter(|k| !**k).count();
    mesh.faces = mesh.faces.iter().zip(&kept).filter(|(_, k)| **k).map(|(f, _)| f).collect();
    retain(&mut mesh.face_lines, &kept);
    let flipped = Audit::of(mesh).flipped;
    flipped.iter().for_each(|f| mesh.faces.turn(*f));
    Fixed {
        joined_vertices: mesh.joined,
        cut_faces: mesh.cut,
        dropped_corners,
        dropped_degenerate_faces: degenerate,
        dropped_repeated_faces: dropped - degenerate,
        turned_faces: flipped.len(),
        dropped_vertices: mesh.drop_unnamed(),
    }
}

/// Drops corners that follow themselves where three others are left.
fn drop_corners(mesh: &mut Mesh) -> usize {
    let before = mesh.faces.corners().len();
    let mut faces = Loops::default();
    let mut left = vec![];
    for face in mesh.faces.iter() {
        left.clear();
        left.extend((0..face.len()).filter(|k| face[*k] != face[(k + 1) % face.len()]).map(|k| face[k]));
        faces.push(if left.len() >= 3 { &left } else { face });
    }
    mesh.faces = faces;
    before - mesh.faces.corners().len()
}
