//! f64 truths, invariants, and the harness that runs single passes.
pub mod checks;
pub mod coloured;
pub mod contacts;
pub mod direct;
pub mod dynamics;
pub mod engine;
pub mod harness;
pub mod invariants;
pub mod jacobi;
pub mod law;
pub mod lbvh;
pub mod local;
pub mod multipole;
pub mod narrow;
pub mod nsgs;
mod snapshot;
pub mod solution;
pub mod splitting;
