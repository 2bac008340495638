//! The contact of a pair as a step needs it.

use super::Placed;
use super::common_plane::{Link, common_plane};
use super::manifold::{Manifold, manifold};

/// The contact of a pair as a step needs it: the climb from `start`, and its points if the gap is at most `reach_m`; then
/// the start of the next step.
pub fn contact(i: &Placed, j: &Placed, start: Link, reach_m: f64, points_max: usize) -> (Option<Manifold>, Link) {
    let found = common_plane(i, j, start, reach_m);
    let near = found.plane.gap_m <= reach_m;
    (near.then(|| manifold(i, j, found.plane, reach_m, points_max)), found.link)
}
