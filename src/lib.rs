//! Granular asteroids on any GPU.
#![warn(missing_docs)]

pub mod blocks;
pub mod body;
pub mod diagnostics;
pub mod engine;
pub mod error;
pub mod gpu;
pub mod gravity;
pub mod output;
pub mod pipeline;
pub mod reference;
pub mod render;
pub mod run;
pub mod scenario;
pub mod solver;
pub mod state;
pub mod units;
