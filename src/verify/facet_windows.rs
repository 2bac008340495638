//! Facets of a surface in several buffers, the windows, for the checks of `surface` and `wide`.

use super::cloud::CODE;
use super::harness::Harness;
use crate::base::error::Result;
use crate::engine::gpu::parts::surface::SurfaceTables;
use crate::gpu::constants::FACES;
use crate::gpu::elements::facet::{Listed, SurfaceFace, SurfaceNode};
use crate::physics::surface::ground::Ground;

/// The facets of a ground in two windows.
pub(super) struct Halves {
    /// boxes that name the facets of the second window as those behind a full first one
    pub(super) nodes: Vec<SurfaceNode>,
    /// facets of each window
    pub(super) faces: [Vec<SurfaceFace>; 2],
}

impl Halves {
    /// Cut at the first leaf of the second half.
    pub(super) fn of(ground: &Ground) -> Halves {
        let SurfaceTables { mut nodes, faces } = SurfaceTables::new(&ground.tree, &CODE);
        let half = nodes.iter().filter(|n| n.faces > 0).map(|n| n.faces >> 3).find(|f| 2 * *f as usize >= faces.len());
        let half = half.unwrap_or(0);
        for node in nodes.iter_mut().filter(|n| n.faces > 0 && n.faces >> 3 >= half) {
            node.faces += 8 * (FACES as u32 - half);
        }
        let (first, second) = faces.split_at(half as usize);
        Halves { nodes, faces: [first.to_vec(), second.to_vec()] }
    }

    /// Listed facets as one window would name them.
    pub(super) fn in_one(&self, list: &[Listed]) -> Vec<Listed> {
        let half = self.faces[0].len() as u32;
        let one = |l: &Listed| if l.at < half { *l } else { Listed { at: l.at - FACES as u32 + half, ..*l } };
        list.iter().map(one).collect()
    }
}

/// Runs a pass over each window of facets; `x` is its first constant.
pub(super) fn over_windows(
    h: &mut Harness,
    pass: &'static str,
    groups: u32,
    x: u32,
    windows: &[Vec<SurfaceFace>],
) -> Result<()> {
    for (window, faces) in (0..).zip(windows) {
        h.fill("surface_face", faces)?;
        h.run_with(pass, groups, "pass_constants", [x, window, 0, 0])?;
    }
    Ok(())
}
