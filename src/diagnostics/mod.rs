//! Measuring a run.
pub mod snapshot;
