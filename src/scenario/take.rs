//! What generators that place bodies share.

use crate::model::scenario::ListItem;
use glam::{DQuat, DVec3};

/// Tries for all bodies together before the container of random seeding grows (Guidos et al. 2024, section 2.6).
pub(super) const TRIES: usize = 200;

/// A body without motion.
pub(super) fn at_rest(position_m: DVec3, radius_m: f64) -> ListItem {
    ListItem {
        position_m,
        radius_m,
        velocity_m_s: DVec3::ZERO,
        spin_rad_s: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
        material: None,
    }
}
