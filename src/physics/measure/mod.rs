//! Measures of a whole state, and which bodies are connected.

pub mod aggregates;
pub mod links;
pub mod whole;
