//! Bodies in the regions of a scenario.

use crate::model::scenario::Region;
use crate::model::snapshot::Snapshot;

/// Number and mass of the bodies in a region.
pub(super) fn inside(s: &Snapshot, region: &Region) -> (u32, f64) {
    let b = &s.bodies;
    let inside = (0..b.len()).filter(|k| region.holds(b.position_m[*k]));
    inside.fold((0, 0.0), |(n, kg), k| (n + 1, kg + b.mass_kg[k]))
}
