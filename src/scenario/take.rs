//! Bodies as generators place them, and who takes them.

use crate::model::scenario::ListItem;
use glam::{DQuat, DVec3};

/// Tries for all bodies together before the container of random seeding grows (Guidos et al. 2024, section 2.6).
pub(super) const TRIES: usize = 200;

/// Who takes bodies as they are placed.
pub(super) trait Take {
    /// Makes room for so many more.
    fn room(&mut self, more: usize);
    /// Takes the next.
    fn take(&mut self, body: ListItem);
}

impl Take for Vec<ListItem> {
    fn room(&mut self, more: usize) {
        self.reserve(more);
    }

    fn take(&mut self, body: ListItem) {
        self.push(body);
    }
}

pub(super) fn at_rest(position_m: DVec3, radius_m: f64) -> ListItem {
    ListItem { position_m, radius_m, velocity_m_s: DVec3::ZERO, spin_rad_s: DVec3::ZERO, orientation: DQuat::IDENTITY }
}
