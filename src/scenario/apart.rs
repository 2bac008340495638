//! Spheres that are put down one by one and keep clear of each other.

use crate::geometry::levels::Levels;
use glam::DVec3;

/// Spheres that do not touch.
pub(super) struct Apart {
    levels: Levels,
    positions: Vec<DVec3>,
    radii: Vec<f64>,
}

impl Apart {
    /// None yet; they will have these radii, in this order.
    pub(super) fn new(radii: &[f64]) -> Apart {
        Apart { levels: Levels::new(radii), positions: vec![], radii: radii.to_vec() }
    }

    /// Centres so far, in order (m).
    pub(super) fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Centres, in order (m).
    pub(super) fn into_positions(self) -> Vec<DVec3> {
        self.positions
    }

    /// Puts the next sphere down if it touches none; whether it did.
    pub(super) fn add(&mut self, centre: DVec3) -> bool {
        let k = self.positions.len();
        let (radius, mut free) = (self.radii[k], true);
        self.levels.near(centre, radius, |other| {
            free = centre.distance(self.positions[other]) > radius + self.radii[other];
            free
        });
        if free {
            self.levels.put(k, centre, radius);
            self.positions.push(centre);
        }
        free
    }
}
