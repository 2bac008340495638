//! Vertices at the same position.

use super::Mesh;
use crate::geometry::loops::named;
use glam::DVec3;

/// The first vertex at the position of each vertex: equal numbers, 0 and -0 alike.
pub(crate) fn firsts(vertices: &[DVec3]) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = vertices.iter().zip(0..).map(|(v, k)| (key(*v), k)).collect();
    keyed.sort_unstable();
    let mut first: Vec<u32> = (0..vertices.len() as u32).collect();
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        for (k, (_, v)) in group.iter().enumerate() {
            // different positions with one key are as good as never there; equal ones are found at once
            let earlier = group[..k].iter().find(|(_, w)| vertices[*w as usize] == vertices[*v as usize]);
            if let Some((_, w)) = earlier {
                first[*v as usize] = first[*w as usize];
            }
        }
    }
    first
}

/// A hash of all coordinates, of 64 bits.
fn key(v: DVec3) -> u64 {
    v.to_array().into_iter().fold(0, |k, c| mix(k ^ (c + 0.0).to_bits()))
}

/// Mixes the bits of a number (the finalizer of SplitMix64, Steele et al. 2014).
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Mesh {
    /// Makes one vertex of those at the same position; how many are gone.
    pub(super) fn join(&mut self) -> usize {
        let first = firsts(&self.vertices_m);
        let kept: Vec<bool> = (0..).zip(&first).map(|(k, f): (u32, _)| *f == k).collect();
        self.faces.corners_mut().iter_mut().for_each(|c| *c = first[*c as usize]);
        let gone = self.keep_vertices(&kept);
        self.joined += gone;
        gone
    }

    /// Drops the vertices that no face names; how many are gone.
    pub(in crate::geometry) fn drop_unnamed(&mut self) -> usize {
        self.keep_vertices(&named(self.vertices_m.len(), self.faces.corners()))
    }

    /// Drops the vertices that are not `kept`, which no face may name; how many are gone.
    fn keep_vertices(&mut self, kept: &[bool]) -> usize {
        let before = self.vertices_m.len();
        let index: Vec<u32> = kept.iter().scan(0, |n, k| Some(std::mem::replace(n, *n + u32::from(*k)))).collect();
        self.faces.corners_mut().iter_mut().for_each(|c| *c = index[*c as usize]);
        retain(&mut self.vertices_m, kept);
        retain(&mut self.vertex_lines, kept);
        retain(&mut self.vertex_numbers, kept);
        before - self.vertices_m.len()
    }
}

/// Keeps the entries that are `kept`; an empty list stays empty.
pub(crate) fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut keep = kept.iter();
    list.retain(|_| keep.next().copied().unwrap_or(true));
}
