//! Which bodies hold together: pairs with a contact that carries force, or, without contacts, pairs with a small gap.

use crate::model::body::Bodies;
use crate::model::placed;
use crate::model::snapshot::Snapshot;
use std::collections::HashMap;

/// Gap below which bodies count as touching where a frame has no contacts (mean radius).
pub const TOLERANCE: f64 = 0.01;

/// Pairs of bodies whose contact carries force. An overlap alone does not show it: rigid bodies touch at a gap of zero.
pub fn by_force(s: &Snapshot) -> Vec<[u32; 2]> {
    s.contacts.iter().filter(|c| c.force_n.length_squared() > 0.0).map(|c| [c.i, c.j]).collect()
}

/// Pairs of bodies whose gap is below `tolerance` mean radii, found by cells that are wider than any touching pair.
pub fn by_gap(bodies: &Bodies, tolerance: f64) -> Vec<[u32; 2]> {
    let radius = &bodies.radius_m;
    let gap_m = tolerance * radius.iter().sum::<f64>() / bodies.len().max(1) as f64;
    let cell_m = 2.0 * radius.iter().copied().fold(0.0, f64::max) + gap_m;
    let cell = |k: usize| (bodies.position_m[k] / cell_m).floor().to_array().map(|c| c as i64);
    let mut grid: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    let mut pairs = vec![];
    for k in 0..bodies.len() {
        let [x, y, z] = cell(k);
        let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
        for &other in around.filter_map(|c| grid.get(&c)).flatten() {
            if placed::gap_m(bodies, k, other, gap_m) < gap_m {
                pairs.push([other as u32, k as u32]);
            }
        }
        grid.entry([x, y, z]).or_default().push(k);
    }
    pairs
}
