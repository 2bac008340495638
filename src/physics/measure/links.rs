//! Which bodies hold together: pairs with a contact that carries force, or, without contacts, pairs with a small gap.

use crate::geometry::levels::Levels;
use crate::model::body::Bodies;
use crate::model::placed;
use crate::model::snapshot::Snapshot;

/// Gap below which bodies count as touching where a frame has no contacts (mean radius).
pub const TOLERANCE: f64 = 0.01;

/// Pairs of bodies whose contact carries force. An overlap alone does not show it: rigid bodies touch at a gap of zero.
pub fn by_force(s: &Snapshot) -> Vec<[u32; 2]> {
    s.contacts.iter().filter(|c| c.force_n.length_squared() > 0.0).map(|c| [c.i, c.j]).collect()
}

/// The gap of `tolerance` mean radii (m).
pub fn gap_of(bodies: &Bodies, tolerance: f64) -> f64 {
    tolerance * bodies.mean_radius_m()
}

/// Pairs of bodies whose gap is below `tolerance` mean radii, sorted.
pub fn by_gap(bodies: &Bodies, tolerance: f64) -> Vec<[u32; 2]> {
    let (position_m, radius_m) = (&bodies.position_m, &bodies.radius_m);
    let gap_m = gap_of(bodies, tolerance);
    let mut levels = Levels::new(radius_m);
    let mut pairs = vec![];
    for k in 0..bodies.len() {
        levels.near(position_m[k], radius_m[k] + gap_m, |other| {
            if placed::gap_m(bodies, k, other, gap_m) < gap_m {
                pairs.push([other as u32, k as u32]);
            }
            true
        });
        levels.put(k, position_m[k], radius_m[k]);
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
