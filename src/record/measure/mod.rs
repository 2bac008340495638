//! What a run measures, in f64: [`series`] makes one row of numbers, [`outcome`] what a whole run shows. Positions are exact
//! integers on the GPU, so momenta and energies are as good as the state itself.

mod bodies_in;
pub mod columns;
mod contact_counts;
mod energy;
pub mod energy_guard;
pub mod events;
pub mod frame;
pub mod grains;
mod momentum;
pub mod outcome;
pub mod rest;
pub mod series;
mod solver;
mod stress;
mod walls;
