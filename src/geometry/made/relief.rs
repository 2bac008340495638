//! What is added to the form: fractal relief, craters in their order, boulders on top.

use super::noise::Fractal;
use super::spots::{Crater, Scatter, Search, Spot};
use super::{Base, Form};
use rand::Rng;
use serde::Serialize;

/// Parts of the relief; without any the form is bare.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Relief {
    /// below all
    pub fractal: Option<Fractal>,
    /// craters as typed, oldest first; depths of overlapping craters add up
    pub craters: Vec<Crater>,
    /// craters at random, before those
    pub random_craters: Option<Scatter>,
    /// bumps
    pub boulders: Option<Scatter>,
}

impl Relief {
    /// The smallest length that faces must resolve, and what it is of.
    pub fn smallest_m(&self) -> Option<(&'static str, f64)> {
        let lengths = self.craters.iter().map(|c| ("a crater", c.diameter_m));
        let random = self.random_craters.iter().map(|c| ("a crater", c.diameter.min_m));
        let boulders = self.boulders.iter().map(|b| ("a boulder", b.diameter.min_m));
        let waves = self.fractal.iter().map(|f| ("a wavelength", f.wavelength_min_m));
        lengths.chain(random).chain(boulders).chain(waves).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Heights of the vertices along the rays from the centre (m).
    pub fn heights_m(&self, form: &Form, base: &Base, rng: &mut impl Rng) -> Vec<f64> {
        let none = || vec![0.0; base.vertices_m.len()];
        let mut heights = self.fractal.map_or_else(none, |f| f.heights_m(base, rng));
        let mut craters: Vec<Spot> = vec![];
        craters.extend(self.random_craters.iter().flat_map(|s| Spot::scatter(s, base, rng)));
        craters.extend(self.craters.iter().map(|c| Spot::crater(c, form)));
        let stones: Vec<Spot> = self.boulders.iter().flat_map(|s| Spot::scatter(s, base, rng)).collect();
        if craters.is_empty() && stones.is_empty() {
            return heights;
        }
        let search = Search::new(base.vertices_m);
        craters.iter().for_each(|c| search.add_crater(c, &mut heights));
        let mut boulders = none();
        stones.iter().for_each(|s| search.raise_boulder(s, &mut boulders));
        heights.iter_mut().zip(boulders).for_each(|(h, b)| *h += b);
        heights
    }
}
