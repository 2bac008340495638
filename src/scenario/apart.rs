//! Spheres that are put down one by one and keep clear of each other.

use glam::DVec3;
use std::collections::HashMap;

/// Spheres that do not touch, in cells as wide as the largest.
pub(super) struct Apart {
    cell_m: f64,
    grid: HashMap<[i64; 3], Vec<usize>>,
    places: Vec<DVec3>,
    radii: Vec<f64>,
}

impl Apart {
    /// None yet; none will have a radius above `radius_max_m`.
    pub fn new(radius_max_m: f64) -> Apart {
        Apart { cell_m: 2.0 * radius_max_m, grid: HashMap::new(), places: vec![], radii: vec![] }
    }

    /// Centres so far, in order (m).
    pub fn places(&self) -> &[DVec3] {
        &self.places
    }

    /// Centres, in order (m).
    pub fn into_places(self) -> Vec<DVec3> {
        self.places
    }

    /// Puts a sphere down if it touches none; whether it did.
    pub fn add(&mut self, centre: DVec3, radius: f64) -> bool {
        let [x, y, z] = (centre / self.cell_m).floor().to_array().map(|c| c as i64);
        let near = (0..27)
            .flat_map(|k| self.grid.get(&[x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]).into_iter().flatten());
        let free = near.copied().all(|k| centre.distance(self.places[k]) > radius + self.radii[k]);
        if free {
            self.grid.entry([x, y, z]).or_default().push(self.places.len());
            self.places.push(centre);
            self.radii.push(radius);
        }
        free
    }
}
