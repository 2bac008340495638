//! What a state of bodies shows as a whole, and which bodies hang together.

pub mod aggregates;
pub mod links;
pub mod whole;
