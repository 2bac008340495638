//! The hash grid and the neighbour list as the CPU makes them.

use super::cloud::Cloud;
use crate::gpu::elements::cell::{CellEntry, CellRange};
use crate::gpu::elements::pair::Pair;
use crate::gpu::layout::Params;

/// Sorted bodies and the table of cells, as the hash grid of `wgsl/neighbours/cells.wgsl` has them.
pub struct Grid {
    /// of every body
    pub key: Vec<u32>,
    /// bodies by key
    pub order: Vec<u32>,
    /// bodies as a search reads them, by key
    pub entry: Vec<CellEntry>,
    /// run of every key
    pub range: Vec<CellRange>,
}

/// High words of its coordinates.
pub(super) fn coarse(cloud: &Cloud, body: usize) -> [i32; 3] {
    cloud.bodies[body].position.map(|x| (x >> 32) as i32)
}

fn key(cloud: &Cloud, params: &Params, body: usize) -> u32 {
    let level = cloud.level(params, body);
    let cell = coarse(cloud, body).map(|c| c.div_euclid(params.level_cell[level / 4][level % 4] as i32));
    hash(cell, level as u32) & params.hash_mask
}

/// `hash_cell`.
pub(super) fn hash(cell: [i32; 3], level: u32) -> u32 {
    let [x, y, z] = cell.map(|c| c as u32);
    let parts = [(x, 0x9e3779b1), (y, 0x85ebca77), (z, 0xc2b2ae3d), (level, 0x27d4eb2f_u32)];
    let mut h = parts.iter().fold(0u32, |h, (c, prime)| h.wrapping_add(c.wrapping_mul(*prime)));
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a2d39);
    h ^ (h >> 15)
}

impl Grid {
    /// The grid of a cloud.
    pub fn of(cloud: &Cloud) -> Grid {
        let params = cloud.params();
        let keys: Vec<u32> = (0..cloud.len()).map(|b| key(cloud, &params, b)).collect();
        let mut order: Vec<u32> = (0..cloud.len() as u32).collect();
        order.sort_by_key(|b| keys[*b as usize]);
        let entry = order.iter().map(|b| {
            let level = cloud.level(&params, *b as usize) as u32;
            CellEntry { coarse: coarse(cloud, *b as usize), body_level: *b | level << 29 }
        });
        let mut range = vec![CellRange::default(); cloud.hash as usize];
        for (index, b) in order.iter().enumerate() {
            let run = &mut range[keys[*b as usize] as usize];
            let first = if run.end == 0 { index as u32 } else { run.first };
            *run = CellRange { first, end: index as u32 + 1 };
        }
        Grid { entry: entry.collect(), key: keys, order, range }
    }
}

/// The list of a set of pairs, as a rebuild leaves it.
pub struct List {
    /// first neighbour of a body
    pub offset: Vec<u32>,
    /// ascending for every body
    pub body: Vec<u32>,
    /// 2 pair + side
    pub side: Vec<u32>,
    /// first pair of a body
    pub pair_offset: Vec<u32>,
    /// bodies, the lower one first
    pub pair: Vec<Pair>,
}

fn offsets(counts: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut sum = 0;
    let sums = counts.map(|c| {
        sum += c as u32;
        sum
    });
    [0].into_iter().chain(sums).collect()
}

impl List {
    /// The list of `n` bodies with these pairs, ascending, i < j.
    pub fn of(n: usize, pairs: &[(u32, u32)]) -> List {
        let mut rows = vec![vec![]; n];
        for (p, &(i, j)) in pairs.iter().enumerate() {
            rows[i as usize].push((j, 2 * p as u32));
            rows[j as usize].push((i, 2 * p as u32 + 1));
        }
        rows.iter_mut().for_each(|r| r.sort_unstable());
        let upper = |i: usize| rows[i].iter().filter(|(j, _)| *j > i as u32).count();
        List {
            offset: offsets(rows.iter().map(Vec::len)),
            pair_offset: offsets((0..n).map(upper)),
            body: rows.iter().flatten().map(|r| r.0).collect(),
            side: rows.iter().flatten().map(|r| r.1).collect(),
            pair: pairs.iter().map(|p| Pair { i: p.0, j: p.1 }).collect(),
        }
    }

    /// Neighbours of a body.
    pub fn of_body(&self, body: u32) -> &[u32] {
        &self.body[self.offset[body as usize] as usize..self.offset[body as usize + 1] as usize]
    }
}
