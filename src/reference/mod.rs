//! f64 truths, invariants, and the harness that runs single passes.
pub mod checks;
pub mod contacts;
pub mod direct;
pub mod engine;
pub mod harness;
pub mod invariants;
pub mod law;
pub mod lbvh;
pub mod multipole;
pub mod narrow;
pub mod rotation;
mod snapshot;
