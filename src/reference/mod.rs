//! f64 truths, invariants, and the harness that runs single passes.
pub mod harness;
pub mod lbvh;
pub mod multipole;
