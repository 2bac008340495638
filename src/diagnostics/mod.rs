//! Measuring a run on the host in f64: positions are exact integers on the GPU, so momenta and energies are as good as
//! the state itself. [`snapshot`] is the state, [`series`] one row of numbers, [`outcome`] what a whole run shows.

pub mod aggregate;
pub mod eigen;
pub mod energy_guard;
pub mod frame;
pub mod grains;
pub mod outcome;
pub mod rest;
pub mod series;
pub mod snapshot;
pub mod touching;
