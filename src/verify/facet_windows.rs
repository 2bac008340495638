//! Facets of a surface in several buffers, the windows, for the checks of `surface` and `wide`.

use super::cloud::CODE;
use super::harness::Harness;
use crate::base::error::Result;
use crate::engine::gpu::parts::surface::SurfaceTables;
use crate::gpu::constants::FACES;
use crate::gpu::elements::facet::{Listed, SurfaceFace, SurfaceNode};
use crate::physics::surface::ground::Ground;
use std::array::from_fn;

/// Windows of a ground: as many as a run has at most.
const WINDOWS: usize = 3;

/// The facets of a ground in several windows.
pub(super) struct Windows {
    /// boxes that name the facets of a window as if all before it were full
    pub(super) nodes: Vec<SurfaceNode>,
    /// facets of each window
    pub(super) faces: [Vec<SurfaceFace>; WINDOWS],
    /// index of the first of each, of all facets
    first: [u32; WINDOWS],
}

impl Windows {
    /// Cut at leaves, in parts that are nearly equal.
    pub(super) fn of(ground: &Ground) -> Windows {
        let SurfaceTables { mut nodes, faces } = SurfaceTables::new(&ground.tree, &CODE);
        let leaf = |n: &SurfaceNode| (n.faces > 0).then_some(n.faces >> 3);
        let cut = |w: usize| {
            let reached = |f: &u32| *f as usize >= w * faces.len() / WINDOWS;
            nodes.iter().filter_map(leaf).filter(reached).min().unwrap_or(0)
        };
        let first: [u32; WINDOWS] = from_fn(cut);
        for node in nodes.iter_mut().filter(|n| n.faces > 0) {
            let window = first.iter().rposition(|f| node.faces >> 3 >= *f).unwrap_or(0);
            node.faces += 8 * (window as u32 * FACES as u32 - first[window]);
        }
        let end = |w: usize| first.get(w + 1).map_or(faces.len(), |f| *f as usize);
        let of = |w: usize| faces[first[w] as usize..end(w)].to_vec();
        Windows { faces: from_fn(of), nodes, first }
    }

    /// Listed facets as one window would name them.
    pub(super) fn in_one(&self, list: &[Listed]) -> Vec<Listed> {
        let one = |l: &Listed| {
            let window = l.at / FACES as u32;
            Listed { at: l.at - window * FACES as u32 + self.first[window as usize], ..*l }
        };
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
