//! What a run measures, in f64: [`series`] makes one row of numbers, [`outcome`] what a whole run shows. Positions are exact
//! integers on the GPU, so momenta and energies are as good as the state itself.

pub mod energy_guard;
pub mod frame;
pub mod grains;
pub mod outcome;
pub mod rest;
pub mod series;
