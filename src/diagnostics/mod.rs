//! Measuring a run on the host in f64: positions are exact integers on the GPU, so momenta and energies are as good as
//! the state itself. [`snapshot`] is the state, [`series`] one row of numbers, [`outcome`] what a whole run shows.

pub mod aggregate;
mod bodies_in;
pub mod columns;
mod contact_counts;
pub mod eigen;
mod energy;
pub mod energy_guard;
pub mod events;
pub mod frame;
pub mod grains;
mod momentum;
pub mod outcome;
pub mod rest;
pub mod series;
pub mod snapshot;
mod solver;
mod stress;
pub mod touching;
mod walls;
