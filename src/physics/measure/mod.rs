//! What a state shows as a whole, and which bodies are connected.
//!
//! [`columns`] is the table of the series' columns, [`series`] measures a row of them; [`outcome`] is the table of the
//! quantities of a whole run. Positions are exact integers on the GPU, so momenta and energies are as good as the state
//! itself.

pub mod aggregates;
mod baseline;
mod bodies_in;
mod bounce;
pub mod clusters;
pub mod column;
pub mod columns;
mod compact;
pub mod contact_counts;
pub mod energy;
pub mod energy_guard;
pub mod events;
pub mod frame;
pub mod frame_events;
pub mod grains;
pub mod links;
mod measured;
pub mod momentum;
pub mod outcome;
pub mod rest;
pub mod rotation;
pub mod series;
mod smoothing;
mod solver;
mod stress;
mod table;
mod table_asteroid;
pub mod walls;
pub mod whole;
